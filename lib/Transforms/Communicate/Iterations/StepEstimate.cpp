//===- StepEstimate.cpp - what a program takes ----------------------------===//

#include "Iterations/StepEstimate.h"

#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Interfaces/TripCount.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

/// The bytes that `loop` copies in every iteration: a collective that gives
/// what is carried cannot write it where that is still read.
static int64_t copiedBytes(scf::ForOp loop) {
  int64_t bytes = 0;
  for (auto [value, carried] :
       llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()))
    if (value.getDefiningOp<spmd::CollectiveOpInterface>() &&
        !carried.use_empty())
      bytes += spmd::bytesOf(value);
  return bytes;
}

double StepEstimate::of(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || loop.getBody()->getOps<spmd::CollectiveOpInterface>().empty())
    return costs->of(op);
  // Copied bytes are read and written.
  double copies = 2.0 * copiedBytes(loop) / machine.memoryBandwidth;
  int64_t trips = tripCount(op) / tripCount(op->getParentOp());
  return trips * (ofBlock(*loop.getBody()) + copies);
}

double StepEstimate::ofBlock(Block &block) {
  return BlockTimeline(block, links, callSeconds,
                       [&](Operation *op) { return of(op); })
      .end();
}

double StepEstimate::secondsOf(Block &block) {
  costs.emplace(module, machine);
  return ofBlock(block);
}

double StepEstimate::callSecondsOf(spmd::CollectiveOpInterface op) {
  return callSeconds + links.linksOf(op.getAxes())
                           .latencySeconds(op.getCollectiveKind(),
                                           groupSize(op, op.getAxes()));
}

/// The operand in whose place `op` keeps `result`, where nothing reads it
/// later.
static Value placeOf(OpResult result) {
  Operation *op = result.getOwner();
  Value place;
  if (auto update = dyn_cast<DynamicUpdateSliceOp>(op))
    place = update.getOperand();
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    place = loop.getInitArgs()[result.getResultNumber()];
  return place && place.hasOneUse() ? place : Value();
}

/// The values in memory that the kernel of `op` reads, also in its regions;
/// none if it disappears in the kernels of its readers.
static llvm::SmallSetVector<Value, 8> readBy(Operation *op) {
  llvm::SmallSetVector<Value, 8> values;
  if (isFusedIntoReaders(op))
    return values;
  forEachOperand(op, [&](Value value) { values.insert(value); });
  // Grows while it is walked.
  for (unsigned i = 0; i < values.size(); ++i)
    if (Operation *producer = values[i].getDefiningOp();
        producer && isFusedIntoReaders(producer))
      values.insert_range(producer->getOperands());
  return values;
}

int64_t communicate::mostBytes(Block &block, ArrayRef<int64_t> argumentBytes,
                               llvm::DenseMap<Operation *, int64_t> *before) {
  llvm::DenseMap<Value, unsigned> readers;
  for (Operation &op : block)
    for (Value value : readBy(&op))
      ++readers[value];
  // What lies where another value lay has its bytes.
  llvm::DenseMap<Value, int64_t> bytes;
  int64_t live = 0, most = 0;
  for (auto [argument, size] : llvm::zip(block.getArguments(), argumentBytes))
    live += bytes[argument] = size;
  for (Operation &op : block) {
    if (before)
      (*before)[&op] = live;
    int64_t inside = 0;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        inside = std::max(inside, mostBytes(inner));
    for (OpResult result : op.getResults()) {
      if (!isa<RankedTensorType>(result.getType()) || isFusedIntoReaders(&op))
        continue;
      if (Value place = placeOf(result)) {
        bytes[result] = bytes.lookup(place);
        bytes.erase(place);
      } else {
        live += bytes[result] = spmd::bytesOf(result);
      }
    }
    most = std::max(most, live + inside);
    for (Value value : readBy(&op))
      if (--readers[value] == 0)
        live -= bytes.lookup(value);
    for (Value result : op.getResults())
      if (result.use_empty())
        live -= bytes.lookup(result);
  }
  return most;
}
