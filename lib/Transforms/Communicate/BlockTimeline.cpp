//===- BlockTimeline.cpp - when collectives could run ---------------------===//

#include "BlockTimeline.h"
#include "ProgramSeconds.h"

#include <limits>

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

void communicate::forEachOperand(Operation *op,
                                 function_ref<void(Value)> visit) {
  if (op->getNumRegions() == 0) {
    llvm::for_each(op->getOperands(), visit);
    return;
  }
  op->walk(
      [&](Operation *inner) { llvm::for_each(inner->getOperands(), visit); });
}

/// Whether the links are busy while `op`, which is no collective, runs.
static bool communicates(Operation *op) {
  if (isa<func::CallOp, spmd::SendOp, spmd::RecvOp>(op))
    return true;
  return op->getNumRegions() != 0 && op->walk([](spmd::CollectiveOpInterface) {
                                         return WalkResult::interrupt();
                                       }).wasInterrupted();
}

BlockTimeline::BlockTimeline(Block &block, spmd::DeviceSeconds &costs,
                             double callSeconds,
                             function_ref<double(Operation *)> secondsOf,
                             function_ref<bool(Operation *)> isCounted)
    : costs(costs), callSeconds(callSeconds) {
  for (Operation &op : block) {
    auto parts = spmd::partsOf(&op);
    if (!parts.empty() && isCounted && !isCounted(&op))
      execute(&op, 0);
    else if (!parts.empty())
      transfer(&op, parts);
    else
      execute(&op, op.hasTrait<OpTrait::IsTerminator>() ? 0 : secondsOf(&op));
  }
  clock = std::max(clock, link);
  findLatest();
}

BlockTimeline::Source BlockTimeline::latestOperand(Operation *op) const {
  Source latest;
  forEachOperand(op, [&](Value operand) {
    Source source = sources.lookup(operand.getDefiningOp());
    if (source.end > latest.end)
      latest = source;
  });
  return latest;
}

/// Notes that `op` reads, at `time`, what all transfers that its operands come
/// from have given.
void BlockTimeline::read(Operation *op, double time) {
  SmallVector<Operation *> readers = {op};
  while (!readers.empty())
    forEachOperand(readers.pop_back_val(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      auto maker = makers.find(producer);
      if (maker != makers.end())
        list[maker->second].need = std::min(list[maker->second].need, time);
      else if (unread.erase(producer))
        readers.push_back(producer);
    });
}

void BlockTimeline::execute(Operation *op, double seconds) {
  Source latest = latestOperand(op);
  if (isFusedIntoReaders(op)) {
    clock += seconds;
    unread.insert(op);
    sources[op] = latest.end > clock ? latest : Source{clock, std::nullopt};
    return;
  }
  double begin = std::max(clock, latest.end);
  if (latest.transfer)
    list[*latest.transfer].stall += begin - clock;
  read(op, begin);
  clock = begin + seconds;
  sources[op] = {clock, std::nullopt};
  if (!communicates(op))
    return;
  begin = std::max(begin, link);
  link = std::max(clock, begin);
  list.push_back({op, 0, link - begin, begin, begin, link, link});
}

void BlockTimeline::transfer(Operation *op,
                             ArrayRef<spmd::CollectiveOpInterface> parts) {
  spmd::CollectiveOpInterface first = parts.front();
  int64_t devices = groupSize(op, first.getAxes()), bytes = 0;
  for (spmd::CollectiveOpInterface part : parts)
    bytes += part.getBytesSent(devices);
  const GroupLinks &links = costs.linksOf(first.getAxes());
  CollectiveKind kind = first.getCollectiveKind();
  Transfer call{op};
  call.latency = callSeconds + links.latencySeconds(kind, devices);
  call.seconds = links.transferSeconds(kind, devices, bytes);
  call.ready = latestOperand(op).end;
  call.begin = std::max(link, call.ready);
  read(op, call.begin);
  link = call.end = call.begin + call.latency + call.seconds;
  call.need = std::numeric_limits<double>::infinity();
  makers[op] = list.size();
  sources[op] = {link, list.size()};
  list.push_back(call);
}

/// From the last to the first: a call must be complete when it is needed, and
/// when the next one begins at the latest.
void BlockTimeline::findLatest() {
  double next = clock;
  for (Transfer &call : llvm::reverse(list)) {
    call.need = std::min(call.need, clock);
    next = std::min(call.need, next) - call.latency - call.seconds;
    call.latest = next;
  }
}
