//===- MovedShapes.cpp - shapes of what moves elements --------------------===//
//
// What slices, pads, gathers and the like make of the shapes of their operands.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"
#include "Shapes/ShapeRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

static Shape transposeShape(Operation *op) {
  SmallVector<int64_t> permutation = integersOf(op, "permutation");
  if (!areDims(permutation, shapeOf(op, 0)))
    return std::nullopt;
  return llvm::map_to_vector(permutation,
                             [&](int64_t dim) { return shapeOf(op, 0)[dim]; });
}

static Shape concatenateShape(Operation *op) {
  int64_t dim = integerOf(op, "dimension");
  SmallVector<int64_t> shape(shapeOf(op, 0));
  if (!areDims(dim, shape))
    return std::nullopt;
  for (unsigned i = 1; i < op->getNumOperands(); ++i) {
    if (!areDims(dim, shapeOf(op, i)))
      return std::nullopt;
    shape[dim] += shapeOf(op, i)[dim];
  }
  return shape;
}

/// Elements from `starts` to `limits`, one in so many.
static Shape slicedShape(ArrayRef<int64_t> starts, ArrayRef<int64_t> limits,
                         ArrayRef<int64_t> strides) {
  if (starts.size() != limits.size() || starts.size() != strides.size())
    return std::nullopt;
  SmallVector<int64_t> shape;
  for (auto [start, limit, stride] : llvm::zip_equal(starts, limits, strides)) {
    if (stride < 1 || limit < start)
      return std::nullopt;
    shape.push_back(
        llvm::divideCeil(uint64_t(limit - start), uint64_t(stride)));
  }
  return shape;
}

static Shape sliceShape(Operation *op) {
  return slicedShape(integersOf(op, "start_indices"),
                     integersOf(op, "limit_indices"),
                     integersOf(op, "strides"));
}

/// The integer at `index` of `row`, also where others of it are not known: what
/// JAX clamps to the bounds of a slice, at most `depth` operations deep.
static std::optional<int64_t> integerAt(Value row, int64_t index,
                                        unsigned depth = 6) {
  if (depth == 0)
    return std::nullopt;
  if (Shape all = constantIntegers(row))
    return (*all)[index];
  Operation *op = row.getDefiningOp();
  StringRef name = op ? op->getName().getStringRef() : StringRef();
  if (name == "stablehlo.concatenate") {
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      int64_t size = shapeOf(op, i).front();
      if (index < size)
        return integerAt(operand, index, depth - 1);
      index -= size;
    }
    return std::nullopt;
  }
  bool isSum = name == "stablehlo.add", isClamp = name == "stablehlo.clamp";
  if (!isSum && !isClamp && name != "stablehlo.subtract")
    return std::nullopt;
  SmallVector<int64_t> values;
  for (Value operand : op->getOperands()) {
    if (operand.getType() != row.getType())
      return std::nullopt;
    std::optional<int64_t> value = integerAt(operand, index, depth - 1);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  if (isClamp)
    return std::min(std::max(values[0], values[1]), values[2]);
  uint64_t left = values[0], right = values[1];
  return int64_t(isSum ? left + right : left - right);
}

/// Dimensions that the file knows may begin anywhere.
static Shape realDynamicSliceShape(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  for (unsigned i = 1; i < 4; ++i)
    if (shapeOf(op, i) != ArrayRef{type.getRank()})
      return std::nullopt;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(size))
      continue;
    std::optional<int64_t> start = integerAt(op->getOperand(1), dim),
                           limit = integerAt(op->getOperand(2), dim),
                           stride = integerAt(op->getOperand(3), dim);
    if (!start || !limit || !stride)
      return std::nullopt;
    Shape sliced = slicedShape(*start, *limit, *stride);
    if (!sliced)
      return std::nullopt;
    size = sliced->front();
  }
  return shape;
}

static Shape dynamicSliceShape(Operation *op) {
  return integersOf(op, "slice_sizes");
}

static Shape paddedShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> low,
                         ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  if (low.size() != shape.size() || high.size() != shape.size() ||
      interior.size() != shape.size())
    return std::nullopt;
  SmallVector<int64_t> sizes;
  for (auto [size, before, after, between] :
       llvm::zip_equal(shape, low, high, interior))
    sizes.push_back(std::max<int64_t>(
        0, before + after + size + std::max<int64_t>(size - 1, 0) * between));
  return sizes;
}

static Shape padShape(Operation *op) {
  return paddedShape(shapeOf(op, 0), integersOf(op, "edge_padding_low"),
                     integersOf(op, "edge_padding_high"),
                     integersOf(op, "interior_padding"));
}

static Shape dynamicPadShape(Operation *op) {
  Shape low = constantIntegers(op->getOperand(2)),
        high = constantIntegers(op->getOperand(3)),
        interior = constantIntegers(op->getOperand(4));
  if (!low || !high || !interior)
    return std::nullopt;
  return paddedShape(shapeOf(op, 0), *low, *high, *interior);
}

/// The shape is an operand: the last one.
static Shape givenShape(Operation *op) {
  return constantIntegers(op->getOperands().back());
}

static Shape gatheredShape(Operation *op, const Shape &sizes) {
  std::optional<GatherDims> dims =
      parsed(op, "dimension_numbers", parseGatherDims);
  if (!dims || !sizes)
    return std::nullopt;
  SmallVector<int64_t> dropped(dims->collapsed);
  llvm::append_range(dropped, dims->operandBatching);
  SmallVector<int64_t> window = without(*sizes, dropped);
  SmallVector<int64_t> batch = without(shapeOf(op, 1), dims->indexVectorDim);
  SmallVector<int64_t> shape;
  size_t rank = window.size() + batch.size();
  if (window.size() != dims->offset.size())
    return std::nullopt;
  const int64_t *inWindow = window.begin(), *inBatch = batch.begin();
  for (size_t dim = 0; dim < rank; ++dim) {
    bool isOffset = llvm::is_contained(dims->offset, int64_t(dim));
    if (isOffset ? inWindow == window.end() : inBatch == batch.end())
      return std::nullopt;
    shape.push_back(isOffset ? *inWindow++ : *inBatch++);
  }
  return shape;
}

static Shape gatherShape(Operation *op) {
  return gatheredShape(op, integersOf(op, "slice_sizes"));
}

static Shape dynamicGatherShape(Operation *op) {
  return gatheredShape(op, constantIntegers(op->getOperand(2)));
}

ShapeRule tessera::importer::findMovedShape(StringRef name) {
  static const llvm::StringMap<ShapeRule> table = {
      {"stablehlo.transpose", transposeShape},
      {"stablehlo.concatenate", concatenateShape},
      {"stablehlo.slice", sliceShape},
      {"stablehlo.real_dynamic_slice", realDynamicSliceShape},
      {"stablehlo.dynamic_slice", dynamicSliceShape},
      {"stablehlo.dynamic_update_slice", firstShape},
      {"stablehlo.pad", padShape},
      {"stablehlo.dynamic_pad", dynamicPadShape},
      {"stablehlo.dynamic_reshape", givenShape},
      {"stablehlo.dynamic_broadcast_in_dim", givenShape},
      {"stablehlo.dynamic_iota", givenShape},
      {"stablehlo.gather", gatherShape},
      {"stablehlo.dynamic_gather", dynamicGatherShape},
  };
  return table.lookup(name);
}
