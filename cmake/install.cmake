# SPDX-License-Identifier: MIT
# What `make install` puts where: library, headers, scenes, reference data, the schema of scenes, examples, a CMake package and a pkg-config file. The tool installs
# itself beside them. Everything finds its way from its own place, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rill)
set(libraries rill)
set(tool_headers)
if(RILL_BUILD_SHARED)
  list(APPEND libraries rill_shared)
else()
  # Headers of what the engine alone does not have.
  set(tool_headers PATTERN io.h EXCLUDE PATTERN run.h EXCLUDE PATTERN scene.h EXCLUDE)
endif()
install(TARGETS ${libraries} EXPORT rillTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT rillTargets NAMESPACE rill:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/rill DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h
  ${tool_headers})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/rill/scenes
  FILES_MATCHING PATTERN *.json)
if(RILL_BUILD_TOOL)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/web DESTINATION ${CMAKE_INSTALL_DATADIR}/rill)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/reference DESTINATION ${CMAKE_INSTALL_DATADIR}/rill)
install(FILES ${PROJECT_SOURCE_DIR}/docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/rill)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.c
  PATTERN *.json)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments/ DESTINATION ${CMAKE_INSTALL_DATADIR}/rill/experiments
  FILES_MATCHING PATTERN *.json PATTERN *.csv)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rillConfig.cmake.in
  ${PROJECT_BINARY_DIR}/rillConfig.cmake INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rillConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rillConfig.cmake ${PROJECT_BINARY_DIR}/rillConfigVersion.cmake
  DESTINATION ${package_dir})

set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /${pc_dir} /)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(pc_libraries " -lm")
if(with_threads)
  string(APPEND pc_libraries " -pthread")
endif()
# Who links a static library must name what it needs itself; a shared one brings it along. The static one is named as a
# file, for a linker that finds both takes the shared one.
if(BUILD_SHARED_LIBS)
  set(pc_libs "-L\${libdir} -lrill")
  set(pc_libs_private ${pc_libraries})
else()
  set(pc_libs "\${libdir}/${CMAKE_STATIC_LIBRARY_PREFIX}rill${CMAKE_STATIC_LIBRARY_SUFFIX}${pc_libraries}")
  set(pc_libs_private "")
endif()
set(pc_name rill)
set(pc_description ${PROJECT_DESCRIPTION})
configure_file(${PROJECT_SOURCE_DIR}/cmake/rill.pc.in ${PROJECT_BINARY_DIR}/rill.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rill.pc DESTINATION ${pc_dir})
if(RILL_BUILD_SHARED)
  set(pc_name rill-shared)
  set(pc_description "${PROJECT_DESCRIPTION}: engine, scenes, runs, files and pictures")
  set(pc_libs "-L\${libdir} -lrill")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/rill.pc.in ${PROJECT_BINARY_DIR}/rill-shared.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/rill-shared.pc DESTINATION ${pc_dir})
endif()
