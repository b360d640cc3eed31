# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cmake --install`: tools, libraries, headers (those made by tablegen too) and
# a package of our own, for find_package(Prec).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(_libraries GLOBAL PROPERTY PREC_LIBRARIES)
get_property(_tools GLOBAL PROPERTY PREC_TOOLS)
install(TARGETS PrecOptions ${_libraries} EXPORT PrecTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${_tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

foreach(_root ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  install(DIRECTORY ${_root}/dialects ${_root}/include/prec
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
    PATTERN "CMakeFiles" EXCLUDE)
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/profiles DESTINATION ${CMAKE_INSTALL_DATADIR}/prec
  FILES_MATCHING PATTERN "*.mlir" PATTERN "README.md")

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/prec)
install(EXPORT PrecTargets DESTINATION ${_package})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/PrecConfig.cmake.in ${PROJECT_BINARY_DIR}/PrecConfig.cmake
  INSTALL_DESTINATION ${_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/PrecConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/PrecConfig.cmake ${PROJECT_BINARY_DIR}/PrecConfigVersion.cmake
  DESTINATION ${_package})
