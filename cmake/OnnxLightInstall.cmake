# Install rules: libraries, headers, the CMake package onnx_light and onnx_light.pc. Component "development"; the wheel takes "python" only.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/onnx_light")
install(
  TARGETS lib_onnx_proto lib_onnx_lib
  EXPORT onnx_light_targets
  COMPONENT development
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT development)
foreach(room onnx_proto onnx_lib)
  install(
    DIRECTORY "${PROJECT_SOURCE_DIR}/onnx_light/${room}"
    DESTINATION "${ONNX_LIGHT_INCLUDE_DIR}"
    COMPONENT development
    FILES_MATCHING
    PATTERN "*.h"
    PATTERN "*.inc")
endforeach()
install(EXPORT onnx_light_targets NAMESPACE onnx_light:: DESTINATION "${package_dir}" COMPONENT development)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/onnx_lightConfig.cmake.in" "${PROJECT_BINARY_DIR}/onnx_lightConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may change names.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/onnx_lightConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/onnx_lightConfig.cmake" "${PROJECT_BINARY_DIR}/onnx_lightConfigVersion.cmake"
        DESTINATION "${package_dir}" COMPONENT development)

# The .pc file finds its own prefix, so an installed tree can be moved.
file(RELATIVE_PATH ONNX_LIGHT_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
if(NOT ONNX_LIGHT_NAMESPACE STREQUAL "onnx_light")
  set(ONNX_LIGHT_PC_DEFINITIONS " -DONNX_LIGHT_NAMESPACE=${ONNX_LIGHT_NAMESPACE}")
endif()
if(ONNX_LIGHT_HAS_OPENSSL)
  set(ONNX_LIGHT_PC_REQUIRES_PRIVATE libcrypto)
endif()
configure_file("${PROJECT_SOURCE_DIR}/onnx_light.pc.in" "${PROJECT_BINARY_DIR}/onnx_light.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/onnx_light.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
