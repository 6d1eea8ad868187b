//===- KeptState.h - what of a step is kept for the next one --------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_KEPTSTATE_H
#define TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_KEPTSTATE_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::communicate {

/// What of a step is kept for the next one.
class KeptState {
public:
  explicit KeptState(mlir::func::FuncOp main);

  /// Whether `value` is made of state and constants without any product; of a
  /// program without state, of its arguments.
  bool isParameter(mlir::Value value) const;
  /// The name of the state that is made of `value` in the fewest operations,
  /// without any product on any way; nothing where there is a product, or none.
  std::optional<std::string> findUpdatedBy(mlir::Value value) const;
  /// Whether what replaces state has `value` in it, number by number, so that
  /// it would keep for ever what quantization loses of it.
  bool isIn(mlir::Value value) const;
  /// The name of the argument that is number `number`.
  std::string nameOf(unsigned number) const;
  /// The argument that is replaced by nothing but what `gather` puts together;
  /// null where there is none.
  mlir::BlockArgument findOld(spmd::AllGatherOp gather) const;

private:
  mlir::func::FuncOp main;
  /// The arguments, by the results that replace them.
  llvm::DenseMap<unsigned, unsigned> donors;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_QUANTIZATION_KEPTSTATE_H
