//===- Convolution.cpp - convolutions become matrix products --------------===//
//
// `Convolution.h` explains how.
//
//===----------------------------------------------------------------------===//

#include "Windows/Convolution.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

Value tessera::importer::transposeTo(Conversion &c, Value value,
                                     ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return value;
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(dimSize(value, dim));
  return TransposeOp::create(c.builder, typeOf(value).clone(shape), value,
                             permutation);
}

namespace {

/// Convolves dimension by dimension: the operands of an inner dimension are
/// those of one step of the outer ones.
class Convolution {
public:
  /// `element`: the type to accumulate in.
  Convolution(Conversion &c, ArrayRef<ConvolutionDimension> dims, bool grouped,
              Type element)
      : c(c), dims(dims), plan(planSteps(dims)), grouped(grouped),
        element(element) {}

  Value run(Value input, Value kernel) {
    inputZero = c.zeros(RankedTensorType::get({}, elementOf(input)));
    resultZero = c.zeros(RankedTensorType::get({}, element));
    return convolve(0, input, kernel);
  }

private:
  static Type elementOf(Value value) { return typeOf(value).getElementType(); }
  int64_t rank() const { return dims.size(); }
  /// Spatial dimension `d` in the input and the output, and in the kernel.
  int64_t inputDim(int64_t d) const { return grouped + 1 + d; }
  int64_t kernelDim(int64_t d) const { return grouped + d; }

  Value convolve(int64_t d, Value input, Value kernel);
  Value sumSteps(int64_t d, Value input, Value kernel,
                 ArrayRef<ConvolutionStep> steps);
  Value loopOverSteps(int64_t d, Value input, Value kernel,
                      ArrayRef<ConvolutionStep> steps, const StepLoop &loop,
                      Value sum);
  Value sumPhase(int64_t d, Value input, Value kernel,
                 ArrayRef<ConvolutionStep> steps);
  Value joinOutputs(int64_t d, Value input, Value kernel,
                    ArrayRef<Value> outputs);
  Value loopOverOutputs(int64_t d, Value input, Value kernel,
                        const StepLoop &loop);
  Value overKernel(int64_t d, Value input, Value kernel);
  Value overOutput(int64_t d, Value input, Value kernel);
  Value disjoint(int64_t d, Value input, Value kernel);
  Value scattered(int64_t d, Value input, Value kernel);

  Value product(Value input, Value kernel);
  Value dot(Value input, Value kernel);
  Value multiply(Value input, Value kernel);
  Value joinScattered(Value product);

  Value toElement(Value value);
  Value add(Value a, Value b);
  /// The output's shape when dimension `d` has `size`, as the input and the
  /// kernel now are.
  RankedTensorType outputType(Value input, Value kernel, int64_t d,
                              int64_t size) const;
  bool isContracted(int64_t d) const {
    return dims[d].way() == ConvolutionDimension::OverOutput ||
           dims[d].way() == ConvolutionDimension::Disjoint;
  }

  Conversion &c;
  ArrayRef<ConvolutionDimension> dims;
  ConvolutionPlan plan;
  bool grouped;
  Type element;
  Value inputZero, resultZero;
};

} // namespace

static SmallVector<int64_t> startsOf(ArrayRef<ConvolutionStep> steps) {
  return llvm::map_to_vector(
      steps, [](const ConvolutionStep &step) { return step.input.start; });
}

/// How many steps of a dimension the program has, with `block` of them in an
/// iteration of each loop.
static int64_t writtenSteps(const ConvolutionDimension &dim, int64_t block,
                            Advance advance) {
  int64_t written = 0;
  switch (dim.way()) {
  case ConvolutionDimension::OverKernel:
    for (int64_t phase = 0; phase < dim.outputPeriod(); ++phase)
      written +=
          StepPlan(startsOf(dim.stepsOfPhase(phase)), block, advance).written();
    return std::max<int64_t>(written, 1);
  case ConvolutionDimension::OverOutput:
    return StepPlan(dim.outputStarts(), block, advance).written();
  case ConvolutionDimension::Disjoint:
  case ConvolutionDimension::Scattered:
    return 1;
  }
  llvm_unreachable("unknown way");
}

/// The plan in which dimensions `outermost` to `innermost` may have loops.
static ConvolutionPlan planLoops(ArrayRef<ConvolutionDimension> dims,
                                 int64_t outermost, int64_t innermost) {
  ConvolutionPlan plan{SmallVector<int64_t>(dims.size()), outermost, 1};
  auto mayLoop = [&](int64_t d) {
    return d >= outermost && d <= innermost && dims[d].mayLoop();
  };
  auto written = [&](int64_t d, int64_t block) {
    return writtenSteps(dims[d], block, plan.advance(d));
  };
  for (int64_t d = dims.size(); d-- > 0;) {
    // What inner dimensions and the shortest loops of outer ones leave.
    int64_t room = kMostAtOnce / plan.written;
    for (int64_t outer = 0; outer < d; ++outer)
      room /= written(outer, mayLoop(outer) ? 1 : dims[outer].steps());
    int64_t block = dims[d].steps();
    if (mayLoop(d) && written(d, block) > room)
      for (block = std::clamp<int64_t>(room, 1, block);
           block > 1 && written(d, block) > room;)
        --block;
    plan.atOnce[d] = block;
    plan.written =
        llvm::SaturatingMultiply<uint64_t>(plan.written, written(d, block));
  }
  return plan;
}

ConvolutionPlan
tessera::importer::planSteps(ArrayRef<ConvolutionDimension> dims) {
  int64_t rank = dims.size();
  for (int64_t d = 0; d < rank; ++d) {
    ConvolutionPlan plan = planLoops(dims, d, d);
    if (plan.written <= kMostAtOnce)
      return plan;
  }
  int64_t outermost = 0;
  while (outermost + 1 < rank &&
         (!dims[outermost].mayLoop() || dims[outermost].steps() == 1))
    ++outermost;
  return planLoops(dims, outermost, rank - 1);
}

//===----------------------------------------------------------------------===//
// The four ways
//===----------------------------------------------------------------------===//

Value Convolution::convolve(int64_t d, Value input, Value kernel) {
  if (d == rank())
    return product(input, kernel);
  switch (dims[d].way()) {
  case ConvolutionDimension::OverKernel:
    return overKernel(d, input, kernel);
  case ConvolutionDimension::OverOutput:
    return overOutput(d, input, kernel);
  case ConvolutionDimension::Disjoint:
    return disjoint(d, input, kernel);
  case ConvolutionDimension::Scattered:
    return scattered(d, input, kernel);
  }
  llvm_unreachable("unknown way");
}

/// Null if there are no steps.
Value Convolution::sumSteps(int64_t d, Value input, Value kernel,
                            ArrayRef<ConvolutionStep> steps) {
  Value sum;
  for (const ConvolutionStep &step : steps) {
    Value part =
        convolve(d + 1, take(c, input, inputDim(d), step.input, inputZero),
                 sliceDim(c, kernel, kernelDim(d), step.kernel.start,
                          step.kernel.count, step.kernel.stride));
    sum = sum ? add(sum, part) : part;
  }
  return sum;
}

/// `sum` and the loop's steps, of `steps`.
Value Convolution::loopOverSteps(int64_t d, Value input, Value kernel,
                                 ArrayRef<ConvolutionStep> steps,
                                 const StepLoop &loop, Value sum) {
  Positions positions = steps[0].input;
  int64_t begin = steps[loop.first].kernel.start;
  kernel = sliceDim(c, kernel, kernelDim(d), begin, loop.count,
                    steps[loop.first + 1].kernel.start - begin);
  SmallVector<ConvolutionStep> inBlock;
  for (auto [i, start] : llvm::enumerate(loop.starts))
    inBlock.push_back(
        {{start, positions.stride, positions.count}, {int64_t(i), 1, 1}});
  return loopOver(c, loop, plan.advance(d), input, inputDim(d),
                  (positions.count - 1) * positions.stride + 1, inputZero, sum,
                  [&](Value start, Value here, Value sum) {
                    Value block =
                        blockAt(c, kernel, kernelDim(d), start, loop.block());
                    return add(sum, sumSteps(d, here, block, inBlock));
                  });
}

/// Null if there are no steps.
Value Convolution::sumPhase(int64_t d, Value input, Value kernel,
                            ArrayRef<ConvolutionStep> steps) {
  StepPlan stepPlan(startsOf(steps), plan.atOnce[d], plan.advance(d));
  Value sum =
      sumSteps(d, input, kernel, steps.slice(stepPlan.first, stepPlan.count));
  for (const std::optional<StepLoop> &loop : {stepPlan.before, stepPlan.behind})
    if (loop)
      sum = loopOverSteps(d, input, kernel, steps, *loop, sum);
  return sum;
}

Value Convolution::overKernel(int64_t d, Value input, Value kernel) {
  int64_t period = dims[d].outputPeriod(), dim = inputDim(d);
  int64_t count = llvm::divideCeil(dims[d].output, period);
  SmallVector<Value> phases;
  for (int64_t phase = 0; phase < period; ++phase) {
    Value sum = sumPhase(d, input, kernel, dims[d].stepsOfPhase(phase));
    phases.push_back(sum ? sum : c.zeros(outputType(input, kernel, d, count)));
  }
  if (period == 1)
    return phases.front();
  // Output o is element o / period of phase o % period.
  SmallVector<int64_t> shape(typeOf(phases.front()).getShape());
  shape.insert(shape.begin() + dim + 1, 1);
  for (Value &phase : phases)
    phase = reshapeTo(c, phase, shape);
  shape[dim + 1] = period;
  Value all = ConcatenateOp::create(
      c.builder, RankedTensorType::get(shape, element), phases, dim + 1);
  shape.erase(shape.begin() + dim + 1);
  shape[dim] *= period;
  return sliceDim(c, reshapeTo(c, all, shape), dim, 0, dims[d].output);
}

Value Convolution::joinOutputs(int64_t d, Value input, Value kernel,
                               ArrayRef<Value> outputs) {
  if (outputs.size() == 1)
    return outputs.front();
  int64_t count = 0;
  for (Value output : outputs)
    count += dimSize(output, inputDim(d));
  return ConcatenateOp::create(c.builder, outputType(input, kernel, d, count),
                               outputs, inputDim(d));
}

/// The outputs that are the loop's steps.
Value Convolution::loopOverOutputs(int64_t d, Value input, Value kernel,
                                   const StepLoop &loop) {
  const ConvolutionDimension &dimension = dims[d];
  Positions window{0, dimension.kernelDilation, dimension.kernel};
  Value zero = c.zeros(outputType(input, kernel, d, loop.count));
  return loopOver(
      c, loop, plan.advance(d), input, inputDim(d),
      (window.count - 1) * window.stride + 1, inputZero, zero,
      [&](Value start, Value here, Value outputs) {
        SmallVector<Value> list;
        for (int64_t from : loop.starts)
          list.push_back(sumSteps(
              d, here, kernel,
              {{{from, window.stride, window.count}, {0, 1, window.count}}}));
        return withBlockAt(c, outputs, joinOutputs(d, input, kernel, list),
                           inputDim(d), start);
      });
}

Value Convolution::overOutput(int64_t d, Value input, Value kernel) {
  StepPlan stepPlan(dims[d].outputStarts(), plan.atOnce[d], plan.advance(d));
  SmallVector<Value> outputs;
  if (stepPlan.before)
    outputs.push_back(loopOverOutputs(d, input, kernel, *stepPlan.before));
  for (int64_t o : llvm::seq(stepPlan.first, stepPlan.first + stepPlan.count)) {
    Value sum = sumSteps(d, input, kernel, dims[d].stepsOfOutput(o));
    outputs.push_back(sum ? sum : c.zeros(outputType(input, kernel, d, 1)));
  }
  if (stepPlan.behind)
    outputs.push_back(loopOverOutputs(d, input, kernel, *stepPlan.behind));
  return joinOutputs(d, input, kernel, outputs);
}

/// The input's dimension becomes two: positions of windows, and positions in a
/// window, which go to its end.
Value Convolution::disjoint(int64_t d, Value input, Value kernel) {
  const ConvolutionDimension &dimension = dims[d];
  int64_t dim = inputDim(d);
  bool isMajor =
      dimension.stride > (dimension.kernel - 1) * dimension.kernelDilation;
  int64_t count = isMajor ? dimension.output : dimension.kernel;
  int64_t length = isMajor ? dimension.stride : dimension.kernelDilation;
  input = take(c, input, dim, {-dimension.low, 1, count * length}, inputZero);
  SmallVector<int64_t> shape(typeOf(input).getShape());
  shape[dim] = count;
  shape.insert(shape.begin() + dim + 1, length);
  input = reshapeTo(c, input, shape);
  input = isMajor ? sliceDim(c, input, dim + 1, 0, dimension.kernel,
                             dimension.kernelDilation)
                  : sliceDim(c, input, dim + 1, 0, dimension.output,
                             dimension.stride);
  // The window's dimension to the end.
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  int64_t window = isMajor ? dim + 1 : dim;
  permutation.erase(permutation.begin() + window);
  permutation.push_back(window);
  return convolve(d + 1, transposeTo(c, input, permutation), kernel);
}

/// Input element i and kernel element k give output `i * inputDilation + low -
/// k`: with the kernel reversed, neighbours.
Value Convolution::scattered(int64_t d, Value input, Value kernel) {
  const ConvolutionDimension &dimension = dims[d];
  kernel = ReverseOp::create(c.builder, kernel.getType(), kernel,
                             ArrayRef<int64_t>{kernelDim(d)});
  Value all = convolve(d + 1, input, kernel);
  return take(c, all, inputDim(d),
              {dimension.kernel - 1 - dimension.low, 1, dimension.output},
              resultZero);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Value Convolution::toElement(Value value) {
  RankedTensorType type = typeOf(value);
  if (type.getElementType() == element || !isa<FloatType>(element))
    return value;
  if (type.getElementTypeBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(c.builder, type.clone(element), value);
  return arith::TruncFOp::create(c.builder, type.clone(element), value);
}

Value Convolution::add(Value a, Value b) {
  if (isa<FloatType>(element))
    return arith::AddFOp::create(c.builder, a, b);
  return arith::AddIOp::create(c.builder, a, b);
}

RankedTensorType Convolution::outputType(Value input, Value kernel, int64_t d,
                                         int64_t size) const {
  SmallVector<int64_t> shape(typeOf(input).getShape().take_front(inputDim(0)));
  for (int64_t i = 0; i < rank(); ++i)
    if (i > d)
      shape.push_back(dims[i].output);
    else if (i == d)
      shape.push_back(size);
    else if (dims[i].way() == ConvolutionDimension::OverOutput)
      shape.push_back(1);
    else if (dims[i].way() == ConvolutionDimension::Scattered)
      shape.push_back(dims[i].input * dims[i].inputDilation);
    else
      shape.push_back(dimSize(input, inputDim(i)));
  shape.push_back(dimSize(kernel, typeOf(kernel).getRank() - 1));
  return RankedTensorType::get(shape, element);
}

/// The output at the end of all ways' steps: dimensions that are contracted
/// have size 1.
Value Convolution::product(Value input, Value kernel) {
  int64_t features = dimSize(input, inputDim(rank()));
  bool isOuter =
      features == 1 && llvm::none_of(dims, [](const ConvolutionDimension &dim) {
        return dim.way() != ConvolutionDimension::OverKernel && dim.kernel > 1;
      });
  return isOuter ? multiply(input, kernel) : dot(input, kernel);
}

/// Without a sum, element by element: groups of one feature (depthwise
/// convolutions), pictures of one channel.
Value Convolution::multiply(Value input, Value kernel) {
  SmallVector<int64_t> shape(typeOf(input).getShape().drop_back());
  int64_t last = shape.size();
  auto kept = llvm::to_vector(llvm::seq<int64_t>(0, last));
  input = reshapeTo(c, input, shape);
  int64_t outputs = dimSize(kernel, typeOf(kernel).getRank() - 1);
  SmallVector<int64_t> kernelShape(
      typeOf(kernel).getShape().take_front(grouped));
  kernelShape.push_back(outputs);
  kernel = reshapeTo(c, kernel, kernelShape);
  shape.push_back(outputs);
  auto repeat = [&](Value value, ArrayRef<int64_t> to) -> Value {
    return BroadcastOp::create(c.builder, typeOf(value).clone(shape), value,
                               to);
  };
  Value x = toElement(repeat(input, kept));
  Value y =
      toElement(grouped ? repeat(kernel, {0, last}) : repeat(kernel, {last}));
  if (isa<FloatType>(element))
    return arith::MulFOp::create(c.builder, x, y);
  return arith::MulIOp::create(c.builder, x, y);
}

/// The product of what one step takes of `input` with what it takes of
/// `kernel`, in the order of the output's dimensions.
Value Convolution::dot(Value input, Value kernel) {
  // The kernel without what one step leaves of dimensions that are summed.
  SmallVector<int64_t> kernelShape(
      typeOf(kernel).getShape().take_front(grouped));
  SmallVector<int64_t> inputContracted, kernelContracted;
  int64_t windows = inputDim(rank()) + 1;
  for (int64_t d = 0; d < rank(); ++d) {
    ConvolutionDimension::Way way = dims[d].way();
    if (isContracted(d)) {
      inputContracted.push_back(
          way == ConvolutionDimension::Disjoint ? windows++ : inputDim(d));
      kernelContracted.push_back(kernelShape.size());
    }
    if (way != ConvolutionDimension::OverKernel)
      kernelShape.push_back(dimSize(kernel, kernelDim(d)));
  }
  inputContracted.push_back(inputDim(rank()));
  kernelContracted.push_back(kernelShape.size());
  llvm::append_range(kernelShape, typeOf(kernel).getShape().take_back(2));
  kernel = reshapeTo(c, kernel, kernelShape);
  SmallVector<int64_t> batching, shape;
  if (grouped) {
    batching.push_back(0);
    shape.push_back(kernelShape.front());
  }
  auto addFree = [&](Value value, ArrayRef<int64_t> contracted) {
    for (auto [dim, size] : llvm::enumerate(typeOf(value).getShape()))
      if (int64_t(dim) >= int64_t(grouped) &&
          !llvm::is_contained(contracted, int64_t(dim)))
        shape.push_back(size);
  };
  addFree(input, inputContracted);
  addFree(kernel, kernelContracted);
  Value result = DotGeneralOp::create(
      c.builder, RankedTensorType::get(shape, element), input, kernel, batching,
      batching, inputContracted, kernelContracted);
  // Back to the output's dimensions, then those of scattered kernels.
  SmallVector<int64_t> full(typeOf(input).getShape().take_front(inputDim(0)));
  for (int64_t d = 0; d < rank(); ++d)
    full.push_back(dims[d].way() == ConvolutionDimension::OverOutput
                       ? 1
                       : dimSize(input, inputDim(d)));
  for (int64_t d = 0; d < rank(); ++d)
    if (dims[d].way() == ConvolutionDimension::Scattered)
      full.push_back(dims[d].kernel);
  full.push_back(kernelShape.back());
  return joinScattered(reshapeTo(c, result, full));
}

/// Puts every scattered kernel's dimension behind its input's, fills it up to
/// the distance of input elements, and makes one of the two.
Value Convolution::joinScattered(Value product) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, inputDim(0)));
  SmallVector<int64_t> shape;
  SmallVector<int64_t> high(typeOf(product).getRank(), 0);
  int64_t next = inputDim(rank());
  for (int64_t d = 0; d < rank(); ++d) {
    permutation.push_back(inputDim(d));
    if (dims[d].way() != ConvolutionDimension::Scattered)
      continue;
    high[permutation.size()] = dims[d].inputDilation - dims[d].kernel;
    permutation.push_back(next++);
  }
  permutation.push_back(next);
  product = transposeTo(c, product, permutation);
  if (next == inputDim(rank()))
    return product;
  SmallVector<int64_t> padded(typeOf(product).getShape());
  for (auto [size, more] : llvm::zip_equal(padded, high))
    size += more;
  if (llvm::any_of(high, [](int64_t more) { return more != 0; })) {
    SmallVector<int64_t> none(padded.size(), 0);
    product = PadOp::create(c.builder, typeOf(product).clone(padded), product,
                            resultZero, none, high, none);
  }
  for (auto [dim, size] : llvm::zip_equal(permutation, padded))
    if (dim >= inputDim(rank()) && dim < next)
      shape.back() *= size;
    else
      shape.push_back(size);
  return reshapeTo(c, product, shape);
}

Value tessera::importer::convolve(Conversion &c,
                                  ArrayRef<ConvolutionDimension> dims,
                                  bool grouped, Type element, Value input,
                                  Value kernel) {
  return Convolution(c, dims, grouped, element).run(input, kernel);
}
