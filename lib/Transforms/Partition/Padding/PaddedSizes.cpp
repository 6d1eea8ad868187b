//===- PaddedSizes.cpp - sizes that divide into equal parts ---------------===//

#include "Padding/PaddedSizes.h"

#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Sharding/Rules/FactorShardings.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

PaddedSizes::PaddedSizes(func::FuncOp function, const Mesh &mesh,
                         const DenseMap<Value, ShardingAttr> &shardings)
    : mesh(mesh), shardings(shardings) {
  // NOLINTNEXTLINE(custom-iteration-order): whether any is uneven.
  for (auto [value, sharding] : shardings)
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && !sharding.getValue().dividesEvenly(type.getShape(), mesh))
      isAnyUneven = true;
  if (!isAnyUneven)
    return;
  addValues(function);
  SmallVector<ReshardOp> reshards;
  walkProgram(function, [&](Operation *op) {
    if (auto reshard = dyn_cast<ReshardOp>(op))
      reshards.push_back(reshard);
    else if (hasDataFlow(op))
      forEachDataFlowEdge(op, [&](OpOperand &source, Value target) {
        tie(source.get(), target);
      });
    else
      tieOperation(op);
  });
  markBoundary(function);
  for (ReshardOp reshard : reshards)
    tieReshard(reshard);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

void PaddedSizes::addValue(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  const TensorSharding &sharding = shardings.at(value).getValue();
  firstClass[value] = classes.size();
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    classes.push_back({Class(classes.size()), type.getDimSize(dim),
                       sharding.numShards(dim, mesh), std::nullopt});
}

void PaddedSizes::addValues(func::FuncOp function) {
  llvm::for_each(function.getArguments(),
                 [&](Value value) { addValue(value); });
  walkProgram(function, [&](Operation *op) {
    for (Value result : op->getResults())
      addValue(result);
    if (hasDataFlow(op))
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          addValue(argument);
  });
}

PaddedSizes::Class PaddedSizes::find(Class number) const {
  while (classes[number].parent != number) {
    classes[number].parent = classes[classes[number].parent].parent;
    number = classes[number].parent;
  }
  return number;
}

void PaddedSizes::unite(Class a, Class b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  ClassInfo &from = classes[b], &into = classes[a];
  from.parent = a;
  into.size = std::max(into.size, from.size);
  into.shards = std::lcm(into.shards, from.shards);
  if (from.onlySize)
    fix(a, *from.onlySize);
}

void PaddedSizes::fix(Class number, int64_t size) {
  ClassInfo &info = classes[find(number)];
  assert((!info.onlySize || info.onlySize == size) && "one size per class");
  info.onlySize = size;
}

/// A dimension that is split by hand at the boundary of a manual region has
/// another size inside: there is no padding between its parts.
void PaddedSizes::tie(Value a, Value b) {
  auto from = dyn_cast<RankedTensorType>(a.getType()),
       to = dyn_cast<RankedTensorType>(b.getType());
  if (!from || !to)
    return;
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    if (from.getDimSize(dim) == to.getDimSize(dim)) {
      unite(classOf(a, dim), classOf(b, dim));
      continue;
    }
    for (auto [value, type] : {std::pair(a, from), std::pair(b, to)}) {
      int64_t size = type.getDimSize(dim);
      if (size % shardings.at(value).getValue().numShards(dim, mesh) == 0)
        fix(classOf(value, dim), size);
    }
  }
}

//===----------------------------------------------------------------------===//
// What ties dimensions together
//===----------------------------------------------------------------------===//

/// The factors that may be padded tie their dimensions together; all other
/// dimensions must be as they are.
void PaddedSizes::tieOperation(Operation *op) {
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule)
    return;
  SmallVector<ArrayRef<int64_t>> shapes = getShapes(op->getOperandTypes());
  llvm::append_range(shapes, getShapes(op->getResultTypes()));
  FactorLimits limits(*rule, shapes);
  SmallVector<std::optional<Class>> classOfFactor(rule->factors.size());
  for (size_t i = 0; i < rule->numTensors(); ++i) {
    Value value = i < op->getNumOperands()
                      ? op->getOperand(i)
                      : Value(op->getResult(i - op->getNumOperands()));
    for (auto [dim, factors] : llvm::enumerate(rule->tensor(i).dims)) {
      Class number = classOf(value, dim);
      int64_t shards = shardings.at(value).getValue().numShards(dim, mesh);
      if (factors.size() != 1 || !limits.hasSameBlocks(factors[0], shards)) {
        fix(number, shapes[i][dim]);
        continue;
      }
      std::optional<Class> &known = classOfFactor[factors[0]];
      if (known)
        unite(*known, number);
      known = number;
    }
  }
}

/// The blocks of arguments and results are those that the caller knows.
void PaddedSizes::markBoundary(func::FuncOp function) {
  auto mark = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      fix(classOf(value, dim),
          paddedSize(type.getDimSize(dim),
                     shardings.at(value).getValue().numShards(dim, mesh)));
  };
  llvm::for_each(function.getArguments(), mark);
  function.walk(
      [&](func::ReturnOp op) { llvm::for_each(op.getOperands(), mark); });
}

void PaddedSizes::tieReshard(ReshardOp op) {
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    if (shardings.at(op.getOperand()).getValue().dims[dim].axes.empty() ||
        op.getSharding().getValue().dims[dim].axes.empty())
      continue;
    Class from = classOf(op.getOperand(), dim), to = classOf(op, dim);
    const ClassInfo &a = classes[from], &b = classes[to];
    int64_t padded =
        paddedSize(std::max(a.size, b.size), std::lcm(a.shards, b.shards));
    auto allows = [&](const ClassInfo &info) {
      return !info.onlySize || padded == *info.onlySize;
    };
    if (allows(a) && allows(b))
      unite(from, to);
  }
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

int64_t PaddedSizes::paddedSize(int64_t size, int64_t shards) {
  return llvm::divideCeil(size, shards) * shards;
}

Type PaddedSizes::paddedType(Value value) const {
  auto entry = firstClass.find(value);
  if (entry == firstClass.end())
    return value.getType();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, size] : llvm::enumerate(shape)) {
    const ClassInfo &info = classes[find(entry->second + dim)];
    size = paddedSize(info.size, info.shards);
  }
  return type.clone(shape);
}
