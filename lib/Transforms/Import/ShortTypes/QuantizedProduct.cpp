//===- QuantizedProduct.cpp - products of quantized integers --------------===//

#include "ShortTypes/QuantizedProduct.h"

#include "Conversions/AttributeText.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {
/// How many terms each sum has, and where dimension `dim` of the right factor
/// is in the result.
struct SummedTerms {
  double terms = 1;
  std::optional<int64_t> dim;
};
} // namespace

/// None for other operations, and where the factor's `dim` is summed up.
static std::optional<SummedTerms> findTerms(Operation *op,
                                            std::optional<int64_t> dim) {
  SummedTerms sums;
  auto lhs = cast<RankedTensorType>(op->getOperand(0).getType()),
       rhs = cast<RankedTensorType>(op->getOperand(1).getType());
  bool isDot = op->getName().getStringRef() == "stablehlo.dot_general";
  auto text = op->getAttrOfType<OpaqueAttr>(isDot ? "dot_dimension_numbers"
                                                  : "dimension_numbers");
  if (!text)
    return std::nullopt;
  if (isDot) {
    Fallible<DotDims> dims = parseDotDims(text.getAttrData());
    if (!dims)
      return std::nullopt;
    for (int64_t contracted : dims->rhsContracting) {
      if (contracted < 0 || contracted >= rhs.getRank() || contracted == dim)
        return std::nullopt;
      sums.terms *= rhs.getDimSize(contracted);
    }
    if (!dim)
      return sums;
    size_t rank = dims->rhsBatching.size();
    if (const int64_t *batch = llvm::find(dims->rhsBatching, *dim);
        batch != dims->rhsBatching.end()) {
      sums.dim = batch - dims->rhsBatching.begin();
      return sums;
    }
    sums.dim = lhs.getRank() - int64_t(dims->lhsContracting.size());
    for (int64_t before = 0; before < *dim; ++before)
      *sums.dim += !llvm::is_contained(dims->rhsBatching, before) &&
                   !llvm::is_contained(dims->rhsContracting, before);
    return rank == dims->lhsBatching.size() ? std::optional(sums)
                                            : std::nullopt;
  }
  Fallible<ConvolutionDims> dims = parseConvolutionDims(text.getAttrData());
  if (!dims || dims->kernelOutput < 0 || dims->kernelOutput >= rhs.getRank() ||
      (dim && *dim != dims->kernelOutput))
    return std::nullopt;
  for (int64_t size : rhs.getShape())
    sums.terms *= size;
  // Groups of the batch are at most as many as outputs: this is not too small.
  sums.terms /= std::max<int64_t>(1, rhs.getDimSize(dims->kernelOutput));
  if (dim)
    sums.dim = dims->outputFeature;
  return sums;
}

/// The largest distance of an integer of `type` from its zero point.
static double largestOf(const QuantizedType &type) {
  double largest = 0;
  for (int64_t zero : type.zeroPoints)
    largest =
        std::max({largest, double(type.high - zero), double(zero - type.low)});
  return largest;
}

std::optional<IntegerSums>
tessera::importer::findIntegerSums(Operation *op, const QuantizedType &lhs,
                                   const QuantizedType &rhs) {
  StringRef name = op->getName().getStringRef();
  if ((name != "stablehlo.dot_general" && name != "stablehlo.convolution") ||
      lhs.dim)
    return std::nullopt;
  std::optional<SummedTerms> sums = findTerms(op, rhs.dim);
  if (!sums)
    return std::nullopt;
  double largest = sums->terms * largestOf(lhs) * largestOf(rhs);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (largest >= 0x1p62 ||
      (sums->dim &&
       (*sums->dim < 0 || *sums->dim >= type.getRank() ||
        type.getDimSize(*sums->dim) != int64_t(rhs.scales.size()))))
    return std::nullopt;
  return IntegerSums{
      IntegerType::get(op->getContext(), largest >= 0x1p31 ? 64 : 32),
      sums->dim};
}
