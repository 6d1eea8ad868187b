//===- ArenaPeak.cpp - when the arena holds most --------------------------===//
//
// Reads the finished plan: every value is held from when it is made until it is
// last read (see Lifetimes), every arena of a called function while the call
// lasts. Where the peak is a call, the peak of the called function is looked
// for in turn.
//
//===----------------------------------------------------------------------===//

#include "tessera/Transforms/Schedule/ArenaPeak.h"

#include "Calls.h"
#include "Lifetimes.h"

#include "tessera/Dialect/Spmd/MemoryMap.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

namespace {

/// A value in the arena, or the arena of the function that `op` calls.
struct Held {
  int64_t begin, end, offset, bytes;
  Value value;
  func::CallOp call;
};

/// Everything that lies in the arena of one function.
class ArenaContents {
public:
  explicit ArenaContents(func::FuncOp function)
      : times(function), functions(function->getParentOfType<ModuleOp>()),
        table(function) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      collect(op);
      return isa<spmd::KernelOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
    });
  }

  /// The time at which most bytes are held; none where nothing is.
  std::optional<int64_t> peak() const;
  /// What is held at `time`, of each place the largest.
  SmallVector<const Held *> at(int64_t time) const;

  const CalledFunctions &called() const { return functions; }
  const Lifetimes &lifetimes() const { return times; }

private:
  void collect(Operation *op);
  void add(Value value, int64_t begin, int64_t end);

  Lifetimes times;
  CalledFunctions functions;
  spmd::MemoryMap table;
  std::vector<Held> contents;
};

} // namespace

void ArenaContents::collect(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    if (auto place = op->getAttrOfType<spmd::BufferAttr>(
            spmd::SpmdDialect::kWorkspaceAttr))
      if (int64_t bytes = functions.arenaSize(call))
        contents.push_back({times.begin(op), times.begin(op),
                            place.getPosition(), bytes, Value(), call});
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    for (BlockArgument argument : loop.getBeforeArguments())
      add(argument, times.begin(op), times.end(op));
  // A wait gives what its collective has written.
  if (isa<spmd::WaitOp>(op))
    return;
  spmd::StartOp start = startOf(op);
  for (Value result : op->getResults()) {
    Value last = start ? Value(start.getWait().getResult()) : result;
    add(result, times.begin(op), std::max(times.lastUse(last), times.end(op)));
  }
}

void ArenaContents::add(Value value, int64_t begin, int64_t end) {
  if (!isa<RankedTensorType>(value.getType()))
    return;
  std::optional<spmd::MemoryLocation> place = table.lookup(value);
  if (place && place->space == spmd::Space::Arena)
    contents.push_back(
        {begin, end, place->position, spmd::bytesOf(value), value, {}});
}

std::optional<int64_t> ArenaContents::peak() const {
  // By time; what ends at a time is held then.
  std::vector<std::pair<int64_t, const Held *>> begins, ends;
  for (const Held &held : contents) {
    begins.push_back({held.begin, &held});
    ends.push_back({held.end, &held});
  }
  llvm::sort(begins);
  llvm::sort(ends);
  std::map<int64_t, std::multiset<int64_t>> places;
  auto largest = [&](int64_t offset) {
    const std::multiset<int64_t> &sizes = places[offset];
    return sizes.empty() ? 0 : *sizes.rbegin();
  };
  int64_t sum = 0, most = 0;
  std::optional<int64_t> time;
  size_t ended = 0;
  for (size_t i = 0; i < begins.size(); ++i) {
    for (; ends[ended].first < begins[i].first; ++ended) {
      const Held &held = *ends[ended].second;
      int64_t before = largest(held.offset);
      auto &sizes = places[held.offset];
      sizes.erase(sizes.find(held.bytes));
      sum += largest(held.offset) - before;
    }
    const Held &held = *begins[i].second;
    int64_t before = largest(held.offset);
    places[held.offset].insert(held.bytes);
    sum += largest(held.offset) - before;
    if (sum > most) {
      most = sum;
      time = held.begin;
    }
  }
  return time;
}

SmallVector<const Held *> ArenaContents::at(int64_t time) const {
  std::map<int64_t, const Held *> places;
  for (const Held &held : contents)
    if (held.begin <= time && time <= held.end) {
      const Held *&known = places[held.offset];
      if (!known || known->bytes < held.bytes)
        known = &held;
    }
  return llvm::to_vector(llvm::make_second_range(places));
}

ArenaPeak tessera::schedule::findArenaPeak(func::FuncOp function) {
  ArenaContents contents(function);
  ArenaPeak peak;
  std::optional<int64_t> time = contents.peak();
  if (!time)
    return peak;
  function.walk([&](Operation *op) {
    if (contents.lifetimes().begin(op) == *time && !startOf(op))
      peak.op = op;
  });
  for (const Held *held : contents.at(*time)) {
    if (held->value) {
      peak.held.push_back(held->value);
      continue;
    }
    ArenaPeak inner = findArenaPeak(contents.called().find(held->call));
    if (inner.op)
      peak.op = inner.op;
    peak.held.append(inner.held);
  }
  return peak;
}
