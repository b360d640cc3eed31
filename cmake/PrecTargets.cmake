# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The one way in which this project declares libraries, tools and unit tests:
# warnings, include folders, sanitizers and the export set are said here only.

set(PREC_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, e.g. address,undefined")

add_library(PrecOptions INTERFACE)
target_include_directories(PrecOptions INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>
  $<INSTALL_INTERFACE:include>)
# -ffp-contract=off: the numerics and the reference evaluator say what every
# bit is; the host compiler must not fuse their multiplies and adds.
target_compile_options(PrecOptions INTERFACE
  $<BUILD_INTERFACE:-Wall;-Wextra;-Wno-unused-parameter;-ffp-contract=off>)
if(PREC_WERROR)
  target_compile_options(PrecOptions INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(PREC_SANITIZE)
  target_compile_options(PrecOptions INTERFACE
    $<BUILD_INTERFACE:-fsanitize=${PREC_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>)
  target_link_options(PrecOptions INTERFACE
    $<BUILD_INTERFACE:-fsanitize=${PREC_SANITIZE}>)
endif()

function(_prec_common target)
  target_link_libraries(${target} PUBLIC PrecOptions)
endfunction()

# What is linked of MLIR and LLVM: the shared libraries, which all tools have in
# common, or their archives, for a program that has to start fast. Loading the
# shared ones takes 0.02 s (47,000 symbols, 300,000 addresses).
option(PREC_STATIC_LLVM "Link precc with MLIR's and LLVM's archives" ON)
add_library(PrecSharedLLVM INTERFACE)
target_link_libraries(PrecSharedLLVM INTERFACE MLIR LLVM)
add_library(PrecStaticLLVM INTERFACE)
# MLIR's as files, in any order: their targets name the shared LLVM.
get_property(_libraries GLOBAL PROPERTY MLIR_ALL_LIBS)
set(_archives "")
foreach(_library IN LISTS _libraries)
  get_target_property(_type ${_library} TYPE)
  if(_type STREQUAL STATIC_LIBRARY)
    list(APPEND _archives $<TARGET_FILE:${_library}>)
  endif()
endforeach()
list(JOIN _archives "," _archives)
llvm_map_components_to_libnames(_libraries native NVPTX OrcJIT Passes)
target_link_libraries(PrecStaticLLVM INTERFACE
  "$<LINK_GROUP:RESCAN,${_archives}>" ${_libraries})

# MLIR's and LLVM's headers are system headers: their warnings are not ours.
function(_prec_mlir target)
  target_include_directories(${target} SYSTEM PUBLIC
    ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS_LIST})
  # The program that is linked says which; outside this project, the shared ones.
  target_link_libraries(${target} PUBLIC
    "$<BUILD_INTERFACE:$<IF:$<BOOL:$<TARGET_PROPERTY:PREC_STATIC_LLVM>>,PrecStaticLLVM,PrecSharedLLVM>>"
    $<INSTALL_INTERFACE:MLIR> $<INSTALL_INTERFACE:LLVM>)
endfunction()

# prec_add_library(PrecX a.cpp b.cpp [NO_MLIR] [DEPENDS tablegen-target...] [LINK_LIBS PrecY...])
# A static library of this project. NO_MLIR: it includes nothing of MLIR or LLVM.
function(prec_add_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  _prec_common(${name})
  if(NOT ARG_NO_MLIR)
    _prec_mlir(${name})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY PREC_LIBRARIES ${name})
endfunction()

# prec_add_tool(prec-x main.cpp [STATIC_LLVM] [LINK_LIBS ...]): an installed program.
# STATIC_LLVM: it has to start fast, and takes LLVM and the C++ library along.
# (Sanitizers: what is instrumented and what is not stay apart in shared ones.)
function(prec_add_tool name)
  cmake_parse_arguments(ARG "STATIC_LLVM" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_STATIC_LLVM AND PREC_STATIC_LLVM AND NOT PREC_SANITIZE)
    set_target_properties(${name} PROPERTIES PREC_STATIC_LLVM ON)
    target_link_options(${name} PRIVATE
      LINKER:--gc-sections,--as-needed -static-libstdc++ -static-libgcc)
  endif()
  _prec_common(${name})
  _prec_mlir(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY PREC_TOOLS ${name})
endfunction()

# prec_add_unittest(PrecXTests a.cpp ... [LINK_LIBS ...]): a gtest program, run by ctest.
function(prec_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _prec_common(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 240)
endfunction()

# prec_add_benchmark(prec-x main.cpp ... [LINK_LIBS ...]): a program that measures
# or sweeps; built, not installed, not run by ctest.
function(prec_add_benchmark name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _prec_common(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
endfunction()
