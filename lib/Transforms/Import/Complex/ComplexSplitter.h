//===- ComplexSplitter.h - pairs of real tensors for complex ones
//----------===//
//
// Rewrites a foreign module in place, in program order. Every complex value
// gets its two parts; how an operation makes them from those of its operands is
// a row of one table (`SplitOperations.cpp`), by one of these forms:
//
// - on each part by itself, with all attributes: everything that moves elements
//   or is linear;
// - side by side: control flow, calls and barriers carry two values where they
//   carried one;
// - a reduction or scatter becomes two where its body keeps the parts apart; a
//   `reduce` carries both where it does not;
// - a sort carries both;
// - a formula.
//
// An operation without a row keeps complex operands and results, so that the
// conversion refuses it as what the user wrote.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_COMPLEX_COMPLEXSPLITTER_H
#define TESSERA_TRANSFORMS_IMPORT_COMPLEX_COMPLEXSPLITTER_H

#include "Complex/ComplexFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::importer {

/// The real and the imaginary part of a complex value.
struct Parts {
  mlir::Value re, im;
};

/// Whether `type` is that of a tensor of complex numbers of a static shape,
/// with floats for parts.
bool isComplex(mlir::Type type);
/// The type of each part of a tensor of complex numbers.
mlir::RankedTensorType partType(mlir::Type type);

/// Rewrites one module.
class ComplexSplitter {
public:
  explicit ComplexSplitter(mlir::ModuleOp module)
      : builder(module.getContext()), module(module) {}

  /// Replaces all complex values that operations with rows make and take.
  void run();

  /// The parts of `value`, which has been visited; null of real values.
  Parts lookup(mlir::Value value) const {
    // A new real value may stand where one was that has been erased.
    return isComplex(value.getType()) ? parts.lookup(value) : Parts();
  }
  void map(mlir::Value value, Parts replacement) { parts[value] = replacement; }

  /// `values` with parts in the place of complex ones.
  llvm::SmallVector<mlir::Value> expand(mlir::ValueRange values) const;
  /// `types` with two of each complex one.
  static llvm::SmallVector<mlir::Type> expand(mlir::TypeRange types);

  /// A copy of `op` with other operands and results, and empty regions.
  mlir::Operation *copy(mlir::Operation *op, mlir::ValueRange operands,
                        mlir::TypeRange types);
  /// Says that `results` replace those of `op`: one each, two of complex ones.
  void replace(mlir::Operation *op, mlir::ValueRange results);

  mlir::OpBuilder builder;

private:
  // In the order of the walk.
  void splitFunction(mlir::func::FuncOp function);
  void splitBlock(mlir::Block &block);
  void splitOp(mlir::Operation *op);
  void splitTerminator(mlir::Operation *op);
  // How one operation is replaced; false if that is not possible.
  bool splitByRow(mlir::Operation *op);
  bool splitParts(mlir::Operation *op);
  bool splitSideBySide(mlir::Operation *op);
  bool splitReduction(mlir::Operation *op, bool mayCarryBoth);
  bool splitSort(mlir::Operation *op);
  bool splitPacked(mlir::Operation *op);
  void keep(mlir::Operation *op);
  void constrainParts(mlir::Operation *op);
  // Regions, and the boundary of functions.
  mlir::Operation *copyWithRegions(mlir::Operation *op, bool inPairs = false);
  void splitArguments(mlir::Block &block, bool inPairs);
  void splitBoundary(mlir::func::FuncOp main);
  Parts unpack(mlir::Value packed, mlir::Location place);
  mlir::Value pack(Parts value, mlir::Location place);

  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Value, Parts> parts;
  /// What is erased at the end of its block.
  llvm::SmallVector<mlir::Operation *> replaced;
};

/// How operations of some name are split.
struct SplitRow {
  enum class Form {
    Parts,
    SideBySide,
    /// Both parts in one operation, or in two.
    Reduction,
    /// Only in two.
    SeparateReduction,
    Sort,
    /// Pairs in one tensor, for a routine that knows complex numbers.
    Packed,
    Formula
  };
  /// Maps the results of an operation; false if that is not possible.
  using Formula = bool (*)(mlir::Operation *op, ComplexSplitter &splitter);
  llvm::StringLiteral name;
  Form form;
  Formula formula = nullptr;
};

/// The row of operations of this name; null if there is none.
const SplitRow *findSplitRow(llvm::StringRef name);

/// Maps the result of a `bitcast_convert` between complex numbers of both
/// precisions, or of one; false for other types.
bool splitBitcast(mlir::Operation *op, ComplexSplitter &splitter);

/// The name of the shardings of an operation's results, or of an argument's.
inline constexpr llvm::StringLiteral kForeignSharding = "sdy.sharding";

/// The shardings of several values that `attribute` lists; fails if it does
/// not.
mlir::FailureOr<llvm::SmallVector<mlir::Attribute>>
shardingsOfValues(mlir::Attribute attribute);
/// The list of `shardings`.
mlir::Attribute listShardings(llvm::ArrayRef<mlir::Attribute> shardings);
/// `attribute`, a list of the shardings of values of `types`, with two of each
/// complex one; itself if it is no such list.
mlir::Attribute repeatShardings(mlir::Attribute attribute,
                                mlir::TypeRange types);
/// `attribute`, a sharding, with one more dimension, which is not split.
mlir::Attribute addPartsDimension(mlir::Attribute attribute);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_COMPLEX_COMPLEXSPLITTER_H
