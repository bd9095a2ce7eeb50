# SPDX-License-Identifier: Apache-2.0
# What is shipped to machines that have nothing: BOUGH_STATIC_LIBS names a folder of archives (tools/static_deps.sh), which are
# linked in the place of the shared libraries that were found. Sources are compiled as ever: same headers, same flags, same objects.
set(BOUGH_STATIC_LIBS "" CACHE PATH "Folder of static archives to link instead of shared libraries (tools/static_deps.sh)")
if(NOT BOUGH_STATIC_LIBS)
  return()
endif()
foreach(pair TBB::tbb=tbb fmt::fmt=fmt ZLIB::ZLIB=z Zstd::zstd=zstd Highway::hwy=hwy Highway::contrib=hwy_contrib)
  string(REGEX MATCH "(.*)=(.*)" pair ${pair})
  set(target ${CMAKE_MATCH_1})
  set(archive ${BOUGH_STATIC_LIBS}/lib${CMAKE_MATCH_2}.a)
  if(NOT EXISTS ${archive})
    message(FATAL_ERROR "BOUGH_STATIC_LIBS: there is no ${archive}; tools/static_deps.sh makes it")
  endif()
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  foreach(configuration ${configurations})
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${archive})
  endforeach()
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${archive})
endforeach()
# Archives are no reason for a search path in what is built.
set(CMAKE_SKIP_RPATH ON)
# What a linker can do for the size of the wheel. Functions whose machine code is the same need stand there only once, which is 3 % of
# it; gold does that without harm to pointers to functions (--icf=safe). Without gold the wheel is a little larger.
set(bough_small -s -Wl,--gc-sections)
include(CheckLinkerFlag)
check_linker_flag(CXX "-fuse-ld=gold;-Wl,--icf=safe" BOUGH_FOLDS_FUNCTIONS)
if(BOUGH_FOLDS_FUNCTIONS)
  list(APPEND bough_small -fuse-ld=gold -Wl,--icf=safe)
endif()
# And for its age: linked for systems with glibc 2.27 or newer, whatever this one has.
execute_process(COMMAND python3 ${PROJECT_SOURCE_DIR}/tools/old_runtime.py ${CMAKE_CXX_COMPILER} ${PROJECT_BINARY_DIR}/old_runtime
                COMMAND_ERROR_IS_FATAL ANY)
list(APPEND bough_small -L${PROJECT_BINARY_DIR}/old_runtime -Wl,--no-as-needed,--wrap=__libc_start_main)
