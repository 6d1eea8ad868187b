//===- ParameterUses.h - what a model does with a parameter -----*- C++ -*-===//
//
// Whether a weight is (in, out) or (out, in), one matrix or three side by side,
// its own shape does not tell; the operation that consumes it does. The program
// is walked once, in the order of its text, with the dimensions of arguments
// followed through what only moves or converts them: transposes, reshapes,
// slices, loops. The first product (or look-up) that takes one says what its
// dimensions are. It is the one of the forward pass: a backward pass stands
// behind it, and takes the same weight the other way round.
//
// What an operation does with a dimension is read from its sharding rule, never
// from its name: a factor that two operands share and that is reduced is
// contracted, one that an operand has alone and hands on is free, one that all
// have is a batch.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PARAMETERUSES_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PARAMETERUSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::importer {

/// What the consuming operation does with a dimension of an argument.
enum class DimUse {
  None, ///< It takes the dimension as it is: a layer of a stack, a window.
  Free, ///< Only this operand of a product has it.
  Contracted, ///< The product sums over it.
  Batch,      ///< All of operands and result have it: experts.
  LookedUp,   ///< Data say which of its elements are taken: a vocabulary.
};

/// What consumes an argument first.
struct ParameterUse {
  /// A product or look-up, or what adds a bias to the result of one; null if
  /// there is none.
  mlir::Operation *consumer = nullptr;
  /// Whether the consumer only takes it beside the result of a product: a bias,
  /// a scale. Dimensions that are the product's free ones are free.
  bool isBeside = false;
  /// How many elements the argument has.
  int64_t elements = 1;
  /// Per dimension of the argument.
  llvm::SmallVector<DimUse> dims;
};

/// Per argument of `function` its first use.
llvm::SmallVector<ParameterUse> findParameterUses(mlir::func::FuncOp function);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PARAMETERUSES_H
