//===- BodyAncestors.cpp - what values of a block depend on ---------------===//

#include "Step/BodyAncestors.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

BodyAncestors::BodyAncestors(
    ArrayRef<Operation *> operations,
    llvm::function_ref<ArrayRef<Value>(Operation *)> readsOf)
    : firstInput{0} {
  for (auto [number, op] : llvm::enumerate(operations))
    numbers[op] = number;
  for (Operation *op : operations) {
    for (Value read : readsOf(op))
      if (auto known = numbers.find(read.getDefiningOp());
          known != numbers.end())
        inputs.push_back(known->second);
    firstInput.push_back(inputs.size());
  }
}

bool BodyAncestors::areSeveral(Value value) const {
  auto known = numbers.find(value.getDefiningOp());
  return known != numbers.end() &&
         firstInput[known->second] < firstInput[known->second + 1];
}

/// By operation, which of up to 64 `values` depend on it.
std::vector<uint64_t> BodyAncestors::reach(ArrayRef<Value> values) const {
  std::vector<uint64_t> reached(size(), 0);
  for (auto [bit, value] : llvm::enumerate(values))
    if (auto known = numbers.find(value.getDefiningOp());
        known != numbers.end())
      reached[known->second] |= uint64_t(1) << bit;
  for (size_t op = size(); op-- > 0;)
    if (reached[op])
      for (unsigned i = firstInput[op]; i < firstInput[op + 1]; ++i)
        reached[inputs[i]] |= reached[op];
  return reached;
}

llvm::BitVector BodyAncestors::ofAny(ArrayRef<Value> values) const {
  llvm::BitVector found(size());
  for (Value value : values)
    if (auto known = numbers.find(value.getDefiningOp());
        known != numbers.end())
      found.set(known->second);
  for (size_t op = size(); op-- > 0;)
    if (found.test(op))
      for (unsigned i = firstInput[op]; i < firstInput[op + 1]; ++i)
        found.set(inputs[i]);
  return found;
}

llvm::BitVector BodyAncestors::ofAll(ArrayRef<Value> values) const {
  llvm::BitVector found(size(), true);
  for (; !values.empty();
       values = values.drop_front(std::min<size_t>(values.size(), 64))) {
    ArrayRef<Value> some = values.take_front(64);
    uint64_t all = ~uint64_t(0) >> (64 - some.size());
    for (auto [op, reached] : llvm::enumerate(reach(some)))
      if (reached != all)
        found.reset(op);
  }
  return found;
}
