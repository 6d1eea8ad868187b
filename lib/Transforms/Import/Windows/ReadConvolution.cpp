//===- ReadConvolution.cpp - `stablehlo.convolution` ----------------------===//

#include "Windows/Convolution.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {

/// The attributes of a `stablehlo.convolution`, and its operands in the order
/// that `Convolution` takes.
class ConvolutionReader {
public:
  ConvolutionReader(Operation *op, ValueRange operands, Conversion &c)
      : op(op), c(c), input(operands[0]), kernel(operands[1]) {}

  LogicalResult run(SmallVectorImpl<Value> &results);

private:
  /// Each step is an operation or more.
  static constexpr uint64_t kMostSteps = 1 << 14;

  LogicalResult readAttributes();
  LogicalResult readDimensions();
  LogicalResult checkShapes();
  InFlightDiagnostic error() {
    return emitError(op->getLoc()) << "'" << op->getName() << "': ";
  }
  int64_t groups() const { return featureGroups * batchGroups; }
  Value splitGroups(Value value, int64_t dim);
  Value standardInput();
  Value standardKernel();
  Value resultFromStandard(Value output);

  Operation *op;
  Conversion &c;
  Value input, kernel;
  ConvolutionDims names;
  RankedTensorType type;
  SmallVector<ConvolutionDimension> dims;
  SmallVector<int64_t> reversed;
  int64_t featureGroups = 1, batchGroups = 1;
};

} // namespace

LogicalResult ConvolutionReader::readAttributes() {
  type = c.convertType(op->getResult(0).getType(), op->getLoc());
  FailureOr<ConvolutionDims> parsed =
      c.parsed(op, "dimension_numbers", parseConvolutionDims);
  FailureOr<int64_t> features = c.integer(op, "feature_group_count");
  FailureOr<int64_t> batches = c.integer(op, "batch_group_count");
  if (!type || failed(parsed) || failed(features) || failed(batches))
    return failure();
  names = *parsed;
  featureGroups = *features;
  batchGroups = *batches;
  int64_t rank = names.inputSpatial.size() + 2;
  for (Type operand : {input.getType(), kernel.getType(), Type(type)})
    if (cast<RankedTensorType>(operand).getRank() != rank)
      return error() << "expected operands and a result of rank " << rank
                     << ", as 'dimension_numbers' has, got " << operand;
  if (featureGroups < 1 || batchGroups < 1 ||
      (featureGroups > 1 && batchGroups > 1))
    return error() << "expected groups of features or of the batch, got "
                   << featureGroups << " and " << batchGroups;
  return success();
}

/// Reads the spatial dimensions; a diagnostic where the sizes do not fit each
/// other.
LogicalResult ConvolutionReader::readDimensions() {
  size_t rank = names.inputSpatial.size();
  auto strides = c.integersOr(op, "window_strides", 1, rank);
  auto padding = c.integersOr(op, "padding", 0, 2 * rank);
  auto inputDilations = c.integersOr(op, "lhs_dilation", 1, rank);
  auto kernelDilations = c.integersOr(op, "rhs_dilation", 1, rank);
  if (failed(strides) || failed(padding) || failed(inputDilations) ||
      failed(kernelDilations))
    return failure();
  auto reversal = op->getAttrOfType<DenseBoolArrayAttr>("window_reversal");
  for (size_t d = 0; d < rank; ++d) {
    ConvolutionDimension dim{dimSize(input, names.inputSpatial[d]),
                             dimSize(kernel, names.kernelSpatial[d]),
                             type.getDimSize(names.outputSpatial[d]),
                             (*strides)[d],
                             (*padding)[2 * d],
                             (*inputDilations)[d],
                             (*kernelDilations)[d]};
    if (dim.stride < 1 || dim.inputDilation < 1 || dim.kernelDilation < 1)
      return error() << "expected positive strides and dilations, got "
                     << dim.stride << ", " << dim.inputDilation << " and "
                     << dim.kernelDilation << " in spatial dimension " << d;
    int64_t padded = dim.low + (*padding)[2 * d + 1] +
                     (dim.input ? (dim.input - 1) * dim.inputDilation + 1 : 0);
    int64_t window = dim.kernel ? (dim.kernel - 1) * dim.kernelDilation + 1 : 0;
    int64_t expected = padded < window ? 0 : (padded - window) / dim.stride + 1;
    if (dim.output != expected)
      return error() << "expected " << expected
                     << " outputs in spatial dimension " << d << ", got "
                     << dim.output;
    dims.push_back(dim);
    if (reversal && d < size_t(reversal.size()) && reversal[d])
      reversed.push_back(names.kernelSpatial[d]);
  }
  return success();
}

LogicalResult ConvolutionReader::checkShapes() {
  int64_t batch = dimSize(input, names.inputBatch);
  int64_t features = dimSize(input, names.inputFeature);
  int64_t kernelFeatures = dimSize(kernel, names.kernelInput);
  int64_t outputs = dimSize(kernel, names.kernelOutput);
  if (features != kernelFeatures * featureGroups)
    return error() << "expected an input of " << kernelFeatures * featureGroups
                   << " features, got " << features;
  if (outputs % groups() != 0)
    return error() << "expected the kernel's " << outputs
                   << " outputs to divide into " << groups() << " groups";
  if (batch % batchGroups != 0)
    return error() << "expected a batch of " << batch << " to divide into "
                   << batchGroups << " groups";
  if (type.getDimSize(names.outputBatch) != batch / batchGroups ||
      type.getDimSize(names.outputFeature) != outputs)
    return error() << "expected a result of batch " << batch / batchGroups
                   << " and " << outputs << " features, got " << type;
  return success();
}

/// `value` with its dimension `dim` cut into `groups()` parts, which become
/// dimension 0.
Value ConvolutionReader::splitGroups(Value value, int64_t dim) {
  if (groups() == 1)
    return value;
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[dim] /= groups();
  shape.insert(shape.begin() + dim, groups());
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  std::rotate(order.begin(), order.begin() + dim, order.begin() + dim + 1);
  return transposeTo(c, reshapeTo(c, value, shape), order);
}

/// [groups, batch, spatial..., features]
Value ConvolutionReader::standardInput() {
  SmallVector<int64_t> order = {names.inputBatch};
  llvm::append_range(order, names.inputSpatial);
  order.push_back(names.inputFeature);
  return splitGroups(transposeTo(c, input, order),
                     batchGroups > 1 ? 0 : order.size() - 1);
}

/// [groups, spatial..., features, outputs]
Value ConvolutionReader::standardKernel() {
  Value value = kernel;
  if (!reversed.empty())
    value = ReverseOp::create(c.builder, value.getType(), value, reversed);
  SmallVector<int64_t> order(names.kernelSpatial);
  order.push_back(names.kernelInput);
  order.push_back(names.kernelOutput);
  return splitGroups(transposeTo(c, value, order), order.size() - 1);
}

/// From [groups, batch, spatial..., outputs] to the operation's order.
Value ConvolutionReader::resultFromStandard(Value output) {
  if (groups() > 1) {
    auto order =
        llvm::to_vector(llvm::seq<int64_t>(1, typeOf(output).getRank()));
    order.insert(order.end() - 1, 0);
    output = transposeTo(c, output, order);
    SmallVector<int64_t> shape(typeOf(output).getShape().drop_back());
    shape.back() *= typeOf(output).getShape().back();
    output = reshapeTo(c, output, shape);
  }
  SmallVector<int64_t> permutation(type.getRank());
  permutation[names.outputBatch] = 0;
  permutation[names.outputFeature] = type.getRank() - 1;
  for (auto [d, dim] : llvm::enumerate(names.outputSpatial))
    permutation[dim] = d + 1;
  return transposeTo(c, output, permutation);
}

LogicalResult ConvolutionReader::run(SmallVectorImpl<Value> &results) {
  if (failed(readAttributes()) || failed(readDimensions()) ||
      failed(checkShapes()) || failed(checkProductType(op)))
    return failure();
  if (type.getNumElements() == 0 || typeOf(input).getNumElements() == 0 ||
      typeOf(kernel).getNumElements() == 0) {
    results.push_back(c.zeros(type));
    return success();
  }
  if (planSteps(dims).written > kMostSteps)
    return error()
           << "expected at most " << kMostSteps
           << " places of the output of a dilated input that is smaller "
              "than the kernel";
  // Sums of short numbers lose digits: one product rounds once, at its end.
  Type element = type.getElementType();
  bool isShort =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  // Products of truth values are counted: whether there are any is the result.
  bool isBoolean = elementKind(op->getResult(0).getType()) == ElementKind::Bool;
  if (isShort || isBoolean)
    element = c.builder.getF32Type();
  input = widenInteger(input, op->getOperand(0).getType(), element, c);
  kernel = widenInteger(kernel, op->getOperand(1).getType(), element, c);
  Value output = convolve(c, dims, groups() > 1, element, standardInput(),
                          standardKernel());
  if (isBoolean)
    output = arith::CmpFOp::create(c.builder, arith::CmpFPredicate::ONE, output,
                                   c.zeros(typeOf(output)));
  if (isShort)
    output = arith::TruncFOp::create(
        c.builder, typeOf(output).clone(type.getElementType()), output);
  results.push_back(resultFromStandard(output));
  return success();
}

static LogicalResult convertConvolution(Operation *op, ValueRange operands,
                                        Conversion &c,
                                        SmallVectorImpl<Value> &results) {
  return ConvolutionReader(op, operands, c).run(results);
}

void tessera::importer::addConvolution(ConversionTable &table) {
  static constexpr StringLiteral kConvolution[] = {
      "batch_group_count", "dimension_numbers", "feature_group_count",
      "lhs_dilation",      "padding",           "precision_config",
      "rhs_dilation",      "window_reversal",   "window_strides"};
  static const OpConversion rows[] = {
      {"stablehlo.convolution", convertConvolution, 2, 1, 0, kConvolution},
  };
  addRows(table, rows);
}
