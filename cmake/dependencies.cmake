# SPDX-License-Identifier: Apache-2.0
# The libraries that bough is built from, with their lowest versions as in tools/dependencies.json, which has their licences, too.
# All that are missing are told at once, with the packages to install.
set(bough_missing "")
set(bough_missing_debian "")

# bough_need(package version target Debian's package): targets that the surrounding project has are taken as they are.
macro(bough_need package version target debian)
  if(NOT TARGET ${target})
    find_package(${package} ${version} QUIET)
  endif()
  if(NOT TARGET ${target})
    bough_miss("${package} ${version}" ${debian})
  endif()
endmacro()
# The same for a library that is only a header.
macro(bough_need_header variable header debian)
  find_path(${variable} ${header})
  mark_as_advanced(${variable})
  if(NOT ${variable})
    bough_miss(${header} ${debian})
  endif()
endmacro()
macro(bough_miss name debian)
  list(APPEND bough_missing "${name}")
  list(APPEND bough_missing_debian "${debian}")
endmacro()

find_package(Threads REQUIRED)
bough_need(TBB 2021.5 TBB::tbb libtbb-dev)
bough_need(fmt 9 fmt::fmt libfmt-dev)
bough_need(nlohmann_json 3.11 nlohmann_json::nlohmann_json nlohmann-json3-dev)
bough_need(ZLIB 1.2.13 ZLIB::ZLIB zlib1g-dev)
bough_need(Zstd "" Zstd::zstd libzstd-dev)
bough_need(Highway "" Highway::contrib libhwy-dev)
bough_need_header(BOUGH_XXHASH_INCLUDE xxhash.h libxxhash-dev)
bough_need_header(BOUGH_RANDOM123_INCLUDE Random123/philox.h librandom123-dev)
if(BOUGH_CLI)
  bough_need(CLI11 2.1 CLI11::CLI11 libcli11-dev)
endif()
if(bough_missing)
  list(TRANSFORM bough_missing STRIP)
  list(JOIN bough_missing ", " bough_missing)
  list(JOIN bough_missing_debian " " bough_missing_debian)
  # CMake does not break lines that begin with a space, so this one can be copied.
  message(FATAL_ERROR "bough: these libraries are missing, or older than needed: ${bough_missing}.\nOn Debian and Ubuntu:\n"
    "  apt-get install ${bough_missing_debian}\n"
    "Elsewhere install their counterparts with headers, or name their folders in CMAKE_PREFIX_PATH. "
    "The wheel for Linux needs none of them.")
endif()
