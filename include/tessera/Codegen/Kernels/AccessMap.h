//===- AccessMap.h - Operations that only move elements -------------------===//
#ifndef TESSERA_CODEGEN_KERNELS_ACCESSMAP_H
#define TESSERA_CODEGEN_KERNELS_ACCESSMAP_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include "tessera/Dialect/Spmd/KernelStructure.h"

namespace tessera::codegen {

/// For an operation whose every result element is an element of its first
/// operand at a place that is an affine function of the result's indices
/// (broadcast, transpose, reshape, slice, reverse): that function. It never
/// mentions dimensions of size 1.
std::optional<mlir::AffineMap> getAccessMap(mlir::Operation *op);

/// The identity on `shape`, with 0 for dimensions of size 1.
mlir::AffineMap getIdentityAccess(llvm::ArrayRef<int64_t> shape,
                                  mlir::MLIRContext *context);

/// The shape of a ranked tensor; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
int64_t elementsOf(llvm::ArrayRef<int64_t> shape);

} // namespace tessera::codegen

#endif // TESSERA_CODEGEN_KERNELS_ACCESSMAP_H
