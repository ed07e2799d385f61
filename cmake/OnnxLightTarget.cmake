# What all targets compiled in this project have in common. All of it is PRIVATE: a consumer sees include folders, C++20, and nothing else.
include_guard()

# g++ copies and clears small objects with `rep movs` and `rep stos`, whose start-up costs more than the work: measured, 14 % of a parse.
include(CheckCXXCompilerFlag)
set(onnx_light_copy_flags "")
check_cxx_compiler_flag("-mmemcpy-strategy=unrolled_loop:256:noalign,libcall:-1:noalign" ONNX_LIGHT_KNOWS_COPY_STRATEGY)
if(ONNX_LIGHT_KNOWS_COPY_STRATEGY AND NOT CMAKE_CXX_CLANG_TIDY) # clang-tidy reads g++'s command line, and does not know these
  set(onnx_light_copy_flags -mmemcpy-strategy=unrolled_loop:256:noalign,libcall:-1:noalign
                            -mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign)
endif()

# onnx_light_target(<target>): language level, visibility, warnings, optimisation and sanitizers of one target of ours.
function(onnx_light_target target)
  set_target_properties(
    ${target}
    PROPERTIES CXX_EXTENSIONS OFF
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PRIVATE cxx_std_20)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /utf-8 $<$<BOOL:${ONNX_LIGHT_WERROR}>:/WX>)
    return()
  endif()
  # -O2 after CMake's own -O3: smaller, and as fast here. Inside a shared library our own calls need not be replaceable.
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>
            -Wold-style-cast
            -Wno-missing-field-initializers
            $<$<BOOL:${ONNX_LIGHT_WERROR}>:-Werror>
            $<$<CONFIG:Release>:-O2>
            -fno-semantic-interposition
            ${onnx_light_copy_flags})
  if(ONNX_LIGHT_SANITIZE)
    set(sanitize -fsanitize=${ONNX_LIGHT_SANITIZE})
    target_compile_options(${target} PRIVATE ${sanitize} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE ${sanitize})
  endif()
endfunction()

# onnx_light_library(<target> <output name>): a library of ours, with its alias, from the *.cc below the current folder that are no tests.
#
# Consumers may include by room ("onnx_proto/onnx.h") or by door ("onnx_helper.h"); rooms lie below onnx_light/ in the tree and installed.
function(onnx_light_library target output_name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  if(ONNX_LIGHT_BUILD_SHARED)
    add_library(${target} SHARED ${sources})
    target_compile_definitions(${target} PRIVATE ONNX_LIGHT_BUILDS_SHARED)
    if(WIN32)
      target_compile_definitions(${target} INTERFACE ONNX_LIGHT_USES_SHARED)
    endif()
  else()
    add_library(${target} STATIC ${sources})
    target_compile_definitions(${target} PRIVATE ONNX_LIGHT_BUILDS_STATIC)
  endif()
  add_library(onnx_light::${target} ALIAS ${target})
  onnx_light_target(${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(
    ${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/onnx_light> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/onnx_light/onnx_proto>
                     $<INSTALL_INTERFACE:${ONNX_LIGHT_INCLUDE_DIR}> $<INSTALL_INTERFACE:${ONNX_LIGHT_INCLUDE_DIR}/onnx_proto>)
  # Code and user must agree on the namespace; a definition travels with the library only when it is not the default.
  if(NOT ONNX_LIGHT_NAMESPACE STREQUAL "onnx_light")
    target_compile_definitions(${target} PUBLIC ONNX_LIGHT_NAMESPACE=${ONNX_LIGHT_NAMESPACE})
  endif()
  set_target_properties(
    ${target}
    PROPERTIES OUTPUT_NAME ${output_name} # libonnx_proto is the name of a library of the onnx project
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# onnx_light_tests(<program> <library>): one GoogleTest program from all *_test.cc below the current folder.
function(onnx_light_tests program library)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc")
  if(NOT ONNX_LIGHT_BUILD_TESTS OR NOT sources)
    return()
  endif()
  add_executable(${program} ${sources})
  onnx_light_target(${program})
  target_link_libraries(${program} PRIVATE ${library} GTest::gtest_main)
  gtest_discover_tests(${program} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${program}.")
endfunction()
