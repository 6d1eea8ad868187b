# Functions that every folder of the compiler uses to declare its library, tool or unit test.

# The compile options of all C++ of this project. Assertions stay on: the compiler is small and a wrong program is
# dearer than a slow one. LLVM's headers agree with any NDEBUG because Debian builds them without ABI-breaking checks, all but
# llvm::Statistic, which has members here and none in Debian's libraries: no pass has statistics, the debug output counts.
add_library(TesseraOptions INTERFACE)
target_compile_options(TesseraOptions INTERFACE -UNDEBUG -Wall -Wextra -Wno-unused-parameter -Werror=return-type
                       -fvisibility-inlines-hidden)
# Without its time in it a precompiled header is the same wherever the sources are, so that ccache finds what was compiled with it.
target_compile_options(TesseraOptions INTERFACE
                       "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")

# How what includes MLIR is compiled. The demo waits longer for its compiler than its compiler for a model.
set(TESSERA_MLIR_OPTIONS -fno-rtti -fno-exceptions)
if(TESSERA_UNITY)
  list(APPEND TESSERA_MLIR_OPTIONS -O1)
endif()

if(TESSERA_MLIR)
# What nearly every file reads, MLIR's headers and those of our own dialects, takes seven seconds to parse: it is compiled once.
set(TESSERA_COMMON_HEADERS
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h> <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/IRMapping.h> <mlir/IR/Matchers.h>
  <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h> <llvm/ADT/SmallVector.h> <llvm/ADT/TypeSwitch.h> <map> <string> <vector>
  <tessera/Dialect/Pipe/Pipe.h> <tessera/Dialect/Spmd/Spmd.h> <tessera/Dialect/Tessera/Tessera.h>)
# What code generation reads beside those. Of the dialect LLVM alone the headers take eight seconds, of NVVM more, so that a folder whose files
# include it sets TESSERA_PRECOMPILED_HEADERS to this; the others are compiled faster without it.
set(TESSERA_CODEGEN_HEADERS
  <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/IR/ImplicitLocOpBuilder.h> <tessera/Dialect/Rt/Rt.h>)
if(TESSERA_GPU)
  list(APPEND TESSERA_CODEGEN_HEADERS <mlir/Dialect/LLVMIR/NVVMDialect.h>)
endif()

# tessera_precompile(NAME HEADERS...): a target whose headers others reuse.
function(tessera_precompile name)
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE TesseraOptions)
  target_compile_options(${name} PRIVATE ${TESSERA_MLIR_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${ARGN})
  add_dependencies(${name} PipeDialectIncGen RtDialectIncGen SpmdDialectIncGen TesseraDialectIncGen TesseraInterfacesIncGen TesseraManualRegionIncGen)
endfunction()
tessera_precompile(TesseraPrecompiledHeaders ${TESSERA_COMMON_HEADERS})
tessera_precompile(TesseraCodegenHeaders ${TESSERA_COMMON_HEADERS} ${TESSERA_CODEGEN_HEADERS})
endif()

# What has no need of MLIR are small files, of which more than half the time goes into these.
set(TESSERA_PLAIN_HEADERS <algorithm> <bit> <cmath> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory> <optional> <random> <set> <span>
  <sstream> <string> <string_view> <thread> <vector> <gtest/gtest.h>)
foreach(name IN ITEMS TesseraPlainHeaders TesseraLlvmHeaders)
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE TesseraOptions)
  target_compile_definitions(${name} PRIVATE GTEST_HAS_PTHREAD=1)
  target_precompile_headers(${name} PRIVATE ${TESSERA_PLAIN_HEADERS})
endforeach()
target_compile_options(TesseraLlvmHeaders PRIVATE -fno-rtti -fno-exceptions)
target_precompile_headers(TesseraLlvmHeaders PRIVATE <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h>)

# tessera_use_mlir(TARGET PUBLIC|PRIVATE): links MLIR and LLVM and shares the precompiled headers, which are position independent code of a
# library (an executable is told so, for the two must agree).
set(TESSERA_PRECOMPILED_HEADERS TesseraPrecompiledHeaders)
function(tessera_use_mlir target visibility)
  # Of files that are compiled together each has the name of its own debug output.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF UNITY_BUILD_CODE_BEFORE_INCLUDE "#undef DEBUG_TYPE")
  target_compile_options(${target} PRIVATE -fPIC ${TESSERA_MLIR_OPTIONS})
  target_precompile_headers(${target} REUSE_FROM ${TESSERA_PRECOMPILED_HEADERS})
  target_link_libraries(${target} ${visibility} MLIR LLVM)
endfunction()

# tessera_use_no_mlir(TARGET ONLY_LLVM): compiles as LLVM is where ONLY_LLVM is true, and shares the plain headers.
function(tessera_use_no_mlir target only_llvm)
  set(headers TesseraPlainHeaders)
  if(only_llvm)
    set(headers TesseraLlvmHeaders)
    target_compile_options(${target} PRIVATE -fno-rtti -fno-exceptions)
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  target_compile_definitions(${target} PRIVATE GTEST_HAS_PTHREAD=1)
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# tessera_library(NAME FILES... LINK LIBS... DEPENDS TARGETS...): a static library of the compiler. With ONLY_LLVM it
# does without MLIR, with NO_MLIR without LLVM, too. With UNITY its files are compiled twelve at a time where TESSERA_UNITY is on: what a file
# defines for itself has then a name that no other file of the library gives to something else.
function(tessera_library name)
  cmake_parse_arguments(ARG "NO_MLIR;ONLY_LLVM;UNITY" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE TesseraOptions PUBLIC ${ARG_LINK})
  if(ARG_UNITY AND TESSERA_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  endif()
  if(ARG_NO_MLIR OR ARG_ONLY_LLVM)
    tessera_use_no_mlir(${name} "${ARG_ONLY_LLVM}")
  else()
    tessera_use_mlir(${name} PUBLIC)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# tessera_subfolders(TARGET FOLDERS...): the library's folders, each with one decision and a list of its own that says which. A header of a
# folder is named with it from the library's root (`#include "Choice/CostTables.h"`).
function(tessera_subfolders target)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(folder IN LISTS ARGN)
    add_subdirectory(${folder})
  endforeach()
endfunction()

# tessera_tool(NAME FILES... LINK LIBS...): an executable in build/bin; one of tools/ is installed.
function(tessera_tool name)
  cmake_parse_arguments(ARG "NO_MLIR;ONLY_LLVM" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE TesseraOptions ${ARG_LINK})
  if(ARG_NO_MLIR OR ARG_ONLY_LLVM)
    tessera_use_no_mlir(${name} "${ARG_ONLY_LLVM}")
  else()
    tessera_use_mlir(${name} PRIVATE)
  endif()
  set(tools ${PROJECT_SOURCE_DIR}/tools)
  cmake_path(IS_PREFIX tools ${CMAKE_CURRENT_SOURCE_DIR} is_installed)
  if(is_installed)
    set_property(GLOBAL APPEND PROPERTY TESSERA_TOOLS ${name})
  endif()
endfunction()

# tessera_backend(NAME FILES... LINK LIBS...): the shared object that the runtime opens for --backend=NAME.
function(tessera_backend name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  set(target tessera_backend_${name})
  add_library(${target} MODULE ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE ${ARG_LINK})
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--no-undefined)
  set_property(GLOBAL APPEND PROPERTY TESSERA_BACKENDS ${target})
endfunction()

# tessera_unit_test(NAME FILES... LINK LIBS...): a GoogleTest executable in build/unit, run by ctest.
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)
function(tessera_unit_test name)
  cmake_parse_arguments(ARG "NO_MLIR;ONLY_LLVM" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE TesseraOptions ${ARG_LINK} GTest::gtest_main)
  if(ARG_NO_MLIR OR ARG_ONLY_LLVM)
    tessera_use_no_mlir(${name} "${ARG_ONLY_LLVM}")
  else()
    tessera_use_mlir(${name} PRIVATE)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unit)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endfunction()
