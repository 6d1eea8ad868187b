//===- WorkRecord.cpp - What the functions of a program do ----------------===//
//
// Goes through every function in the order of execution. Sizes are those of the
// local tensors; what a step takes on a machine is for the simulator to say.
//
// The bytes of the arena that a step needs are those of values that are alive,
// each interval of the arena once: from the operation that makes a value to the
// last one that reads it, as the enclosing block sees them. A loop needs what
// the neediest step in it does, a call what the called function's arena holds.
//
//===----------------------------------------------------------------------===//

#include "WorkRecord.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Spmd/WorkCosts.h"
#include "tessera/Interfaces/TripCount.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Fields, in the order of their names
//===----------------------------------------------------------------------===//

static void writeKernel(spmd::KernelOp kernel, KernelInTraces inTraces,
                        int64_t live, json::OStream &step) {
  spmd::KernelWork work = spmd::workOf(kernel);
  step.attribute("bytes", work.bytes);
  step.attribute("kernel", inTraces.name);
  if (inTraces.launches != 1)
    step.attribute("launches", inTraces.launches);
  step.attribute("live", live);
  step.attribute("operations", work.operations);
  if (work.products.empty())
    return;
  step.attributeArray("products", [&] {
    for (const ProductShape &product : work.products)
      step.array([&] {
        for (int64_t size :
             {product.batch, product.rows, product.columns, product.depth})
          step.value(size);
      });
  });
}

/// Of a call of collectives, which have their bytes together.
static void writeCollectives(ArrayRef<spmd::CollectiveOpInterface> parts,
                             int64_t live, json::OStream &step) {
  spmd::CollectiveOpInterface op = parts.front();
  int64_t bytes = 0;
  for (spmd::CollectiveOpInterface part : parts)
    bytes += spmd::bytesOf(part->getOperand(0));
  step.attributeArray("axes", [&] {
    for (const AxisRef &axis : op.getAxes().getAxes())
      step.object([&] {
        step.attribute("axis", axis.name.str());
        if (!axis.sub)
          return;
        step.attribute("pre", axis.sub->preSize);
        step.attribute("size", axis.sub->size);
      });
  });
  step.attribute("bytes", bytes);
  step.attribute("collective", collectiveInfo(op.getCollectiveKind()).name);
  step.attribute("live", live);
  if (parts.size() > 1)
    step.attribute("parts", int64_t(parts.size()));
}

/// Of a copy to the host or back.
static void writeHostCopy(Operation *copy, int64_t live, json::OStream &step) {
  step.attribute("bytes", spmd::bytesOf(copy->getResult(0)));
  step.attribute("copy", copy->getName().stripDialect());
  step.attribute("live", live);
}

/// Of a send or a receive.
static void writeMessage(StringRef kind, int64_t rank, int64_t tag, Value value,
                         int64_t live, json::OStream &step) {
  step.attribute("bytes", spmd::bytesOf(value));
  step.attribute("live", live);
  step.attribute(kind, rank);
  step.attribute("tag", tag);
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

namespace {

/// The intervals of the arena that hold values, as a block is gone through.
class LiveBytes {
public:
  explicit LiveBytes(Block &block) {
    for (Operation &op : block)
      for (Value result : made(op))
        if (std::optional<int64_t> offset = offsetOf(result))
          lastUses[lastUser(result, &op)].push_back(*offset);
  }

  /// `op`, the next one of the block, runs: its results take up memory.
  void begin(Operation &op) {
    for (Value result : made(op))
      if (std::optional<int64_t> offset = offsetOf(result))
        add(*offset, spmd::bytesOf(result));
  }
  /// What it was the last to read is free.
  void end(Operation &op) {
    for (int64_t offset : lastUses.lookup(&op))
      remove(offset);
  }
  int64_t bytes() const { return sum; }

private:
  /// The values whose memory is taken from `op` on: a collective that is
  /// started writes what its wait gives.
  static ValueRange made(Operation &op) {
    if (auto start = dyn_cast<spmd::StartOp>(op))
      return start.getWait()->getResults();
    return isa<spmd::WaitOp>(op) ? ValueRange() : ValueRange(op.getResults());
  }

  /// The offset of a value in the arena, if it lies there.
  static std::optional<int64_t> offsetOf(Value result) {
    auto buffers = result.getDefiningOp()->getAttrOfType<ArrayAttr>(
        spmd::SpmdDialect::kBuffersAttr);
    unsigned number = cast<OpResult>(result).getResultNumber();
    if (!buffers || number >= buffers.size() ||
        !isa<RankedTensorType>(result.getType()))
      return std::nullopt;
    auto buffer = cast<spmd::BufferAttr>(buffers[number]);
    if (buffer.getSpace() != spmd::Space::Arena)
      return std::nullopt;
    return buffer.getPosition();
  }

  static Operation *lastUser(Value value, Operation *last) {
    for (Operation *user : value.getUsers()) {
      Operation *inBlock = last->getBlock()->findAncestorOpInBlock(*user);
      if (auto start = dyn_cast<spmd::StartOp>(inBlock))
        inBlock = start.getWait();
      if (last->isBeforeInBlock(inBlock))
        last = inBlock;
    }
    return last;
  }

  struct Held {
    int64_t bytes = 0;
    int count = 0;
  };
  void add(int64_t offset, int64_t bytes) {
    Held &held = intervals[offset];
    ++held.count;
    sum += std::max<int64_t>(bytes - held.bytes, 0);
    held.bytes = std::max(held.bytes, bytes);
  }
  void remove(int64_t offset) {
    auto held = intervals.find(offset);
    if (--held->second.count > 0)
      return;
    sum -= held->second.bytes;
    intervals.erase(held);
  }

  /// The offsets of the values that an operation is the last to read.
  llvm::DenseMap<Operation *, SmallVector<int64_t>> lastUses;
  /// By offset. Values that share an interval are alive together only while one
  /// becomes the other.
  std::map<int64_t, Held> intervals;
  int64_t sum = 0;
};

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Writes the record as text at once: a tree of JSON takes longer to make than
/// everything that stands in it.
class Recorder {
public:
  Recorder(ModuleOp module,
           llvm::function_ref<KernelInTraces(spmd::KernelOp)> inTraces)
      : module(module), inTraces(inTraces) {}

  void run(json::OStream &out);

private:
  /// What a block does, and the most bytes of the arena that it needs.
  struct Steps {
    /// JSON with commas between.
    std::string text;
    size_t count = 0;
    int64_t live = 0;
  };
  Steps describe(Block &block);
  /// The steps of a loop, or of the costlier branch, with the most bytes that
  /// any region needs.
  Steps describeRegions(Operation *op);
  /// The arena of the called function.
  int64_t calledBytes(func::CallOp call);
  /// Writes the fields of a step that needs `live` bytes in all, `inner` being
  /// what is in its regions.
  void write(Operation *op, const Steps &inner, int64_t live,
             json::OStream &step);
  void writeCall(func::CallOp call, int64_t live, json::OStream &step);
  void writeLoop(Operation *op, const Steps &inner, int64_t live,
                 json::OStream &step);
  /// The number of a started collective, from 1.
  int64_t numberOf(spmd::StartOp start) {
    return started.try_emplace(start, started.size() + 1).first->second;
  }

  ModuleOp module;
  llvm::function_ref<KernelInTraces(spmd::KernelOp)> inTraces;
  llvm::DenseMap<Operation *, int64_t> started;
};

} // namespace

/// Whether `op` is work by itself and not by what is in its regions.
static bool isWork(Operation *op) {
  // One step begins a call, and one waits for it.
  if (auto wait = dyn_cast<spmd::WaitOp>(op))
    return isWork(wait.getStart());
  if (auto start = dyn_cast<spmd::StartOp>(op))
    return !spmd::startsOfCall(start).empty();
  return isa<spmd::KernelOp, spmd::CollectiveOpInterface, func::CallOp,
             spmd::SendOp, spmd::RecvOp>(op);
}

int64_t Recorder::calledBytes(func::CallOp call) {
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  auto size = callee ? callee->getAttrOfType<IntegerAttr>(
                           spmd::SpmdDialect::kArenaSizeAttr)
                     : IntegerAttr();
  return size ? size.getInt() : 0;
}

void Recorder::writeCall(func::CallOp call, int64_t live, json::OStream &step) {
  step.attribute("call", call.getCallee());
  step.attribute("live", live);
  if (auto task = call->getAttrOfType<StringAttr>(pipe::PipeDialect::kTaskAttr))
    step.attribute("task", task.getValue());
}

/// A loop, or a branch as a loop that runs once.
void Recorder::writeLoop(Operation *op, const Steps &inner, int64_t live,
                         json::OStream &step) {
  int64_t times =
      isa<LoopLikeOpInterface>(op)
          ? tripCount(op) / std::max<int64_t>(tripCount(op->getParentOp()), 1)
          : 1;
  step.attribute("live", live);
  step.attribute("loop", times);
  step.attributeBegin("steps");
  step.rawValue("[" + inner.text + "]");
  step.attributeEnd();
}

Recorder::Steps Recorder::describeRegions(Operation *op) {
  Steps result;
  bool isLoop = isa<LoopLikeOpInterface>(op);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      Steps steps = describe(block);
      result.live = std::max(result.live, steps.live);
      if (isLoop && result.count > 0 && steps.count > 0) {
        result.text += "," + steps.text;
        result.count += steps.count;
      } else if (steps.count > result.count) {
        result.text = std::move(steps.text);
        result.count = steps.count;
      }
    }
  return result;
}

void Recorder::write(Operation *op, const Steps &inner, int64_t live,
                     json::OStream &step) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<spmd::KernelOp>(
          [&](auto o) { writeKernel(o, inTraces(o), live, step); })
      .Case<spmd::CollectiveOpInterface>(
          [&](auto o) { writeCollectives({o}, live, step); })
      .Case<spmd::StartOp>([&](auto o) {
        if (spmd::isHostCopy(o.getStarted()))
          writeHostCopy(o.getStarted(), live, step);
        else
          writeCollectives(llvm::map_to_vector(spmd::startsOfCall(o),
                                               [](spmd::StartOp part) {
                                                 return part.getCollective();
                                               }),
                           live, step);
        step.attribute("start", numberOf(o));
      })
      .Case<spmd::WaitOp>([&](auto o) {
        step.attribute("live", live);
        step.attribute("wait", numberOf(o.getStart()));
      })
      .Case<func::CallOp>([&](auto o) { writeCall(o, live, step); })
      .Case<spmd::SendOp>([&](auto o) {
        writeMessage("send", o.getRank(), o.getTag(), o.getOperand(), live,
                     step);
      })
      .Case<spmd::RecvOp>([&](auto o) {
        writeMessage("recv", o.getRank(), o.getTag(), o.getResult(), live,
                     step);
      })
      .Default([&](Operation *other) { writeLoop(other, inner, live, step); });
}

Recorder::Steps Recorder::describe(Block &block) {
  Steps result;
  llvm::raw_string_ostream os(result.text);
  LiveBytes live(block);
  for (Operation &op : block) {
    live.begin(op);
    Steps inner;
    if (auto call = dyn_cast<func::CallOp>(op))
      inner.live = calledBytes(call);
    else if (!isWork(&op) && !isa<spmd::StartOp>(op))
      inner = describeRegions(&op);
    int64_t needed = live.bytes() + inner.live;
    if (isWork(&op) || inner.count > 0) {
      os << (result.count++ > 0 ? "," : "");
      json::OStream step(os);
      step.object([&] { write(&op, inner, needed, step); });
    }
    result.live = std::max(result.live, needed);
    live.end(op);
  }
  return result;
}

void Recorder::run(json::OStream &out) {
  out.array([&] {
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      auto rank =
          function->getAttrOfType<IntegerAttr>(pipe::PipeDialect::kRankAttr);
      out.object([&] {
        out.attribute("name", function.getName());
        if (rank || function.getName() == "main")
          out.attribute("rank", rank ? rank.getInt() : 0);
        out.attributeBegin("steps");
        out.rawValue("[" + describe(function.front()).text + "]");
        out.attributeEnd();
      });
    }
  });
}

std::string codegen::recordWork(
    ModuleOp module,
    llvm::function_ref<KernelInTraces(spmd::KernelOp)> describe) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os);
  Recorder(module, describe).run(out);
  return text;
}
