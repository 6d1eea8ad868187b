//===- CallBuckets.cpp - which collectives become one call ----------------===//

#include "CallBuckets.h"

#include "CallKey.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

/// A call is large if its bytes take so many times as long as it costs before
/// they move: there is no more than a sixteenth to be saved.
static constexpr double kLarge = 15;
/// Estimates that differ by less, relatively, are equal.
static constexpr double kEqual = 1e-9;

Operation *communicate::joinCall(OpBuilder &builder, const CallParts &parts) {
  if (parts.size() == 1)
    return parts.front();
  Location loc = parts.front()->getLoc();
  SmallVector<Value> operands, results;
  for (Operation *part : parts) {
    operands.push_back(part->getOperand(0));
    results.push_back(part->getResult(0));
  }
  auto call = spmd::CombinedOp::create(
      builder, loc, TypeRange(ValueRange(results)), operands);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&call.getBody());
  for (auto [part, result] : llvm::zip_equal(parts, call.getResults())) {
    part->getResult(0).replaceAllUsesWith(result);
    part->moveBefore(body, body->end());
    part->setOperand(
        0, body->addArgument(part->getOperand(0).getType(), part->getLoc()));
  }
  spmd::YieldOp::create(builder, loc, results);
  return call;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

CallBuckets::Times CallBuckets::Times::of(const Transfer &transfer) {
  return {transfer.ready, transfer.latency, transfer.seconds,
          transfer.need,  transfer.stall,   transfer.stall};
}

CallBuckets::Times CallBuckets::Times::joined(const Times &other) const {
  Times both = *this;
  both.ready = std::max(ready, other.ready);
  both.seconds += other.seconds;
  both.need = std::min(need, other.need);
  both.stalls += other.stalls;
  both.firstStall = (need == both.need ? firstStall : 0) +
                    (other.need == both.need ? other.firstStall : 0);
  return both;
}

bool CallBuckets::Times::isLarge() const { return seconds >= kLarge * latency; }

void CallBuckets::Bucket::add(const Transfer &transfer) {
  parts.push_back(transfer.op);
  reads.push_back({transfer.need, transfer.stall});
  std::push_heap(reads.begin(), reads.end(), std::greater<>());
}

double CallBuckets::Bucket::waitedBefore(double time) {
  while (!reads.empty() && reads.front().first <= time) {
    waited += reads.front().second;
    std::pop_heap(reads.begin(), reads.end(), std::greater<>());
    reads.pop_back();
  }
  return waited;
}

bool CallBuckets::pays(const Times &joined, unsigned lane,
                       double latest) const {
  // As if the other buckets were closed now.
  double busy = link;
  for (auto [number, other] : llvm::enumerate(lanes))
    if (number != lane && other.isOpen)
      busy = other.buckets.back().times.end(busy);
  double end = joined.end(busy), tolerance = kEqual * end;
  // A reader that waits anyway may wait as little longer as matters to nobody.
  double longer = joined.firstStall > 0 ? joined.latency / (kLarge + 1) : 0;
  return end <= latest + tolerance &&
         end - joined.need <=
             joined.stalls - joined.firstStall + longer + tolerance;
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

/// Raises `clock` to what `other` says; whether anything changed.
static bool raise(SmallVectorImpl<int32_t> &clock, ArrayRef<int32_t> other) {
  if (clock.size() < other.size())
    clock.resize(other.size(), -1);
  bool changed = false;
  for (auto [mine, theirs] : llvm::zip(clock, other)) {
    changed |= theirs > mine;
    mine = std::max(mine, theirs);
  }
  return changed;
}

CallBuckets::Clock CallBuckets::clockOf(Operation *op) {
  Clock clock;
  forEachOperand(op, [&](Value operand) {
    if (auto producer = clocks.find(operand.getDefiningOp());
        producer != clocks.end())
      raise(clock, producer->second);
  });
  if (!isMemoryEffectFree(op)) {
    raise(clock, effects);
    effects = clock;
  }
  return clock;
}

bool CallBuckets::dependsOnOpen(const Clock &clock, unsigned lane) const {
  Clock all = clock;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned other = 0; other < all.size(); ++other)
      if (all[other] >= 0)
        changed |= raise(all, lanes[other].buckets[all[other]].clock);
  }
  return lane < all.size() &&
         all[lane] + 1 == int32_t(lanes[lane].buckets.size());
}

//===----------------------------------------------------------------------===//
// Buckets
//===----------------------------------------------------------------------===//

/// Numbers the lanes that have several collectives.
void CallBuckets::findLanes(const BlockTimeline &timeline) {
  llvm::MapVector<std::pair<StringAttr, std::pair<Attribute, Attribute>>,
                  CallParts>
      found;
  for (const Transfer &transfer : timeline.transfers())
    if (auto op = dyn_cast<spmd::CollectiveOpInterface>(transfer.op);
        op && !Times::of(transfer).isLarge()) {
      CallKey key = CallKey::of(op);
      found[{key.kind, {key.axes, key.reduction}}].push_back(op);
    }
  for (auto &[key, parts] : found) {
    if (parts.size() < 2)
      continue;
    for (Operation *op : parts)
      laneOf[op] = lanes.size();
    lanes.emplace_back();
  }
}

CallBuckets::CallBuckets(Block &block, const BlockTimeline &timeline) {
  findLanes(timeline);
  if (lanes.empty())
    return;
  ArrayRef<Transfer> left = timeline.transfers();
  for (Operation &op : block.without_terminator()) {
    Clock clock = clockOf(&op);
    bool communicates = !left.empty() && left.front().op == &op;
    if (communicates) {
      Transfer transfer = left.front();
      left = left.drop_front();
      if (auto lane = laneOf.find(&op); lane != laneOf.end()) {
        place(transfer, lane->second, clock,
              left.empty() ? timeline.end() : left.front().latest);
        clock.assign(lane->second + 1, -1);
        clock.back() = int32_t(lanes[lane->second].buckets.size()) - 1;
      } else {
        // A loop has the links for as long as it runs: what waits for more
        // parts would go behind it.
        if (op.getNumRegions() != 0)
          for (Lane &lane : lanes)
            if (lane.isOpen)
              close(lane);
        link = Times::of(transfer).end(link);
      }
    }
    clocks[&op] = std::move(clock);
  }
}

void CallBuckets::place(const Transfer &transfer, unsigned number,
                        const Clock &clock, double latest) {
  Lane &lane = lanes[number];
  Times times = Times::of(transfer);
  if (lane.isOpen) {
    Bucket &open = lane.buckets.back();
    Times earlier = times;
    earlier.ready -= open.waitedBefore(times.ready);
    Times both = open.times.joined(earlier);
    if (!dependsOnOpen(clock, number) && pays(both, number, latest)) {
      open.add(transfer);
      open.times = both;
      raise(open.clock, clock);
      if (both.isLarge())
        close(lane);
      return;
    }
    close(lane);
  }
  // Behind the bucket before.
  Clock all = clock;
  if (!lane.buckets.empty()) {
    SmallVector<int32_t> before(number + 1, -1);
    before.back() = int32_t(lane.buckets.size()) - 1;
    raise(all, before);
  }
  lane.buckets.emplace_back();
  lane.buckets.back().clock = std::move(all);
  lane.buckets.back().times = times;
  lane.buckets.back().add(transfer);
  lane.isOpen = true;
}

void CallBuckets::close(Lane &lane) {
  link = lane.buckets.back().times.end(link);
  lane.isOpen = false;
}

SmallVector<CallParts, 0> CallBuckets::take() {
  SmallVector<CallParts, 0> calls;
  for (Lane &lane : lanes)
    for (Bucket &bucket : lane.buckets)
      if (bucket.parts.size() > 1)
        calls.push_back(std::move(bucket.parts));
  return calls;
}
