//===- ExplainOrder.cpp - why collectives are where they are --------------===//
//
// A call starts where its operand is there, or later: then because it is not
// needed yet, and its result would take memory. It is awaited where it is read,
// or earlier: then because it is done, and its operand takes memory. What lies
// in between can hide it.
//
//===----------------------------------------------------------------------===//

#include "ExplainOrder.h"

#include "Quantities.h"
#include "ScheduledStep.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Schedule/CollectiveOrder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tessera;
using schedule::CollectiveOrder;
using schedule::SharedDevices;

namespace {

/// How many kernels there are between two places, at the fewest and at most.
struct KernelRange {
  int64_t fewest = std::numeric_limits<int64_t>::max(), most = 0;

  void add(int64_t number) {
    fewest = std::min(fewest, number);
    most = std::max(most, number);
  }
};

/// Calls of one kind, group and place in the model.
struct PlacedCalls {
  /// The first of them.
  spmd::StartOp start;
  int64_t count = 0;
  /// Who makes the operand, and who reads the result first, of the first call;
  /// null where that is no operation of its block.
  Operation *maker = nullptr, *reader = nullptr;
  /// Kernels between the operand's maker and the start, between the start and
  /// the wait, and between the wait and the first reader.
  KernelRange before, beside, behind;
  /// The bytes that results take more than operands.
  int64_t growth = 0;
  ScheduledCollective seconds = {};
};

/// Where operations of a block stand: how many kernels are before them.
class Positions {
public:
  int64_t of(Operation *op) {
    if (known.find(op) == known.end())
      read(*op->getBlock());
    return known[op];
  }

private:
  void read(Block &block) {
    int64_t count = 0;
    for (Operation &op : block) {
      known[&op] = count;
      // What is called, or has regions, runs kernels as well.
      count += isa<spmd::KernelOp, func::CallOp>(op) ||
               (op.getNumRegions() > 0 && !isa<spmd::StartOp>(op));
    }
  }

  llvm::DenseMap<Operation *, int64_t> known;
};

/// By the name of the place, in the order of their first calls.
using Places = std::vector<std::pair<std::string, PlacedCalls>>;

} // namespace

/// The last operation of the block of a call that makes one of its operands.
/// Null for arguments of the block and values from outside.
static Operation *findMaker(ArrayRef<spmd::StartOp> parts) {
  Operation *last = nullptr;
  for (spmd::StartOp part : parts) {
    Operation *maker = part.getStarted()->getOperand(0).getDefiningOp();
    if (maker && maker->getBlock() == part->getBlock() &&
        (!last || last->isBeforeInBlock(maker)))
      last = maker;
  }
  return last;
}

/// The first operation of the block of a call that reads one of its results, or
/// has a region that does; null where nothing does.
static Operation *findReader(ArrayRef<spmd::StartOp> parts) {
  Operation *first = nullptr;
  for (spmd::StartOp part : parts)
    for (Operation *user : part.getWait()->getUsers()) {
      Operation *op = part->getBlock()->findAncestorOpInBlock(*user);
      if (op && (!first || op->isBeforeInBlock(first)))
        first = op;
    }
  return first;
}

static std::string nameOf(spmd::CollectiveOpInterface collective) {
  std::string name = collective->getName().stripDialect().str();
  llvm::raw_string_ostream os(name);
  os << " over ";
  llvm::interleaveComma(collective.getAxes().getAxes(), os);
  return name;
}

static void add(PlacedCalls &calls, ArrayRef<spmd::StartOp> parts,
                Positions &positions) {
  spmd::StartOp start = parts.front();
  Operation *maker = findMaker(parts), *reader = findReader(parts);
  if (calls.count++ == 0) {
    calls.start = start;
    calls.maker = maker;
    calls.reader = reader;
  }
  int64_t begin = positions.of(start), end = positions.of(start.getWait());
  int64_t made = maker ? positions.of(maker) + isa<spmd::KernelOp>(maker) : 0;
  calls.before.add(begin - made);
  calls.beside.add(end - begin);
  if (reader)
    calls.behind.add(positions.of(reader) - end);
  int64_t growth = 0;
  for (spmd::StartOp part : parts)
    growth += spmd::bytesOf(part.getStarted()->getResult(0)) -
              spmd::bytesOf(part.getStarted()->getOperand(0));
  calls.growth = std::max(calls.growth, growth);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static void printKernels(const KernelRange &range, raw_ostream &os) {
  os << range.fewest;
  if (range.most != range.fewest)
    os << " to " << range.most;
  os << (range.most == 1 ? " kernel" : " kernels");
}

/// ..., behind `its operand`.
static std::string describeOrigin(const PlacedCalls &calls) {
  Operation *maker = calls.maker;
  if (!maker)
    return isa<func::FuncOp>(calls.start->getParentOp())
               ? "is an argument"
               : "is made outside of the region or carried into it";
  if (auto wait = dyn_cast<spmd::WaitOp>(maker))
    maker = wait.getStart().getStarted();
  return describeOperation(maker) + " makes";
}

static void printStart(const PlacedCalls &calls, raw_ostream &os) {
  os << "      starts ";
  if (calls.before.most == 0) {
    os << "as soon as its operand is there, which " << describeOrigin(calls)
       << '\n';
    return;
  }
  printKernels(calls.before, os);
  os << " behind its operand, which " << describeOrigin(calls);
  if (calls.growth > 0)
    os << ": before, its result would take " << formatBytes(calls.growth)
       << " more than its operand for longer";
  else
    os << ": before, others have the links, or memory does not allow it";
  os << '\n';
}

static void printWait(const PlacedCalls &calls, raw_ostream &os) {
  os << "      awaited ";
  if (!calls.reader)
    os << "at the end, as nobody reads it\n";
  else if (calls.behind.most == 0)
    os << "right before it is read, by " << describeOperation(calls.reader)
       << '\n';
  else {
    printKernels(calls.behind, os);
    os << " before it is read, by " << describeOperation(calls.reader)
       << ": it is done by then, and its operand is free\n";
  }
}

static void printSeconds(const PlacedCalls &calls, bool isKnown,
                         raw_ostream &os) {
  os << "      ";
  printKernels(calls.beside, os);
  os << " beside it";
  const ScheduledCollective &seconds = calls.seconds;
  if (!isKnown || seconds.times == 0) {
    os << '\n';
    return;
  }
  os << "; of " << formatSeconds(seconds.seconds) << " hidden "
     << formatSeconds(std::max(seconds.seconds - seconds.exposed, 0.0));
  if (seconds.cover)
    os << ", most behind " << describeOperation(seconds.cover);
  if (seconds.exposed > 0)
    os << "; exposed for " << formatSeconds(seconds.exposed)
       << "; would be hidden by " << describeRemedy(seconds);
  os << '\n';
}

static Places findPlaces(const CollectiveOrder &order,
                         const ScheduledStep *step) {
  llvm::DenseMap<Operation *, const ScheduledCollective *> played;
  if (step)
    for (const ScheduledCollective &collective : step->collectives)
      played[collective.start] = &collective;
  Places places;
  llvm::StringMap<size_t> numbers;
  Positions positions;
  for (spmd::StartOp start : order.calls) {
    SmallVector<spmd::StartOp, 1> parts = spmd::startsOfCall(start);
    std::string name = nameOf(start.getCollective());
    if (parts.size() > 1)
      name += ", several in one call,";
    if (std::string file = describeFile(start.getLoc()); !file.empty())
      name += " at " + file;
    auto [entry, isNew] = numbers.try_emplace(name, places.size());
    if (isNew)
      places.emplace_back(name, PlacedCalls());
    PlacedCalls &calls = places[entry->second].second;
    add(calls, parts, positions);
    if (const ScheduledCollective *found = played.lookup(start))
      calls.seconds.add(*found);
  }
  return places;
}

//===----------------------------------------------------------------------===//
// Proof
//===----------------------------------------------------------------------===//

static void printAxes(AxesAttr axes, raw_ostream &os) {
  llvm::interleaveComma(axes.getAxes(), os);
}

static void printOverlaps(const CollectiveOrder &order, raw_ostream &os) {
  if (order.mostUnderWay < 2) {
    os << "   never are two of them under way together\n";
    return;
  }
  os << "   up to " << order.mostUnderWay
     << " are under way together, and no two can wait for each other:\n";
  for (const CollectiveOrder::Overlap &overlap : order.overlaps) {
    os << "      ";
    printAxes(overlap.second, os);
    os << " behind ";
    printAxes(overlap.first, os);
    os << ", " << overlap.pairs
       << (overlap.pairs == 1 ? " time: " : " times: ");
    switch (overlap.shared) {
    case SharedDevices::All:
      os << "one group, which carries them out in the order of the starts\n";
      break;
    case SharedDevices::One:
      os << "two groups share one device, which starts both in this order\n";
      break;
    case SharedDevices::Several:
      os << "two groups share several devices, all of which start both in this "
            "order\n";
      break;
    }
  }
}

static void printConditions(const CollectiveOrder &order, raw_ostream &os) {
  if (order.conditions.empty())
    os << "   none stands under a condition: all devices come to each as "
          "often\n";
  for (const CollectiveOrder::Condition &condition : order.conditions) {
    os << "   " << describeOperation(condition.op) << " decides over ";
    os << "collectives over ";
    llvm::interleave(
        condition.groups, os, [&](AxesAttr axes) { printAxes(axes, os); },
        " and over ");
    os << (condition.mayDiffer
               ? ": all branches make the same calls\n"
               : ": what it asks is the same on all devices of each group\n");
  }
}

static void printProof(const CollectiveOrder &order, raw_ostream &os) {
  os << "no deadlock: "
     << (order.ranks > 1 ? "all devices of a pipeline rank" : "all devices")
     << " come to these collectives in one order, that of the program\n";
  printConditions(order, os);
  printOverlaps(order, os);
  os << "   each is awaited in the block that starts it: none is under way at "
        "the end of an iteration, a function or the step\n";
  if (order.ranks > 1)
    os << "   " << order.messages << " messages of " << order.ranks
       << " pipeline ranks: all arrive when the ranks run side by side, and a "
          "send waits for nobody\n";
}

LogicalResult tessera::printOrder(ModuleOp module, const ScheduledStep *step,
                                  raw_ostream &os) {
  FailureOr<CollectiveOrder> order = CollectiveOrder::prove(module);
  if (failed(order))
    return failure();
  Places places = findPlaces(*order, step);
  os << "order: " << order->calls.size()
     << (order->calls.size() == 1 ? " call" : " calls")
     << " of collectives in the program, from " << places.size()
     << (places.size() == 1 ? " place" : " places") << " of the model\n";
  unsigned number = 0;
  for (auto &[name, calls] : places) {
    os << ' ' << ++number << ". " << name;
    if (calls.count > 1)
      os << " x " << calls.count;
    os << '\n';
    printStart(calls, os);
    printWait(calls, os);
    printSeconds(calls, step, os);
  }
  if (order->calls.empty() && order->messages == 0)
    os << "no deadlock: no device waits for another one\n";
  else
    printProof(*order, os);
  return success();
}
