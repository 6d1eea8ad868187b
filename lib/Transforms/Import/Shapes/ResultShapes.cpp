//===- ResultShapes.cpp - the shapes that operations make -----------------===//
//
// By a rule for each operation whose result is not shaped like its operands.
//
//===----------------------------------------------------------------------===//

#include "Shapes/ResultShapes.h"
#include "Shapes/ShapeRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

//===----------------------------------------------------------------------===//
// Reading operations
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> tessera::importer::shapeOf(Operation *op, unsigned operand) {
  return cast<RankedTensorType>(op->getOperand(operand).getType()).getShape();
}

SmallVector<int64_t> tessera::importer::integersOf(Operation *op,
                                                   StringRef name, size_t count,
                                                   int64_t otherwise) {
  if (auto array = op->getAttrOfType<DenseI64ArrayAttr>(name))
    return SmallVector<int64_t>(array.asArrayRef());
  if (auto elements = op->getAttrOfType<DenseIntElementsAttr>(name))
    return llvm::map_to_vector(elements.getValues<APInt>(), [](APInt value) {
      return value.getSExtValue();
    });
  return SmallVector<int64_t>(count, otherwise);
}

int64_t tessera::importer::integerOf(Operation *op, StringRef name) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getValue().getSExtValue() : -1;
}

bool tessera::importer::areDims(ArrayRef<int64_t> dims,
                                ArrayRef<int64_t> shape) {
  return llvm::all_of(dims, [&](int64_t dim) {
    return dim >= 0 && dim < int64_t(shape.size());
  });
}

SmallVector<int64_t> tessera::importer::without(ArrayRef<int64_t> shape,
                                                ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sizes;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(dim)))
      sizes.push_back(size);
  return sizes;
}

Shape tessera::importer::firstShape(Operation *op) {
  return SmallVector<int64_t>(shapeOf(op, 0));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Whether results of `name` have the shapes of operands, element by element or
/// one by one.
static bool isShapedAsOperands(StringRef name) {
  static const llvm::StringSet<> names = {"abs",
                                          "add",
                                          "and",
                                          "atan2",
                                          "cbrt",
                                          "ceil",
                                          "clamp",
                                          "compare",
                                          "complex",
                                          "convert",
                                          "cosine",
                                          "count_leading_zeros",
                                          "divide",
                                          "exponential",
                                          "exponential_minus_one",
                                          "floor",
                                          "imag",
                                          "is_finite",
                                          "log",
                                          "log_plus_one",
                                          "logistic",
                                          "maximum",
                                          "minimum",
                                          "multiply",
                                          "negate",
                                          "not",
                                          "optimization_barrier",
                                          "or",
                                          "popcnt",
                                          "power",
                                          "real",
                                          "reduce_precision",
                                          "remainder",
                                          "reverse",
                                          "round_nearest_afz",
                                          "round_nearest_even",
                                          "rsqrt",
                                          "scatter",
                                          "select",
                                          "shift_left",
                                          "shift_right_arithmetic",
                                          "shift_right_logical",
                                          "sign",
                                          "sine",
                                          "sort",
                                          "sqrt",
                                          "subtract",
                                          "tan",
                                          "tanh",
                                          "xor",
                                          "acos",
                                          "acosh",
                                          "asin",
                                          "asinh",
                                          "atan",
                                          "atanh",
                                          "bessel_i1e",
                                          "conj",
                                          "constant_like",
                                          "cosh",
                                          "digamma",
                                          "erf",
                                          "erf_inv",
                                          "erfc",
                                          "is_inf",
                                          "is_neg_inf",
                                          "is_pos_inf",
                                          "lgamma",
                                          "mulhi",
                                          "next_after",
                                          "polygamma",
                                          "sinh",
                                          "square",
                                          "zeta",
                                          "sharding_constraint",
                                          "propagation_barrier"};
  auto [dialect, own] = name.split('.');
  return llvm::is_contained({"stablehlo", "chlo", "sdy"}, dialect) &&
         names.contains(own);
}

/// That of the operands of the result's rank, which is one for all. Several
/// results are shaped as the operands of the same number (`sort`, `scatter`,
/// `optimization_barrier`).
static Shape shapeOfOperands(Operation *op, unsigned number) {
  if (op->getNumResults() > 1)
    return op->getNumOperands() < op->getNumResults()
               ? Shape()
               : SmallVector<int64_t>(shapeOf(op, number));
  if (op->getName().getStringRef() == "stablehlo.scatter")
    return firstShape(op);
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  Shape shape;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    ArrayRef<int64_t> operand = shapeOf(op, i);
    if (int64_t(operand.size()) != rank)
      continue;
    if (shape && ArrayRef<int64_t>(*shape) != operand)
      return std::nullopt;
    shape = SmallVector<int64_t>(operand);
  }
  return shape;
}

Shape tessera::importer::resultShape(Operation *op, unsigned number) {
  if (!llvm::all_of(op->getOperandTypes(), [](Type type) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        return tensor && tensor.hasStaticShape();
      }))
    return std::nullopt;
  StringRef name = op->getName().getStringRef();
  ShapeRule rule = findMovedShape(name);
  if (!rule)
    rule = findComputedShape(name);
  if (rule)
    return op->getNumOperands() ? rule(op) : std::nullopt;
  return isShapedAsOperands(name) ? shapeOfOperands(op, number) : std::nullopt;
}
