//===- AttentionRewriter.cpp - operations in place of a match -------------===//

#include "Attention/AttentionRewriter.h"

#include "Attention/AttentionKernels.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::fuse;

SmallVector<Value> AttentionRewriter::operands() const {
  SmallVector<Value> values = {match.query.value, match.key.value,
                               match.value.value};
  for (const AttentionMatch::Part &part : match.parts)
    values.append({part.query.value, part.key.value});
  return values;
}

/// The features of query and key, those of all parts together.
int64_t AttentionRewriter::countFeatures() const {
  int64_t count = 0;
  for (unsigned part = 0; part <= match.parts.size(); ++part)
    count += shapeOf({SmallVector<int>(featuresOf(part))}).front();
  return count;
}

bool AttentionRewriter::isSupported() const {
  for (Value tensor : operands())
    if (!isAttentionKernelType(getElementTypeOrSelf(tensor)))
      return false;
  return countFeatures() <= kAttentionFeatures &&
         shapeOf({match.valueAxes}).front() <= kAttentionFeatures;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

SmallVector<int64_t> AttentionRewriter::sizesOf(ArrayRef<int> axes) const {
  return llvm::map_to_vector(axes,
                             [&](int axis) { return match.axes.sizeOf(axis); });
}

SmallVector<int64_t> AttentionRewriter::shapeOf(const AxisLists &lists) const {
  return llvm::map_to_vector(lists, [&](ArrayRef<int> list) {
    int64_t product = 1;
    for (int64_t size : sizesOf(list))
      product *= size;
    return product;
  });
}

Value AttentionRewriter::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(b, type.clone(shape), value);
}

/// `value`, of one dimension per axis of `from`, with the axes in the order
/// `to`.
Value AttentionRewriter::permute(Value value, ArrayRef<int> from,
                                 ArrayRef<int> to) {
  SmallVector<int64_t> permutation = llvm::map_to_vector(to, [&](int axis) {
    return int64_t(llvm::find(from, axis) - from.begin());
  });
  if (llvm::is_sorted(permutation))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  return TransposeOp::create(b, type.clone(sizesOf(to)), value, permutation);
}

SmallVector<int> tessera::fuse::concat(const AxisLists &lists) {
  SmallVector<int> all;
  for (ArrayRef<int> list : lists)
    llvm::append_range(all, list);
  return all;
}

/// A tensor in four dimensions, repeated along axes that it does not have.
Value AttentionRewriter::toDims(const AxisTensor &tensor,
                                const AxisLists &lists) {
  SmallVector<int> own = axesOf(tensor.layout), to, all = concat(lists);
  SmallVector<int64_t> dims;
  for (auto [i, axis] : llvm::enumerate(all))
    if (llvm::is_contained(own, axis)) {
      to.push_back(axis);
      dims.push_back(i);
    }
  Value value = permute(reshape(tensor.value, sizesOf(own)), own, to);
  if (to.size() != all.size())
    value = BroadcastOp::create(
        b, cast<RankedTensorType>(value.getType()).clone(sizesOf(all)), value,
        dims);
  return reshape(value, shapeOf(lists));
}

/// A tensor in the four dimensions of an operand, in the type of the products.
Value AttentionRewriter::toOperand(const AxisTensor &tensor,
                                   const AxisLists &lists) {
  Value value = toDims(tensor, lists);
  auto type = cast<RankedTensorType>(value.getType()).clone(element);
  return type == value.getType() ? value
                                 : arith::ExtFOp::create(b, type, value);
}

/// `factor` times `value`, which is not rounded before.
Value AttentionRewriter::multiply(Value value, double factor) {
  auto type = cast<RankedTensorType>(value.getType()),
       wide = type.clone(b.getF32Type());
  Value scale = arith::ConstantOp::create(
      b, DenseElementsAttr::get(wide, b.getF32FloatAttr(factor)));
  Value product = arith::MulFOp::create(b, toRowType(value), scale);
  return type == wide ? product : arith::TruncFOp::create(b, type, product);
}

/// Query or key with the features of all parts beside each other. A part's
/// query is scaled where its matmul is not scaled as the first one is.
Value AttentionRewriter::joinParts(bool isKey) {
  Value first = isKey ? toOperand(match.key, keyLists())
                      : toOperand(match.query, queryLists());
  if (match.parts.empty())
    return first;
  SmallVector<Value> joined = {first};
  for (auto [number, part] : llvm::enumerate(match.parts)) {
    Value own = isKey ? toOperand(part.key, keyLists(number + 1))
                      : toOperand(part.query, queryLists(number + 1));
    if (double ratio = part.scale / match.scores.scale; !isKey && ratio != 1)
      own = multiply(own, ratio);
    joined.push_back(own);
  }
  auto type = cast<RankedTensorType>(first.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = countFeatures();
  return ConcatenateOp::create(b, type.clone(shape), joined, 3);
}

/// The four dimensions of the scores, without those that have none of `axes`.
AxisLists AttentionRewriter::scoreLists(ArrayRef<int> axes) const {
  AxisLists lists = {batch, heads, match.queryAxes, match.keyAxes};
  for (SmallVector<int> &list : lists)
    if (llvm::none_of(list,
                      [&](int axis) { return llvm::is_contained(axes, axis); }))
      list.clear();
  return lists;
}

/// A bias or mask in the four dimensions of the scores, of size 1 where it has
/// none of their axes.
Value AttentionRewriter::toBroadcast(const AxisTensor &tensor) {
  return toDims(tensor, scoreLists(axesOf(tensor.layout)));
}

/// The shape that both broadcast to.
static SmallVector<int64_t> joinShapes(ArrayRef<int64_t> a,
                                       ArrayRef<int64_t> b) {
  SmallVector<int64_t> shape;
  for (auto [left, right] : llvm::zip_equal(a, b))
    shape.push_back(std::max(left, right));
  return shape;
}

/// Where all conditions of `conditions`, but for a causal one, hold; null if
/// there are none.
Value AttentionRewriter::makeCondition(const ScoreMask &conditions) {
  Value mask;
  for (const ScoreMask::Other &other : conditions.others) {
    Value value = toBroadcast(other.tensor);
    auto type = cast<RankedTensorType>(value.getType());
    if (other.negated) {
      Value ones =
          arith::ConstantOp::create(b, DenseElementsAttr::get(type, true));
      value = arith::XOrIOp::create(b, value, ones);
    }
    if (!mask) {
      mask = value;
      continue;
    }
    auto whole = type.clone(joinShapes(
        cast<RankedTensorType>(mask.getType()).getShape(), type.getShape()));
    auto repeat = [&](Value from) -> Value {
      if (from.getType() == whole)
        return from;
      return BroadcastOp::create(b, whole, from, ArrayRef<int64_t>{0, 1, 2, 3});
    };
    mask = arith::AndIOp::create(b, repeat(mask), repeat(value));
  }
  return mask;
}

Value AttentionRewriter::makeBias(const ScoreExpression::Bias &bias) {
  Value value = toBroadcast(bias.tensor);
  if (bias.scale == 1)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  Value scale = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getFloatAttr(type.getElementType(), bias.scale)));
  return arith::MulFOp::create(b, value, scale);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

ProgramOrder::Position ProgramOrder::positionOf(Operation *op) {
  if (blocks.insert(op->getBlock()).second)
    for (Operation &there : *op->getBlock())
      numbers.try_emplace(&there, numbers.size());
  Position position = {0, 0};
  for (; op; op = op->getPrevNode(), ++position.second)
    if (auto it = numbers.find(op); it != numbers.end()) {
      position.first = it->second + 1;
      break;
    }
  return position;
}

/// The following is inserted where all `values` can be read.
void AttentionRewriter::insertBehind(ArrayRef<Value> values) {
  Block *block = match.scores.dot->getBlock();
  Operation *last = nullptr;
  for (Value value : values) {
    Operation *op = value ? value.getDefiningOp() : nullptr;
    if (op && op->getBlock() == block && (!last || order.isBefore(last, op)))
      last = op;
  }
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(block);
}

/// The type of a result in four dimensions, of which the program has `results`.
RankedTensorType
AttentionRewriter::typeOf(ArrayRef<AttentionMatch::Result> results,
                          const AxisLists &lists, Value like) const {
  Type element =
      getElementTypeOrSelf(results.empty() ? like : results.front().value);
  return RankedTensorType::get(shapeOf(lists), element);
}

/// Replaces `result` by `value`, whose axes are `from`.
void AttentionRewriter::replaceOne(const AttentionMatch::Result &result,
                                   Value value, ArrayRef<int> from) {
  auto type = cast<RankedTensorType>(result.value.getType());
  SmallVector<int> to = axesOf(result.layout);
  value = permute(reshape(value, sizesOf(from)), from, to);
  value = reshape(value, type.getShape());
  if (value.getType() != type) {
    bool narrows = getElementTypeOrSelf(value).getIntOrFloatBitWidth() >
                   type.getElementTypeBitWidth();
    value = narrows ? arith::TruncFOp::create(b, type, value).getResult()
                    : arith::ExtFOp::create(b, type, value).getResult();
  }
  if (result.factor != 1) {
    Value factor = arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               type, b.getFloatAttr(type.getElementType(), result.factor)));
    value = arith::MulFOp::create(b, value, factor);
  }
  Value(result.value).replaceAllUsesWith(value);
}

/// Replaces all `results` by `by`, summed up along axes that they do not have:
/// those of biases, and those along which a query is repeated.
void AttentionRewriter::replace(ArrayRef<AttentionMatch::Result> results,
                                Value by, const AxisLists &lists) {
  OpBuilder::InsertionGuard guard(b);
  for (const AttentionMatch::Result &result : results) {
    b.setInsertionPointAfterValue(by);
    SmallVector<int> own = axesOf(result.layout), kept;
    SmallVector<int64_t> summed;
    for (auto [dim, axis] : llvm::enumerate(concat(lists)))
      if (llvm::is_contained(own, axis))
        kept.push_back(axis);
      else
        summed.push_back(dim);
    Value value = reshape(by, sizesOf(concat(lists)));
    if (!summed.empty())
      value = ReduceOp::create(
          b, cast<RankedTensorType>(value.getType()).clone(sizesOf(kept)),
          ReductionAttr::get(b.getContext(), ReductionKind::Sum), value,
          summed);
    replaceOne(result, value, kept);
  }
}

/// Replaces gradients of the query or the key by the features that they are of.
void AttentionRewriter::replaceParts(ArrayRef<AttentionMatch::Result> results,
                                     Value by, bool isKey) {
  OpBuilder::InsertionGuard guard(b);
  int64_t start = 0;
  auto type = cast<RankedTensorType>(by.getType());
  for (unsigned part = 0; part <= match.parts.size(); ++part) {
    SmallVector<AttentionMatch::Result> own;
    llvm::copy_if(results, std::back_inserter(own),
                  [&](const auto &result) { return result.part == part; });
    AxisLists lists = isKey ? keyLists(part) : queryLists(part);
    Value features = by;
    if (!match.parts.empty()) {
      b.setInsertionPointAfterValue(by);
      SmallVector<int64_t> shape(type.getShape()), starts(4, 0), ones(4, 1);
      starts[3] = start;
      start += shapeOf(lists).back();
      SmallVector<int64_t> limits = shape;
      limits[3] = start;
      shape[3] = start - starts[3];
      features =
          SliceOp::create(b, type.clone(shape), by, starts, limits, ones);
    }
    replace(own, features, lists);
  }
}

/// Returns the gradient of the output in four dimensions.
Value AttentionRewriter::emitGradient(const AttentionMatch::Gradient &gradient,
                                      AttentionOp forward) {
  insertBehind({output, gradient.outputGradient.value});
  Value outputGradient = toDims(gradient.outputGradient, outputLists());
  RankedTensorType ofQuery =
      typeOf(gradient.queries, queryLists(), match.query.value);
  RankedTensorType ofKey = typeOf(gradient.keys, keyLists(), match.key.value);
  // What is added up is rounded only then.
  if (!match.repeatedAxes.empty())
    ofQuery = ofQuery.clone(b.getF32Type());
  if (llvm::any_of(match.parts, [&](const AttentionMatch::Part &part) {
        SmallVector<int> own = axesOf(part.key.layout);
        return !llvm::all_of(match.batchAxes, [&](int axis) {
          return llvm::is_contained(own, axis);
        });
      }))
    ofKey = ofKey.clone(b.getF32Type());
  for (RankedTensorType *type : {&ofQuery, &ofKey}) {
    SmallVector<int64_t> shape(type->getShape());
    shape.back() = countFeatures();
    *type = type->clone(shape);
  }
  SmallVector<Type> types = {
      ofQuery, ofKey, typeOf(gradient.values, valueLists(), match.value.value)};
  SmallVector<int> biasAxes;
  for (const AttentionMatch::Result &bias : gradient.biases)
    llvm::append_range(biasAxes, axesOf(bias.layout));
  AxisLists biasLists = scoreLists(biasAxes);
  if (!gradient.biases.empty())
    types.push_back(typeOf(gradient.biases, biasLists, {}));
  auto op = AttentionGradientOp::create(
      b, types, forward.getQuery(), forward.getKey(), forward.getValue(),
      output, forward.getMaximum(), sum, outputGradient, forward.getBiases(),
      forward.getMask(), forward.getKeep(), forward.getScaleAttr(),
      forward.getSoftcapAttr(), forward.getCausalAttr(), forward.getFillAttr(),
      forward.getKeepScaleAttr());
  replaceParts(gradient.queries, op.getQueryGradient(), /*isKey=*/false);
  replaceParts(gradient.keys, op.getKeyGradient(), /*isKey=*/true);
  replace(gradient.values, op.getValueGradient(), valueLists());
  if (Value bias = op.getBiasGradient())
    replace(gradient.biases, bias, biasLists);
  return outputGradient;
}

AttentionOp AttentionRewriter::run() {
  SmallVector<Value> read = operands();
  if (match.sink && match.sink->tensor.value)
    read.push_back(match.sink->tensor.value);
  for (const ScoreMask *mask : {&match.mask, &match.keep})
    for (const ScoreMask::Other &other : mask->others)
      read.push_back(other.tensor.value);
  for (const ScoreExpression::Bias &bias : match.scores.biases)
    read.push_back(bias.tensor.value);
  insertBehind(read);
  Value query = joinParts(/*isKey=*/false), key = joinParts(/*isKey=*/true),
        value = toOperand(match.value, valueLists()),
        mask = makeCondition(match.mask), keep = makeCondition(match.keep);
  SmallVector<Value> biases;
  for (const ScoreExpression::Bias &bias : match.scores.biases)
    biases.push_back(makeBias(bias));
  auto rows = RankedTensorType::get(shapeOf({batch, heads, match.queryAxes}),
                                    b.getF32Type());
  bool hides = !match.mask.orders.empty() || mask;
  auto forward = AttentionOp::create(
      b,
      TypeRange{typeOf(match.outputs, outputLists(), match.value.value), rows,
                rows},
      query, key, value, biases, mask, keep,
      b.getF64FloatAttr(match.scores.scale),
      match.scores.tangent ? b.getF64FloatAttr(match.scores.softcap)
                           : FloatAttr(),
      match.mask.orders.empty()
          ? IntegerAttr()
          : b.getI64IntegerAttr(match.mask.orders.front().offset),
      hides && !std::isinf(*match.scores.fill)
          ? b.getF64FloatAttr(*match.scores.fill)
          : FloatAttr(),
      keep ? b.getF64FloatAttr(match.keepScale) : FloatAttr());
  output = forward.getOutput();
  sum = forward.getSum();
  if (match.sink)
    addSink(forward);
  SmallVector<Value> rowSums;
  bool needsSums = llvm::any_of(match.rows, [](const auto &row) {
    return llvm::any_of(row.summands, [](const auto &summand) {
      return !summand.gradients.empty();
    });
  });
  for (const AttentionMatch::Gradient &gradient : match.gradients) {
    Value outputGradient = emitGradient(gradient, forward);
    if (needsSums)
      rowSums.push_back(sumGradient(outputGradient));
  }
  for (const AttentionMatch::RowResult &row : match.rows)
    emitRow(row, forward, rowSums);
  replace(match.outputs, output, outputLists());
  return forward;
}
