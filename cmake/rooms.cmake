# SPDX-License-Identifier: Apache-2.0
# The targets of this build: rooms of src/, tests, and how their sources are compiled.

add_library(bough_options INTERFACE)
target_compile_features(bough_options INTERFACE cxx_std_20)
# Results must not depend on the compiler: no contraction of a * b + c, no fast-math.
target_compile_options(bough_options INTERFACE -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow
                       -Wno-sign-conversion $<$<BOOL:${BOUGH_WERROR}>:-Werror>)
# g++ collects its garbage whenever 128 MiB are used, which takes 6 to 10 % of the time of a unit: a GiB first. It changes no code.
target_compile_options(bough_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
# Sections of their own let the linker leave out what a program does not use: 2 % of the wheel.
if(NOT BOUGH_SANITIZE)
  target_compile_options(bough_options INTERFACE -ffunction-sections -fdata-sections)
endif()
if(BOUGH_SANITIZE)
  # Only some rooms speak to a fuzzer (BOUGH_FUZZED).
  string(REPLACE ",fuzzer-no-link" "" sanitizers "${BOUGH_SANITIZE}")
  target_compile_options(bough_options INTERFACE -fsanitize=${sanitizers} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(bough_options INTERFACE -fsanitize=${sanitizers})
  target_compile_definitions(bough_options INTERFACE BOUGH_CHECKED=1)
  # Vector kernels are watched for SSE4 (then the baseline), AVX2 and AVX3_DL: the source is one for all instruction sets, and
  # under UBSan clang needs a minute for the loops of Highway's emulated vectors in a single file.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(bough_options INTERFACE -march=x86-64-v2 -maes -mpclmul)
    target_compile_definitions(bough_options INTERFACE HWY_DISABLED_TARGETS=HWY_AVX3)
  endif()
endif()
# 64-bit ARM: NEON alone. Vectors of SVE have no size that a compiler knows, so they cannot stand in arrays, which kernels use.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  target_compile_definitions(bough_options INTERFACE "HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
endif()
# BOUGH_ASSERT is live in debug and sanitizer builds.
target_compile_definitions(bough_options INTERFACE $<$<CONFIG:Debug>:BOUGH_CHECKED=1>)

# Everything that ships is compiled as CMake's Release says: what people get is what the benchmarks measure.

# Under the sanitizers half of the compile time is optimising code that hardly runs: only hot rooms are optimised there.
# Fuzzing alone runs what reads, for hours.
set(BOUGH_HOT base data tree criterion split predict grow prune quinlan search)
if(BOUGH_FUZZ AND NOT BOUGH_TESTS)
  list(APPEND BOUGH_HOT params model explain rules)
endif()
function(bough_sanitizer_opt target name)
  if(BOUGH_SANITIZE AND NOT name IN_LIST BOUGH_HOT)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
# The rooms that read bytes of strangers, and what these end in, tell fuzz targets where they are. Elsewhere it would only cost.
set(BOUGH_FUZZED base params data tree predict model scale rules explain export)

# bough_units(target UNIT files... [UNIT files...]...): the sources of a target. The files of a unit are compiled as one
# (CMake's UNITY_BUILD), because a small file's compile time is its headers'. Names in unnamed namespaces must differ inside a
# unit, and every file still includes what it uses. A unit is a few thousand lines at most, so that a change is compiled in
# seconds; what takes long by itself stands alone.
function(bough_units target)
  set(unit "")
  foreach(word ${ARGN} UNIT)
    if(NOT word STREQUAL "UNIT")
      list(APPEND unit ${word})
      continue()
    endif()
    list(LENGTH unit n_files)
    if(n_files GREATER 1)
      list(GET unit 0 first)
      cmake_path(GET first STEM name)
      set_source_files_properties(${unit} PROPERTIES UNITY_GROUP ${name})
    endif()
    if(unit)
      target_sources(${target} PRIVATE ${unit})
    endif()
    set(unit "")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BOUGH_UNITS} UNITY_BUILD_MODE GROUP)
endfunction()

# bough_room(name DEPENDS lower rooms... UNIT files... [UNIT files...]...): one room of src/ as a static library
# bough_room_<name>. Rooms may only depend on lower layers; tools/check_layers.py checks the includes.
function(bough_room name)
  list(FIND ARGN UNIT first_unit)
  list(SUBLIST ARGN 0 ${first_unit} before)
  list(SUBLIST ARGN ${first_unit} -1 units)
  cmake_parse_arguments(ROOM "" "" "DEPENDS" ${before})
  set(target bough_room_${name})
  add_library(${target} STATIC)
  bough_units(${target} ${units})
  set_property(TARGET ${target} PROPERTY BOUGH_UNITS ${units})
  if(BOUGH_SANITIZE MATCHES "fuzzer-no-link" AND name IN_LIST BOUGH_FUZZED)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC bough_options)
  bough_sanitizer_opt(${target} ${name})
  foreach(lower ${ROOM_DEPENDS})
    target_link_libraries(${target} PUBLIC bough_room_${lower})
  endforeach()
endfunction()

# bough_test(name [OPTIMISED] ROOMS rooms... [LIBS ...] [LABELS ...] [SHARDS n] UNIT files...): a GoogleTest program
# test_<name>. SHARDS: that many tests of ctest, each with a part of the cases. OPTIMISED: engines, kernels and judges of
# numbers, which the optimiser could break; these run in optimised and in sanitized builds. The others run in sanitized
# builds alone (BOUGH_TESTS=OPTIMISED, the preset release), because compiling them twice would find nothing more; there
# `ninja test_<name>` still makes one, `ninja bough_tests` all.
add_custom_target(bough_tests)
function(bough_test name)
  list(FIND ARGN UNIT first_unit)
  list(SUBLIST ARGN 0 ${first_unit} before)
  list(SUBLIST ARGN ${first_unit} -1 units)
  cmake_parse_arguments(TEST "OPTIMISED" "SHARDS" "ROOMS;LABELS;LIBS" ${before})
  add_executable(test_${name})
  add_dependencies(bough_tests test_${name})
  bough_units(test_${name} ${units})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/cpp)
  foreach(room ${TEST_ROOMS})
    target_link_libraries(test_${name} PRIVATE bough_room_${room})
  endforeach()
  # g++ 12 takes the empty maps of a temporary Params for uninitialised where a test's body is one large function.
  target_compile_options(test_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_libraries(test_${name} PRIVATE ${TEST_LIBS} GTest::gtest_main)
  bough_test_opt(test_${name} ${name})
  if(BOUGH_TESTS STREQUAL "OPTIMISED" AND NOT TEST_OPTIMISED)
    set_target_properties(test_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    list(APPEND TEST_LABELS long)
  endif()
  if(TEST_SHARDS)
    foreach(shard RANGE 1 ${TEST_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name}_${shard} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
      set_tests_properties(${name}_${shard} PROPERTIES
                           ENVIRONMENT "GTEST_TOTAL_SHARDS=${TEST_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
    return()
  endif()
  add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(TEST_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}")
  endif()
endfunction()

# The code of tests is not optimised, because compiling it would take longer than running it; but for the slow ones.
function(bough_test_opt target name)
  if(name MATCHES "^(oracle|engines|grow|prune|search)$")
    target_compile_options(${target} PRIVATE -O1)
  else()
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
