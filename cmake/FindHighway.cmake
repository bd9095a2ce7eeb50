# SPDX-License-Identifier: Apache-2.0
# Google Highway: the targets Highway::hwy and Highway::contrib. Highway_LIBRARY and Highway_CONTRIB_LIBRARY may name others.
find_path(Highway_INCLUDE_DIR hwy/highway.h)
find_library(Highway_LIBRARY hwy)
find_library(Highway_CONTRIB_LIBRARY hwy_contrib)
mark_as_advanced(Highway_INCLUDE_DIR Highway_LIBRARY Highway_CONTRIB_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Highway REQUIRED_VARS Highway_LIBRARY Highway_CONTRIB_LIBRARY Highway_INCLUDE_DIR)

if(Highway_FOUND AND NOT TARGET Highway::hwy)
  add_library(Highway::hwy UNKNOWN IMPORTED)
  set_target_properties(Highway::hwy PROPERTIES IMPORTED_LOCATION "${Highway_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${Highway_INCLUDE_DIR}")
  add_library(Highway::contrib UNKNOWN IMPORTED)
  set_target_properties(Highway::contrib PROPERTIES IMPORTED_LOCATION "${Highway_CONTRIB_LIBRARY}"
                        INTERFACE_LINK_LIBRARIES Highway::hwy)
endif()
