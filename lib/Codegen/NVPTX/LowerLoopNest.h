//===- LowerLoopNest.h - The ways to lower a loop nest for a GPU ----------===//
#ifndef TESSERA_CODEGEN_NVPTX_LOWERLOOPNEST_H
#define TESSERA_CODEGEN_NVPTX_LOWERLOOPNEST_H

#include "Core/GridFunction.h"

namespace tessera::nvptx {

/// Appends the steps that compute `nest`, by the first rule (the table in
/// LowerLoopNest.cpp) that applies.
llvm::LogicalResult lowerNest(const GpuNest &nest);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_LOWERLOOPNEST_H
