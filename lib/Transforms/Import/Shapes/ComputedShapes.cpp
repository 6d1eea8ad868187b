//===- ComputedShapes.cpp - shapes of what computes -----------------------===//
//
// What products, reductions, windows and routines make of the shapes of their
// operands.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"
#include "Shapes/ShapeRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

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

ShapeRule tessera::importer::findComputedShape(StringRef name) {
  static const llvm::StringMap<ShapeRule> table = {
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
  return table.lookup(name);
}
