//===- ResultShapes.cpp - the shapes that operations make -----------------===//
//
// A row for each operation whose result is not shaped like its operands.
//
//===----------------------------------------------------------------------===//

#include "Shapes/ResultShapes.h"

#include "Conversions/AttributeText.h"
#include "Conversions/Conversion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

using Shape = std::optional<SmallVector<int64_t>>;
using ShapeFn = Shape (*)(Operation *op);

//===----------------------------------------------------------------------===//
// Reading operations
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOf(Operation *op, unsigned operand) {
  return cast<RankedTensorType>(op->getOperand(operand).getType()).getShape();
}

/// The integers of attribute `name`, or `count` times `otherwise` without one.
static SmallVector<int64_t> integersOf(Operation *op, StringRef name,
                                       size_t count = 0,
                                       int64_t otherwise = 0) {
  if (auto array = op->getAttrOfType<DenseI64ArrayAttr>(name))
    return SmallVector<int64_t>(array.asArrayRef());
  if (auto elements = op->getAttrOfType<DenseIntElementsAttr>(name))
    return llvm::map_to_vector(elements.getValues<APInt>(), [](APInt value) {
      return value.getSExtValue();
    });
  return SmallVector<int64_t>(count, otherwise);
}

static int64_t integerOf(Operation *op, StringRef name) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getValue().getSExtValue() : -1;
}

/// What `parse` makes of the text of attribute `name`.
template <typename T>
static std::optional<T> parsed(Operation *op, StringRef name,
                               Fallible<T> (*parse)(StringRef)) {
  auto opaque = op->getAttrOfType<OpaqueAttr>(name);
  if (!opaque)
    return std::nullopt;
  Fallible<T> result = parse(opaque.getAttrData());
  return result ? std::optional<T>(*result) : std::nullopt;
}

/// Whether all of `dims` are dimensions of `shape`.
static bool areDims(ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) {
  return llvm::all_of(dims, [&](int64_t dim) {
    return dim >= 0 && dim < int64_t(shape.size());
  });
}

/// The sizes of `shape` but those of `dims`.
static SmallVector<int64_t> without(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sizes;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(dim)))
      sizes.push_back(size);
  return sizes;
}

//===----------------------------------------------------------------------===//
// Operations that move elements
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Operations that compute
//===----------------------------------------------------------------------===//

static Shape dotShape(Operation *op) {
  std::optional<DotDims> dims =
      parsed(op, "dot_dimension_numbers", parseDotDims);
  ArrayRef<int64_t> lhs = shapeOf(op, 0), rhs = shapeOf(op, 1);
  if (!dims || !areDims(dims->lhsBatching, lhs))
    return std::nullopt;
  SmallVector<int64_t> shape, lhsDims(dims->lhsBatching),
      rhsDims(dims->rhsBatching);
  for (int64_t dim : dims->lhsBatching)
    shape.push_back(lhs[dim]);
  llvm::append_range(lhsDims, dims->lhsContracting);
  llvm::append_range(rhsDims, dims->rhsContracting);
  llvm::append_range(shape, without(lhs, lhsDims));
  llvm::append_range(shape, without(rhs, rhsDims));
  return shape;
}

/// Groups are in front of a product that is contracted within them.
static Shape raggedDotShape(Operation *op) {
  std::optional<RaggedDotDims> dims =
      parsed(op, "ragged_dot_dimension_numbers", parseRaggedDotDims);
  ArrayRef<int64_t> lhs = shapeOf(op, 0), rhs = shapeOf(op, 1);
  if (!dims || dims->lhsRagged.size() != 1 || shapeOf(op, 2).size() != 1 ||
      !areDims(dims->dot.lhsBatching, lhs))
    return std::nullopt;
  SmallVector<int64_t> shape, lhsDims(dims->dot.lhsBatching),
      rhsDims(dims->dot.rhsBatching);
  if (llvm::is_contained(dims->dot.lhsContracting, dims->lhsRagged.front()))
    shape.push_back(shapeOf(op, 2).front());
  for (int64_t dim : dims->dot.lhsBatching)
    shape.push_back(lhs[dim]);
  llvm::append_range(lhsDims, dims->dot.lhsContracting);
  llvm::append_range(rhsDims, dims->dot.rhsContracting);
  llvm::append_range(rhsDims, dims->rhsGroup);
  llvm::append_range(shape, without(lhs, lhsDims));
  llvm::append_range(shape, without(rhs, rhsDims));
  return shape;
}

/// Indices without their batch stand where the dimension stood.
static Shape indexSelectShape(Operation *op) {
  int64_t dim = integerOf(op, "dim"), batch = integerOf(op, "batch_dims");
  ArrayRef<int64_t> shape = shapeOf(op, 0), indices = shapeOf(op, 1);
  if (!areDims(dim, shape) || batch < 0 || batch > int64_t(indices.size()))
    return std::nullopt;
  SmallVector<int64_t> sizes(shape.take_front(dim));
  llvm::append_range(sizes, indices.drop_front(batch));
  llvm::append_range(sizes, shape.drop_front(dim + 1));
  return sizes;
}

/// Of a spectrum of real numbers, a half and one more is stored.
static Shape fftShape(Operation *op) {
  std::optional<StringRef> kind =
      parsed<StringRef>(op, "fft_type", [](StringRef text) {
        return parseEnumeration(text, "fft_type");
      });
  SmallVector<int64_t> shape(shapeOf(op, 0)),
      lengths = integersOf(op, "fft_length");
  if (!kind || lengths.empty() || shape.empty())
    return std::nullopt;
  if (*kind == "RFFT")
    shape.back() = lengths.back() / 2 + 1;
  if (*kind == "IRFFT")
    shape.back() = lengths.back();
  return shape;
}

static Shape reduceShape(Operation *op) {
  return without(shapeOf(op, 0), integersOf(op, "dimensions"));
}

/// Windows over `shape`, each dimension of which is `sizes`, in steps of
/// `strides`; the padding is in pairs.
static Shape windowedShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes,
                           ArrayRef<int64_t> strides, ArrayRef<int64_t> base,
                           ArrayRef<int64_t> dilations,
                           ArrayRef<int64_t> padding) {
  size_t rank = shape.size();
  if (sizes.size() != rank || strides.size() != rank || base.size() != rank ||
      dilations.size() != rank || padding.size() != 2 * rank)
    return std::nullopt;
  SmallVector<int64_t> counts;
  for (size_t dim = 0; dim < rank; ++dim) {
    if (strides[dim] < 1)
      return std::nullopt;
    int64_t dilated = shape[dim] ? (shape[dim] - 1) * base[dim] + 1 : 0;
    int64_t padded = dilated + padding[2 * dim] + padding[2 * dim + 1];
    int64_t window = sizes[dim] ? (sizes[dim] - 1) * dilations[dim] + 1 : 0;
    counts.push_back(padded < window ? 0
                                     : (padded - window) / strides[dim] + 1);
  }
  return counts;
}

static Shape reduceWindowShape(Operation *op) {
  ArrayRef<int64_t> shape = shapeOf(op, 0);
  size_t rank = shape.size();
  return windowedShape(shape, integersOf(op, "window_dimensions"),
                       integersOf(op, "window_strides", rank, 1),
                       integersOf(op, "base_dilations", rank, 1),
                       integersOf(op, "window_dilations", rank, 1),
                       integersOf(op, "padding", 2 * rank));
}

/// A convolution with `padding`, in pairs.
static Shape convolvedShape(Operation *op, const Shape &padding) {
  std::optional<ConvolutionDims> dims =
      parsed(op, "dimension_numbers", parseConvolutionDims);
  ArrayRef<int64_t> input = shapeOf(op, 0), kernel = shapeOf(op, 1);
  if (!dims || !padding || input.size() != kernel.size() ||
      !areDims(dims->inputSpatial, input) ||
      !areDims(dims->kernelSpatial, kernel) ||
      !areDims({dims->inputBatch, dims->kernelOutput}, input) ||
      !areDims({dims->outputBatch, dims->outputFeature}, input))
    return std::nullopt;
  auto sizesAt = [](ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [&](int64_t dim) { return shape[dim]; });
  };
  size_t rank = dims->inputSpatial.size();
  Shape counts = windowedShape(
      sizesAt(input, dims->inputSpatial), sizesAt(kernel, dims->kernelSpatial),
      integersOf(op, "window_strides", rank, 1),
      integersOf(op, "lhs_dilation", rank, 1),
      integersOf(op, "rhs_dilation", rank, 1), *padding);
  if (!counts || !areDims(dims->outputSpatial, input))
    return std::nullopt;
  SmallVector<int64_t> shape(input.size());
  int64_t groups = std::max<int64_t>(1, integerOf(op, "batch_group_count"));
  shape[dims->outputBatch] = input[dims->inputBatch] / groups;
  shape[dims->outputFeature] = kernel[dims->kernelOutput];
  for (auto [dim, count] : llvm::zip_equal(dims->outputSpatial, *counts))
    shape[dim] = count;
  return shape;
}

static Shape convolutionShape(Operation *op) {
  return convolvedShape(
      op, integersOf(op, "padding", 2 * (shapeOf(op, 0).size() - 2)));
}

static Shape dynamicConvolutionShape(Operation *op) {
  return convolvedShape(op, constantIntegers(op->getOperand(2)));
}

static Shape topShape(Operation *op) {
  SmallVector<int64_t> shape(shapeOf(op, 0));
  if (shape.empty())
    return std::nullopt;
  shape.back() = integerOf(op, "k");
  return shape;
}

static Shape triangularSolveShape(Operation *op) {
  return SmallVector<int64_t>(shapeOf(op, 1));
}

/// Elements of another width are a row of narrower ones, or made of one.
static Shape bitcastShape(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()),
       to = getElementTypeOrSelf(op->getResult(0).getType());
  if (!from.isIntOrFloat() || !to.isIntOrFloat())
    return std::nullopt;
  int64_t fromWidth = from.getIntOrFloatBitWidth(),
          toWidth = to.getIntOrFloatBitWidth();
  SmallVector<int64_t> shape(shapeOf(op, 0));
  if (fromWidth > toWidth)
    shape.push_back(fromWidth / toWidth);
  else if (fromWidth < toWidth && shape.empty())
    return std::nullopt;
  else if (fromWidth < toWidth)
    shape.pop_back();
  return shape;
}

/// That of the first operand, whatever the others have.
static Shape firstShape(Operation *op) {
  return SmallVector<int64_t>(shapeOf(op, 0));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// By names of operations, what computes the shapes of their results.
static const llvm::StringMap<ShapeFn> &shapeFunctions() {
  static const llvm::StringMap<ShapeFn> table = {
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
      {"stablehlo.torch_index_select", indexSelectShape},
      {"stablehlo.dot_general", dotShape},
      {"chlo.ragged_dot", raggedDotShape},
      {"stablehlo.fft", fftShape},
      {"stablehlo.reduce", reduceShape},
      {"stablehlo.reduce_window", reduceWindowShape},
      {"stablehlo.select_and_scatter", firstShape},
      {"stablehlo.convolution", convolutionShape},
      {"stablehlo.dynamic_conv", dynamicConvolutionShape},
      {"stablehlo.bitcast_convert", bitcastShape},
      {"stablehlo.cholesky", firstShape},
      {"stablehlo.triangular_solve", triangularSolveShape},
      {"chlo.top_k", topShape},
  };
  return table;
}

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
  if (ShapeFn function = shapeFunctions().lookup(name))
    return op->getNumOperands() ? function(op) : std::nullopt;
  return isShapedAsOperands(name) ? shapeOfOperands(op, number) : std::nullopt;
}
