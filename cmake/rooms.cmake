# SPDX-License-Identifier: Apache-2.0
# bough_room(name DEPENDS lower rooms... SOURCES files...): one room of src/ as a static library bough_room_<name>.
# Rooms may only depend on lower layers; tools/check_layers.py checks the includes.

add_library(bough_options INTERFACE)
target_compile_features(bough_options INTERFACE cxx_std_20)
# Results must not depend on the compiler: no contraction of a * b + c, no fast-math.
target_compile_options(bough_options INTERFACE -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow
                       -Wno-sign-conversion $<$<BOOL:${BOUGH_WERROR}>:-Werror>)
if(BOUGH_SANITIZE)
  # Only some rooms speak to a fuzzer (BOUGH_FUZZED).
  string(REPLACE ",fuzzer-no-link" "" sanitizers "${BOUGH_SANITIZE}")
  target_compile_options(bough_options INTERFACE -fsanitize=${sanitizers} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  if(BOUGH_UNITY)
    # In a hurry: no debug information, and not the checks before every use of a pointer, a third of the compile time, most of
    # which the address sanitizer sees anyway.
    target_compile_options(bough_options INTERFACE -g0
                           -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
  target_link_options(bough_options INTERFACE -fsanitize=${sanitizers})
  target_compile_definitions(bough_options INTERFACE BOUGH_CHECKED=1)
endif()
# BOUGH_ASSERT is live in debug and sanitizer builds.
target_compile_definitions(bough_options INTERFACE $<$<CONFIG:Debug>:BOUGH_CHECKED=1>)

# Under the sanitizers half of the compile time is optimising code that hardly runs: only what the tests spend their time
# in is optimised there.
set(BOUGH_HOT base data tree criterion split predict grow prune quinlan oracle engines)
# Fuzzing alone runs what reads, for hours.
if(BOUGH_FUZZ AND NOT BOUGH_TESTS)
  list(APPEND BOUGH_HOT params model explain rules)
endif()
# The rooms that read bytes of strangers, and what these end in, tell fuzz targets where they are. Elsewhere it would only cost.
set(BOUGH_FUZZED base params data tree predict model scale rules explain export)
function(bough_cool target name)
  if(BOUGH_SANITIZE AND NOT name IN_LIST BOUGH_HOT)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
# Where a build from nothing is in a hurry, what the tests hardly spend time in is optimised a little only.
function(bough_hurry target name)
  if(BOUGH_UNITY AND NOT BOUGH_SANITIZE AND NOT name IN_LIST BOUGH_HOT)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

function(bough_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;SOURCES" ${ARGN})
  set(target bough_room_${name})
  add_library(${target} STATIC ${ROOM_SOURCES})
  if(BOUGH_SANITIZE MATCHES "fuzzer-no-link" AND name IN_LIST BOUGH_FUZZED)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC bough_options)
  bough_cool(${target} ${name})
  bough_hurry(${target} ${name})
  foreach(lower ${ROOM_DEPENDS})
    target_link_libraries(${target} PUBLIC bough_room_${lower})
  endforeach()
endfunction()

# bough_test(name ROOMS rooms... SOURCES files... [LABELS ...]): a GoogleTest program tests/<name>.
function(bough_test name)
  cmake_parse_arguments(TEST "" "" "ROOMS;SOURCES;LABELS;LIBS" ${ARGN})
  add_executable(test_${name} ${TEST_SOURCES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/cpp)
  foreach(room ${TEST_ROOMS})
    target_link_libraries(test_${name} PRIVATE bough_room_${room})
  endforeach()
  # g++ 12 takes the empty maps of a temporary Params for uninitialised where a test's body is one large function.
  target_compile_options(test_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_libraries(test_${name} PRIVATE ${TEST_LIBS} GTest::gtest_main)
  bough_cool(test_${name} ${name})
  bough_hurry(test_${name} ${name})
  add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(TEST_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}")
  endif()
endfunction()
