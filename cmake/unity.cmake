# SPDX-License-Identifier: Apache-2.0
# BOUGH_UNITY: compile files of a target together where tools/unity.py finds that they do not disturb each other. From
# nothing that takes half the time; for daily work, with ccache, one file at a time is better.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(bough_list_targets folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder ${subfolders})
    bough_list_targets(${subfolder} inner)
    list(APPEND targets ${inner})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

bough_list_targets(${PROJECT_SOURCE_DIR} targets)
set(lists "")
foreach(target ${targets})
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "EXECUTABLE|LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
    continue()
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<")
  string(APPEND lists "${target};${folder};${sources}\n")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endforeach()
file(WRITE ${PROJECT_BINARY_DIR}/unity.txt "${lists}")
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/unity.py ${PROJECT_SOURCE_DIR}
                        ${PROJECT_BINARY_DIR}/unity-alone.txt
                INPUT_FILE ${PROJECT_BINARY_DIR}/unity.txt OUTPUT_FILE ${PROJECT_BINARY_DIR}/unity.cmake
                COMMAND_ERROR_IS_FATAL ANY)
include(${PROJECT_BINARY_DIR}/unity.cmake)
