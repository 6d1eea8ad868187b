//===- MicroKernel.h - The register block of matrix products --------------===//
//
// Elsewhere: micro-kernel, as in BLIS.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_CODEGEN_CPU_MICROKERNEL_H
#define TESSERA_CODEGEN_CPU_MICROKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera::cpu {

/// How the left operand lies in memory.
enum class LeftLayout {
  /// Row by row: element (m, k) at `m * stride + k`. Unpacked matrices and
  /// matrices packed along k look like this.
  Rows,
  /// In panels of `tileRows` rows: element (m, k) at `k * tileRows + m`.
  Panel,
};

/// Returns the function of `module` that computes one register block,
///
///   (a, stride, b, c, columnStride, depth, accumulate) -> (),
///
/// `c[m, n] = (accumulate ? c[m, n] : 0) + sum over k < depth of a[m, k] b[k,
/// n]` for `tileRows` rows and `tileColumns` columns of f32. `b` is a packed
/// panel: element (k, n) at `k * tileColumns + n`; `c` has rows `columnStride`
/// apart. Every product of a module calls the same one or two functions.
mlir::func::FuncOp getMicroKernel(mlir::ModuleOp module, unsigned lanes,
                                  LeftLayout layout);

} // namespace tessera::cpu

#endif // TESSERA_CODEGEN_CPU_MICROKERNEL_H
