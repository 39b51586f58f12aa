# SPDX-License-Identifier: MIT
# A Debian package by CPack of everything that `make install` puts somewhere: tool, libraries, headers, scenes. What it
# depends on is asked of dpkg-shlibdeps, so that the list follows what was linked.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rill)
set(CPACK_PACKAGE_VENDOR Rill)
set(CPACK_PACKAGE_CONTACT "The Rill developers <rill@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "Simulates fluids as particles together with rigid bodies, in 2D and in 3D: \
a tool that takes scene files to pictures, movies, meshes and data, and a C library.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, glmark2-data")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
