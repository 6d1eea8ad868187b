//===- GradientParts.cpp - weight gradients by groups of parameters -------===//

#include "Schedule/GradientParts.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;
using pipe::FragmentKind;
using pipe::FragmentOp;

/// Gaps are rarely so short that a smaller part is needed.
static constexpr unsigned kMostParts = 4;
/// What the longest part may take of what it takes with one part less.
static constexpr double kShorter = 0.8;

GradientParts::GradientParts(FragmentOp fragment, const pipe::Step &step,
                             OperationCosts &costs, unsigned wanted)
    : fragment(fragment), step(step), costs(costs), body(fragment) {
  putInRow();
  addTimes();
  chooseCuts(wanted);
}

void GradientParts::putInRow() {
  llvm::EquivalenceClasses<Operation *> components;
  for (Operation *op : body.getOperations()) {
    if (body.isFree(op))
      continue;
    components.insert(op);
    for (Value value : body.readsOf(op))
      if (Operation *producer = body.producerOf(value))
        if (!body.isFree(producer))
          components.unionSets(op, producer);
  }
  llvm::MapVector<Operation *, SmallVector<Operation *>> members;
  for (Operation *op : body.getOperations())
    if (!body.isFree(op))
      members[components.getLeaderValue(op)].push_back(op);
  for (auto &[leader, operations] : members)
    llvm::append_range(row, operations);
  for (auto [index, op] : llvm::enumerate(row))
    position[op] = index;
}

void GradientParts::addTimes() {
  before.assign(row.size() + 1, 0);
  crossing.assign(row.size() + 1, 0);
  llvm::MapVector<Value, size_t> lastReaders;
  for (auto [index, op] : llvm::enumerate(row)) {
    before[index + 1] = before[index] + costs.seconds(op);
    for (Value value : body.readsOf(op))
      if (isInRow(value))
        lastReaders[value] = index;
  }
  for (auto [value, last] : lastReaders)
    for (size_t i = position.at(body.producerOf(value)) + 1; i <= last; ++i)
      crossing[i] += costs.secondsThroughMemory(costs.bytes(value)) / 2;
}

void GradientParts::chooseCuts(unsigned wanted) {
  const size_t size = row.size();
  ends = {size};
  // By position, the longest piece if what is before it is cut best into as
  // many pieces as there are rounds, and where the last of these begins.
  SmallVector<double, 0> longest(size + 1);
  SmallVector<SmallVector<size_t, 0>> begins;
  for (size_t end = 0; end <= size; ++end)
    longest[end] = secondsOfPiece(0, end);
  size_t most = std::min<size_t>(wanted ? wanted : kMostParts, size);
  for (size_t parts = 2; parts <= most; ++parts) {
    SmallVector<double, 0> next(size + 1,
                                std::numeric_limits<double>::infinity());
    SmallVector<size_t, 0> &begin = begins.emplace_back(size + 1, 0);
    for (size_t end = parts; end <= size; ++end)
      for (size_t i = parts - 1; i < end; ++i)
        if (double seconds = std::max(longest[i], secondsOfPiece(i, end));
            seconds < next[end]) {
          next[end] = seconds;
          begin[end] = i;
        }
    if (!wanted && !(next[size] <= kShorter * longest[size]))
      return;
    longest = std::move(next);
    ends = {size};
    for (size_t k = parts - 1; k-- > 0;)
      ends.insert(ends.begin(), begins[k][ends.front()]);
  }
}

/// The part that does the operation at `index` of the row.
unsigned GradientParts::partAt(size_t index) const {
  return llvm::upper_bound(ends, index) - ends.begin();
}

/// The part that makes `value`; the last one for what is in no row.
unsigned GradientParts::partOf(Value value) const {
  auto found = position.find(body.producerOf(value));
  return found == position.end() ? size() - 1 : partAt(found->second);
}

std::vector<WeightPart> GradientParts::measure() const {
  std::vector<WeightPart> parts(size());
  llvm::MapVector<Value, unsigned> lastReaders;
  for (auto [index, op] : llvm::enumerate(row)) {
    parts[partAt(index)].seconds += before[index + 1] - before[index];
    for (Value value : body.readsOf(op))
      lastReaders[value] = partAt(index);
  }
  for (auto [value, last] : lastReaders) {
    double bytes = double(costs.bytes(value));
    if (step.isPerMicrobatch(value)) {
      parts[last].releases += bytes;
    } else if (isInRow(value) && partOf(value) != last) {
      parts[partOf(value)].makes += bytes;
      parts[last].releases += bytes;
    }
  }
  return parts;
}

/// What each part does, which results of the fragment it gives, and what it
/// yields beside them for parts behind it. Operations that are free are in
/// every part that needs them.
SmallVector<GradientParts::Part> GradientParts::makeParts() const {
  SmallVector<Part> parts(size());
  for (auto [number, value] : llvm::enumerate(body.results())) {
    Part &part = parts[partOf(value)];
    part.results.push_back(number);
    part.yields.push_back(value);
  }
  for (auto [index, op] : llvm::enumerate(row)) {
    unsigned reader = partAt(index);
    parts[reader].operations.insert(op);
    for (Value value : body.readsOf(op)) {
      SmallVector<Value> &given = parts[partOf(value)].yields;
      if (isInRow(value) && partOf(value) != reader &&
          !llvm::is_contained(given, value))
        given.push_back(value);
    }
  }
  // What is free, each makes for itself.
  for (Part &part : parts) {
    SmallVector<Value> worklist(part.yields);
    // NOLINTNEXTLINE(custom-iteration-order): into a set.
    for (Operation *op : part.operations)
      llvm::append_range(worklist, body.readsOf(op));
    while (!worklist.empty()) {
      Operation *op = body.producerOf(worklist.pop_back_val());
      if (op && body.isFree(op) && part.operations.insert(op).second)
        llvm::append_range(worklist, body.readsOf(op));
    }
  }
  return parts;
}

void GradientParts::takeApart() {
  IRMapping given;
  for (auto [number, part] : llvm::enumerate(makeParts())) {
    SmallVector<Operation *> operations =
        llvm::filter_to_vector(body.getOperations(), [&](Operation *op) {
          return part.operations.contains(op);
        });
    IRMapping mapping(given);
    FragmentOp piece = cloneFragment(fragment, FragmentKind::WeightGradient,
                                     operations, part.yields, mapping);
    piece.setPart(number);
    for (auto [value, result] :
         llvm::zip_equal(part.yields, piece.getResults()))
      if (isInRow(value))
        given.map(value, result);
    for (auto [result, value] : llvm::zip(part.results, piece.getResults()))
      fragment.getResult(result).replaceAllUsesWith(value);
  }
  fragment.erase();
}
