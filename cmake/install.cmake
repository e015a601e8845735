# `cmake --install` puts a package where `find_package(brio)` finds it; link to brio::brio, or after
# `find_package(brio COMPONENTS engine)`, which looks for nothing that only files need, to brio::engine.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(BRIO_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/brio)

install(TARGETS brio_engine EXPORT brio-engine-targets FILE_SET HEADERS)
install(EXPORT brio-engine-targets NAMESPACE brio:: DESTINATION ${BRIO_PACKAGE_DIR})
if(NOT BRIO_ENGINE_ONLY)
  install(TARGETS brio EXPORT brio-targets FILE_SET HEADERS)
  install(EXPORT brio-targets NAMESPACE brio:: DESTINATION ${BRIO_PACKAGE_DIR})
endif()
configure_package_config_file(cmake/brio-config.cmake.in brio-config.cmake INSTALL_DESTINATION ${BRIO_PACKAGE_DIR})
write_basic_package_version_file(brio-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/brio-config.cmake ${PROJECT_BINARY_DIR}/brio-config-version.cmake
  DESTINATION ${BRIO_PACKAGE_DIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
