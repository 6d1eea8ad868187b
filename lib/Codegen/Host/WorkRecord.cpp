//===- WorkRecord.cpp - What the functions of a program do ----------------===//
//
// Goes through every function in the order of execution. Sizes are those of the
// local tensors; what a step takes on a machine is for the simulator to say.
//
// The bytes of the arena that a step needs are those of values that are alive,
// each place in the arena once: from the operation that makes a value to the
// last one that reads it, as the enclosing block sees them. A loop needs what
// the neediest step in it does, a call what the called function's arena holds.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Host/WorkRecord.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"
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

/// Floating-point operations that a quotient or a transcendental function
/// counts as.
static constexpr int64_t kExpensiveOperations = 8;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static int64_t numElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() : 0;
}

static int64_t bytesOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() *
                    llvm::divideCeil(type.getElementTypeBitWidth(), 8)
              : 0;
}

/// The points of the iteration space of a contraction.
static int64_t contractionPoints(DotGeneralOp op) {
  int64_t points = 1;
  if (std::optional<ShardingRule> rule = getShardingRule(op))
    for (const Factor &factor : rule->factors)
      points *= factor.size;
  return points;
}

/// The pairs of query and key that attention computes scores of: where a query
/// sees only the keys before it, about half.
template <typename Op> static int64_t countScores(Op op) {
  auto query = cast<RankedTensorType>(op.getQuery().getType()),
       key = cast<RankedTensorType>(op.getKey().getType());
  int64_t rows = query.getDimSize(2), keys = key.getDimSize(2), pairs = 0;
  for (int64_t row = 0; row < rows; ++row)
    pairs +=
        op.getCausal()
            ? std::clamp<int64_t>(row + 1 + int64_t(*op.getCausal()), 0, keys)
            : keys;
  return query.getDimSize(0) * query.getDimSize(1) * pairs;
}

/// Per score, `products` contractions over the features and `valueProducts`
/// over those of values, and an exponential.
template <typename Op>
static int64_t attentionOperations(Op op, int64_t products,
                                   int64_t valueProducts) {
  int64_t features =
              cast<RankedTensorType>(op.getQuery().getType()).getDimSize(3),
          valueFeatures =
              cast<RankedTensorType>(op.getValue().getType()).getDimSize(3);
  return countScores(op) *
         (2 * (products * features + valueProducts * valueFeatures) +
          kExpensiveOperations);
}

/// The floating-point operations of `op`, in a kernel.
static int64_t operationsOf(Operation *op) {
  // Scores, output.
  if (auto attention = dyn_cast<AttentionOp>(op))
    return attentionOperations(attention, 1, 1);
  // Scores and their gradients, once for the gradient of the query and once for
  // those of key and value; these three.
  if (auto gradient = dyn_cast<AttentionGradientOp>(op))
    return attentionOperations(gradient, 4, 3);
  if (auto dot = dyn_cast<DotGeneralOp>(op))
    return 2 * contractionPoints(dot);
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() || isa<IotaOp>(op) ||
      getViewAccess(op))
    return 0;
  int64_t points = 0;
  for (Value operand : op->getOperands())
    points = std::max(points, numElements(operand));
  if (isa<GatherOp, DynamicSliceOp, DynamicUpdateSliceOp, ScatterOp>(op))
    points = 0; // they move elements
  for (Value result : op->getResults())
    points = std::max(points, points ? numElements(result) : 0);
  return points * (isExpensive(op) ? kExpensiveOperations : 1);
}

/// The bytes of `argument` that a kernel reads: parts that it cuts out, or all.
static int64_t bytesRead(BlockArgument argument) {
  int64_t parts = 0;
  for (Operation *user : argument.getUsers()) {
    if (!isa<DynamicSliceOp, GatherOp>(user) &&
        !(isa<DynamicUpdateSliceOp>(user) && user->getOperand(0) == argument))
      return bytesOf(argument);
    // What an update leaves alone stays where it is.
    parts += isa<DynamicUpdateSliceOp>(user) ? 0 : bytesOf(user->getResult(0));
  }
  return std::min(parts, bytesOf(argument));
}

static int64_t bytesWritten(Value yielded) {
  if (auto update = yielded.getDefiningOp<DynamicUpdateSliceOp>())
    return bytesOf(update.getUpdate());
  return bytesOf(yielded);
}

static json::Object describeKernel(spmd::KernelOp kernel, StringRef name) {
  int64_t operations = 0, bytes = 0;
  Block &body = kernel.getBody().front();
  for (Operation &op : body)
    operations += operationsOf(&op);
  for (BlockArgument argument : body.getArguments())
    bytes += bytesRead(argument);
  for (Value yielded : body.getTerminator()->getOperands())
    bytes += bytesWritten(yielded);
  return json::Object{
      {"kernel", name}, {"operations", operations}, {"bytes", bytes}};
}

static json::Object describeCollective(spmd::CollectiveOpInterface op) {
  json::Array axes;
  for (const AxisRef &axis : op.getAxes().getAxes()) {
    json::Object object{{"axis", axis.name.str()}};
    if (axis.sub) {
      object["pre"] = axis.sub->preSize;
      object["size"] = axis.sub->size;
    }
    axes.push_back(std::move(object));
  }
  return json::Object{{"collective", op->getName().stripDialect()},
                      {"axes", std::move(axes)},
                      {"bytes", bytesOf(op->getOperand(0))}};
}

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

namespace {

/// The places in the arena that hold values, as a block is gone through.
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
        add(*offset, bytesOf(result));
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
    Held &held = places[offset];
    ++held.count;
    sum += std::max<int64_t>(bytes - held.bytes, 0);
    held.bytes = std::max(held.bytes, bytes);
  }
  void remove(int64_t offset) {
    auto held = places.find(offset);
    if (--held->second.count > 0)
      return;
    sum -= held->second.bytes;
    places.erase(held);
  }

  /// The places of the values that an operation is the last to read.
  llvm::DenseMap<Operation *, SmallVector<int64_t>> lastUses;
  /// By offset. Values that share a place are alive together only while one
  /// becomes the other.
  std::map<int64_t, Held> places;
  int64_t sum = 0;
};

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

class Recorder {
public:
  Recorder(ModuleOp module,
           llvm::function_ref<StringRef(spmd::KernelOp)> nameOf)
      : module(module), nameOf(nameOf) {}

  json::Array run();

private:
  /// What a block does, and the most bytes of the arena that it needs.
  struct Steps {
    json::Array steps;
    int64_t live = 0;
  };
  Steps describe(Block &block);
  /// One step; nothing for what is no work. `live` becomes the bytes that the
  /// step needs beside those of the values around it.
  std::optional<json::Object> describe(Operation *op, int64_t &live);
  std::optional<json::Object> describeRegions(Operation *op, int64_t &live);
  json::Object describeCall(func::CallOp call, int64_t &live);
  /// The number of a started collective, from 1.
  int64_t numberOf(spmd::StartOp start) {
    return started.try_emplace(start, started.size() + 1).first->second;
  }

  ModuleOp module;
  llvm::function_ref<StringRef(spmd::KernelOp)> nameOf;
  llvm::DenseMap<Operation *, int64_t> started;
};

} // namespace

json::Object Recorder::describeCall(func::CallOp call, int64_t &live) {
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (auto size = callee ? callee->getAttrOfType<IntegerAttr>(
                               spmd::SpmdDialect::kArenaSizeAttr)
                         : IntegerAttr())
    live = size.getInt();
  json::Object step{{"call", call.getCallee()}};
  if (auto task = call->getAttrOfType<StringAttr>(pipe::PipeDialect::kTaskAttr))
    step["task"] = task.getValue();
  return step;
}

/// A loop, or the costlier branch as a loop that runs once.
std::optional<json::Object> Recorder::describeRegions(Operation *op,
                                                      int64_t &live) {
  json::Array steps;
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      Steps inner = describe(block);
      live = std::max(live, inner.live);
      bool isLoop = isa<LoopLikeOpInterface>(op);
      if (isLoop)
        llvm::move(inner.steps, std::back_inserter(steps));
      else if (inner.steps.size() > steps.size())
        steps = std::move(inner.steps);
    }
  if (steps.empty())
    return std::nullopt;
  int64_t times =
      isa<LoopLikeOpInterface>(op)
          ? tripCount(op) / std::max<int64_t>(tripCount(op->getParentOp()), 1)
          : 1;
  return json::Object{{"loop", times}, {"steps", std::move(steps)}};
}

std::optional<json::Object> Recorder::describe(Operation *op, int64_t &live) {
  return llvm::TypeSwitch<Operation *, std::optional<json::Object>>(op)
      .Case<spmd::KernelOp>(
          [&](auto o) { return describeKernel(o, nameOf(o)); })
      .Case<spmd::CollectiveOpInterface>(
          [](auto o) { return describeCollective(o); })
      .Case<spmd::StartOp>([&](auto o) {
        json::Object step = describeCollective(o.getCollective());
        step["start"] = numberOf(o);
        return step;
      })
      .Case<spmd::WaitOp>([&](auto o) {
        return json::Object{{"wait", numberOf(o.getStart())}};
      })
      .Case<func::CallOp>([&](auto o) { return describeCall(o, live); })
      .Case<spmd::SendOp>([](auto o) {
        return json::Object{{"send", o.getRank()},
                            {"tag", o.getTag()},
                            {"bytes", bytesOf(o.getOperand())}};
      })
      .Case<spmd::RecvOp>([](auto o) {
        return json::Object{{"recv", o.getRank()},
                            {"tag", o.getTag()},
                            {"bytes", bytesOf(o.getResult())}};
      })
      .Default([&](Operation *other) -> std::optional<json::Object> {
        if (other->getNumRegions() == 0)
          return std::nullopt;
        return describeRegions(other, live);
      });
}

Recorder::Steps Recorder::describe(Block &block) {
  Steps result;
  // An array that grows copies what it holds.
  result.steps.reserve(block.getOperations().size());
  LiveBytes live(block);
  for (Operation &op : block) {
    live.begin(op);
    int64_t inner = 0;
    if (std::optional<json::Object> step = describe(&op, inner)) {
      (*step)["live"] = live.bytes() + inner;
      result.steps.push_back(std::move(*step));
    }
    result.live = std::max(result.live, live.bytes() + inner);
    live.end(op);
  }
  return result;
}

json::Array Recorder::run() {
  json::Array functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    json::Object entry{{"name", function.getName()}};
    if (auto rank =
            function->getAttrOfType<IntegerAttr>(pipe::PipeDialect::kRankAttr))
      entry["rank"] = rank.getInt();
    else if (function.getName() == "main")
      entry["rank"] = 0;
    entry["steps"] = describe(function.front()).steps;
    functions.push_back(std::move(entry));
  }
  return functions;
}

std::string
codegen::recordWork(ModuleOp module,
                    llvm::function_ref<StringRef(spmd::KernelOp)> nameOf) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(Recorder(module, nameOf).run());
  return text;
}
