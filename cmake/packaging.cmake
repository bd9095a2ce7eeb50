# SPDX-License-Identifier: Apache-2.0
# Installation: headers, the library, the CMake package `bough` (bough::core, bough::embed), bough.pc.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bough)
set_target_properties(bough PROPERTIES EXPORT_NAME core VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
install(TARGETS bough EXPORT boughTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# bough_embed is installed where it was built, which `make build` does not do.
if(TARGET bough_embed)
  set_target_properties(bough_embed PROPERTIES EXPORT_NAME embed)
  install(TARGETS bough_embed EXPORT boughEmbedTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
  install(EXPORT boughEmbedTargets NAMESPACE bough:: DESTINATION ${package_dir})
endif()
set(embed_library ${CMAKE_INSTALL_LIBDIR}/${CMAKE_STATIC_LIBRARY_PREFIX}bough_embed${CMAKE_STATIC_LIBRARY_SUFFIX})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/bough DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT boughTargets NAMESPACE bough:: DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# A shared library carries its dependencies; a static one asks whoever links it to find them.
get_target_property(bough_type bough TYPE)
if(bough_type STREQUAL "STATIC_LIBRARY")
  set(BOUGH_STATIC ON)
  set(pc_requires "Requires: tbb fmt zlib libzstd libhwy-contrib libhwy")
else()
  set(BOUGH_STATIC OFF)
  set(pc_requires "Requires.private: tbb fmt zlib libzstd libhwy-contrib libhwy")
  if(TARGET bough_cli)
    set_target_properties(bough_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
endif()
if(TARGET bough_cli)
  install(TARGETS bough_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/boughConfig.cmake.in ${PROJECT_BINARY_DIR}/boughConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS embed_library)
# Before 1.0 a minor version may break; afterwards only a major one.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/boughConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# The prefix in bough.pc is found from the place of the file, so that an installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/bough.pc.in ${PROJECT_BINARY_DIR}/bough.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/boughConfig.cmake ${PROJECT_BINARY_DIR}/boughConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindHighway.cmake ${PROJECT_SOURCE_DIR}/cmake/FindZstd.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/bough.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What the program says about itself, as a man page and completions.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(TARGET bough_cli AND Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
  install(CODE "
    set(program \"$<TARGET_FILE:bough_cli>\")
    set(told \"${PROJECT_BINARY_DIR}/told\")
    file(MAKE_DIRECTORY \${told})
    execute_process(COMMAND \"${Python3_EXECUTABLE}\" \"${PROJECT_SOURCE_DIR}/tools/man_page.py\" \${program}
                    OUTPUT_FILE \${told}/bough.1 COMMAND_ERROR_IS_FATAL ANY)
    foreach(pair bash=bough zsh=_bough fish=bough.fish)
      string(REPLACE = \\; pair \${pair})
      list(GET pair 0 shell)
      list(GET pair 1 name)
      execute_process(COMMAND \${program} completion \${shell} OUTPUT_FILE \${told}/\${name} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
  set(told ${PROJECT_BINARY_DIR}/told)
  install(FILES ${told}/bough.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${told}/bough DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${told}/_bough DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${told}/bough.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# `cpack` in a build of the preset deb: one Debian package; what it depends on comes from the files themselves.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME bough)
  set(CPACK_PACKAGE_CONTACT "bough's authors <nobody@localhost>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact decision trees: command line, C++ and C library")
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # tools/deb.sh writes them.
  install(FILES ${PROJECT_BINARY_DIR}/THIRD_PARTY_LICENSES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
  if(BOUGH_STATIC)
    set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, libtbb-dev, libfmt-dev, libhwy-dev, libzstd-dev, zlib1g-dev")
  endif()
  include(CPack)
endif()
