//===- VerifyMemoryPlan.cpp - nothing is overwritten before it is read ----===//
//
// Every place must hold the values that lie there: it begins at a cache line,
// and ends inside of the arena, or of the argument or result of the program.
//
// Then the program runs on names instead of numbers: memory is a set of byte
// ranges, each with the values that it holds. An operation first reads its
// operands, which must be intact, then writes its results, which destroys what
// they overlap. Loops run twice, since what an iteration destroys is missed by
// the next one. A call destroys what lies in its workspace; the function that
// it calls is a program of its own. A collective that is started writes its
// result at once, and reads its operand until the wait: both must be intact
// there. What code generation copies (initial and yielded values, results of
// the program) is copied.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "InPlace.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/DebugLog.h"

#include <map>

#define DEBUG_TYPE "tessera-verify-memory-plan"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

namespace tessera::schedule {
#define GEN_PASS_DEF_VERIFYMEMORYPLAN
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

namespace {

/// Buffers in the arena begin at multiples of a cache line.
constexpr int64_t kBufferAlignment = 64;

/// A range of bytes of the arena, of that on the host, of an argument or of a
/// result of the program.
struct MemoryRange {
  /// The space and, for arguments and results, the number.
  std::pair<int, int64_t> region;
  int64_t begin, end;

  bool operator==(const MemoryRange &other) const {
    return region == other.region && begin == other.begin && end == other.end;
  }
};

/// Runs through one function and keeps, for every range of memory, the value
/// that it holds: whatever is read must still be there.
class MemoryCheck {
public:
  MemoryCheck(func::FuncOp function, const CalledFunctions &functions);

  LogicalResult run();

private:
  FailureOr<MemoryRange> rangeOf(Value value);
  FailureOr<MemoryRange> rangeOf(spmd::MemoryLocation place, int64_t bytes,
                                 Operation *op);
  LogicalResult read(Operation *op, Value value);
  void destroy(MemoryRange range, Value except = {});
  void write(Value value, MemoryRange range);
  LogicalResult copyAll(Operation *op, ValueRange sources, ValueRange targets);
  LogicalResult checkAliases(Operation *op);
  bool mayShare(OpOperand &operand, OpResult result) const;
  LogicalResult checkDonations(func::CallOp call);
  LogicalResult useWorkspace(func::CallOp call);
  LogicalResult execute(Block &block);
  LogicalResult execute(Operation *op);
  LogicalResult executeFor(scf::ForOp loop);
  LogicalResult executeWhile(scf::WhileOp loop);
  LogicalResult executeRegion(Region &region, ValueRange takers);
  LogicalResult executeReturn(Operation *op);
  LogicalResult executeWait(spmd::WaitOp wait);

  func::FuncOp function;
  const CalledFunctions &functions;
  spmd::MemoryMap places;
  int64_t arenaSize = 0, hostSize = 0;
  /// For every space the ranges that hold values, by their begin.
  std::map<std::pair<int, int64_t>,
           std::map<int64_t, std::pair<int64_t, SmallVector<Value, 1>>>>
      memory;
  llvm::DenseSet<Value> intact;
  /// Who destroyed a value.
  llvm::DenseMap<Value, Operation *> destroyers;
  Operation *current = nullptr;
};

} // namespace

static SmallVector<Value> tensorsOf(ValueRange values) {
  return llvm::filter_to_vector(values, [](Value value) {
    return isa<RankedTensorType>(value.getType());
  });
}

MemoryCheck::MemoryCheck(func::FuncOp function,
                         const CalledFunctions &functions)
    : function(function), functions(functions), places(function) {
  if (auto size = function->getAttrOfType<IntegerAttr>(
          spmd::SpmdDialect::kArenaSizeAttr))
    arenaSize = size.getInt();
  if (auto size = function->getAttrOfType<IntegerAttr>(spmd::kHostSizeAttr))
    hostSize = size.getInt();
}

/// `bytes` bytes at `place`, which `op` says and which must be inside of what
/// lies there.
FailureOr<MemoryRange> MemoryCheck::rangeOf(spmd::MemoryLocation place,
                                            int64_t bytes, Operation *op) {
  auto buffer =
      spmd::BufferAttr::get(op->getContext(), place.space, place.position);
  bool isOnHost = place.space == spmd::Space::Host;
  if (isOnHost || place.space == spmd::Space::Arena) {
    int64_t size = isOnHost ? hostSize : arenaSize;
    if (place.position < 0 || place.position > size - bytes)
      return op->emitError()
             << "expected a buffer inside of the "
             << (isOnHost ? "host's " : "") << "arena of " << size
             << " bytes, got " << buffer << " of " << bytes << " bytes";
    if (place.position % kBufferAlignment != 0)
      return op->emitError() << "expected an offset that is a multiple of "
                             << kBufferAlignment << ", got " << buffer;
    return MemoryRange{
        {int(place.space), 0}, place.position, place.position + bytes};
  }
  bool isArgument = place.space == spmd::Space::Argument;
  int64_t capacity =
      bytesOf(isArgument ? function.getArgumentTypes()[place.position]
                         : function.getResultTypes()[place.position]);
  if (bytes > capacity)
    return op->emitError() << "expected a buffer of at least " << bytes
                           << " bytes, got " << buffer << " of " << capacity
                           << " bytes";
  return MemoryRange{{int(place.space), place.position}, 0, bytes};
}

FailureOr<MemoryRange> MemoryCheck::rangeOf(Value value) {
  std::optional<spmd::MemoryLocation> place = places.lookup(value);
  if (!place)
    return failure();
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  bool isOnHost = spmd::isOnHost(value);
  if (isOnHost != (place->space == spmd::Space::Host))
    return op->emitError() << "expected a buffer "
                           << (isOnHost ? "on the host" : "of the device")
                           << ", got "
                           << spmd::BufferAttr::get(op->getContext(),
                                                    place->space,
                                                    place->position);
  return rangeOf(*place, bytesOf(value), op);
}

LogicalResult MemoryCheck::read(Operation *op, Value value) {
  if (!isa<RankedTensorType>(value.getType()) || intact.contains(value))
    return success();
  InFlightDiagnostic error = op->emitError()
                             << "reads a value whose memory was overwritten";
  error.attachNote(value.getLoc()) << "the value is made here";
  if (Operation *destroyer = destroyers.lookup(value))
    error.attachNote(destroyer->getLoc()) << "and overwritten here";
  return failure();
}

/// Nothing but `except` is left in `range`.
void MemoryCheck::destroy(MemoryRange range, Value except) {
  auto &ranges = memory[range.region];
  auto it = ranges.lower_bound(range.begin);
  if (it != ranges.begin() && std::prev(it)->second.first > range.begin)
    --it;
  while (it != ranges.end() && it->first < range.end) {
    for (Value old : it->second.second)
      if (old != except && intact.erase(old))
        destroyers[old] = current;
    it = ranges.erase(it);
  }
}

/// Lets `range` hold `value`, which destroys everything else there.
void MemoryCheck::write(Value value, MemoryRange range) {
  destroy(range, value);
  if (range.begin < range.end)
    memory[range.region][range.begin] = {range.end, {value}};
  intact.insert(value);
}

/// All sources are read before the first target is written.
LogicalResult MemoryCheck::copyAll(Operation *op, ValueRange sources,
                                   ValueRange targets) {
  for (Value source : sources)
    if (failed(read(op, source)))
      return failure();
  for (auto [source, target] : llvm::zip(sources, targets)) {
    FailureOr<MemoryRange> from = rangeOf(source), to = rangeOf(target);
    if (failed(from) || failed(to) || failed(read(op, source)))
      return failure();
    if (*from == *to) {
      if (from->begin < from->end)
        memory[from->region][from->begin].second.push_back(target);
      intact.insert(target);
    } else {
      write(target, *to);
    }
  }
  return success();
}

static bool overlaps(const MemoryRange &a, const MemoryRange &b) {
  return a.region == b.region && a.begin < b.end && b.begin < a.end;
}

/// Whether the operation is made for writing `result` over `operand`.
bool MemoryCheck::mayShare(OpOperand &operand, OpResult result) const {
  if (auto call = dyn_cast<func::CallOp>(operand.getOwner()))
    return functions.donations(call)[operand.getOperandNumber()] ==
           result.getResultNumber();
  return mayOverwrite(operand.getOwner(), operand.get());
}

/// A result may overlap an operand only if it takes exactly its place and the
/// operation is made for that; results do not overlap.
LogicalResult MemoryCheck::checkAliases(Operation *op) {
  SmallVector<MemoryRange> written;
  for (OpResult result : op->getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    FailureOr<MemoryRange> range = rangeOf(result);
    if (failed(range))
      return failure();
    if (llvm::any_of(written, [&](const MemoryRange &other) {
          return overlaps(other, *range);
        }))
      return op->emitError("two results share memory");
    written.push_back(*range);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      FailureOr<MemoryRange> from = rangeOf(operand.get());
      if (failed(from))
        return failure();
      if (overlaps(*from, *range) &&
          !(*from == *range && mayShare(operand, result)))
        return op->emitError("overwrites an operand that it still reads");
    }
  }
  return success();
}

/// Called functions rely on a donated operand and its result being one.
LogicalResult MemoryCheck::checkDonations(func::CallOp call) {
  for (auto [number, result] : llvm::enumerate(functions.donations(call))) {
    if (result < 0)
      continue;
    FailureOr<MemoryRange> from = rangeOf(call.getOperand(number)),
                           to = rangeOf(call.getResult(result));
    if (failed(from) || failed(to))
      return failure();
    if (!(*from == *to))
      return call->emitError()
             << "expected result " << result << " in the memory of operand "
             << number << ", which is donated to it";
  }
  return success();
}

/// The called function writes all of its arena, while it may still read its
/// operands and has begun to write its results.
LogicalResult MemoryCheck::useWorkspace(func::CallOp call) {
  if (functions.find(call)->hasAttr(spmd::kHostSizeAttr))
    return call->emitError("expected a function that copies nothing to the "
                           "host, as a call has no place for it there");
  int64_t bytes = functions.arenaSize(call);
  if (bytes == 0)
    return success();
  auto place =
      call->getAttrOfType<spmd::BufferAttr>(spmd::SpmdDialect::kWorkspaceAttr);
  if (!place || place.getSpace() != spmd::Space::Arena ||
      place.getPosition() < 0 || place.getPosition() > arenaSize - bytes)
    return call->emitError()
           << "expected 'spmd.workspace' of " << bytes
           << " bytes inside of the arena of " << arenaSize << " bytes";
  MemoryRange workspace = {{int(spmd::Space::Arena), 0},
                           place.getPosition(),
                           place.getPosition() + bytes};
  for (ValueRange values :
       {ValueRange(call.getOperands()), ValueRange(call.getResults())})
    for (Value value : tensorsOf(values)) {
      FailureOr<MemoryRange> range = rangeOf(value);
      if (failed(range))
        return failure();
      if (overlaps(*range, workspace))
        return call->emitError(
            "expected operands and results outside of 'spmd.workspace'");
    }
  destroy(workspace);
  return success();
}

/// Runs a region, and copies what its terminator hands on to where `takers`
/// lie.
LogicalResult MemoryCheck::executeRegion(Region &region, ValueRange takers) {
  Operation *end = region.front().getTerminator();
  if (failed(execute(region.front())))
    return failure();
  return copyAll(end, tensorsOf(end->getOperands()), tensorsOf(takers));
}

LogicalResult MemoryCheck::executeFor(scf::ForOp loop) {
  SmallVector<Value> results = tensorsOf(loop.getResults());
  if (failed(copyAll(loop, tensorsOf(loop.getInitArgs()), results)))
    return failure();
  for (int iteration = 0; iteration < 2; ++iteration)
    if (failed(copyAll(loop, results, tensorsOf(loop.getRegionIterArgs()))) ||
        failed(executeRegion(loop.getRegion(), results)))
      return failure();
  return success();
}

LogicalResult MemoryCheck::executeWhile(scf::WhileOp loop) {
  SmallVector<Value> carried = tensorsOf(loop.getBeforeArguments()),
                     results = tensorsOf(loop.getResults());
  if (failed(copyAll(loop, tensorsOf(loop.getInits()), carried)))
    return failure();
  for (int iteration = 0; iteration < 2; ++iteration)
    if (failed(executeRegion(loop.getBefore(), results)) ||
        failed(copyAll(loop, results, tensorsOf(loop.getAfterArguments()))) ||
        failed(executeRegion(loop.getAfter(), carried)))
      return failure();
  return executeRegion(loop.getBefore(), results);
}

LogicalResult MemoryCheck::executeReturn(Operation *op) {
  for (OpOperand &use : op->getOpOperands()) {
    FailureOr<MemoryRange> from = rangeOf(use.get());
    if (failed(from) || failed(read(op, use.get())))
      return failure();
    FailureOr<MemoryRange> to =
        rangeOf(places.result(use.getOperandNumber()), bytesOf(use.get()), op);
    if (failed(to))
      return failure();
    // What is in place must stay so until all is returned: other results'
    // copies come in order.
    if (!(*from == *to))
      write(use.get(), *to);
  }
  // A value that was returned in place and then overwritten by the copy of
  // another is caught here.
  for (Value value : op->getOperands())
    if (failed(read(op, value)))
      return failure();
  return success();
}

LogicalResult MemoryCheck::executeWait(spmd::WaitOp wait) {
  Operation *started = wait.getStart().getStarted();
  Value operand = started->getOperand(0), written = started->getResult(0);
  FailureOr<MemoryRange> from = rangeOf(operand), to = rangeOf(written),
                         taken = rangeOf(wait.getResult());
  if (failed(from) || failed(to) || failed(taken))
    return failure();
  if (!(*to == *taken))
    return wait.emitError(
        "expected the result where what was started writes it");
  if (failed(read(wait, written)) ||
      (!(*from == *to) && failed(read(wait, operand))))
    return failure();
  write(wait.getResult(), *taken);
  return success();
}

/// Follows one operation, and the regions it executes, through the planned
/// memory: whatever it reads must still be there, and what it writes takes the
/// place of whatever lay in its range.
LogicalResult MemoryCheck::execute(Operation *op) {
  if (auto start = dyn_cast<spmd::StartOp>(op))
    return execute(start.getStarted());
  current = op;
  if (auto wait = dyn_cast<spmd::WaitOp>(op))
    return executeWait(wait);
  for (Value operand : op->getOperands())
    if (failed(read(op, operand)))
      return failure();
  if (isa<func::ReturnOp>(op))
    return executeReturn(op);
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return executeFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return executeWhile(loop);
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    for (Region &region : op->getRegions())
      if (!region.empty() && failed(executeRegion(region, op->getResults())))
        return failure();
    return success();
  }
  if (failed(checkAliases(op)))
    return failure();
  if (auto call = dyn_cast<func::CallOp>(op))
    if (failed(checkDonations(call)) || failed(useWorkspace(call)))
      return failure();
  for (Value result : tensorsOf(op->getResults()))
    write(result, *rangeOf(result));
  return success();
}

LogicalResult MemoryCheck::execute(Block &block) {
  for (Operation &op : block)
    if (failed(execute(&op)))
      return failure();
  return success();
}

LogicalResult MemoryCheck::run() {
  for (BlockArgument argument : function.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      write(argument, *rangeOf(argument));
  return execute(function.getBody().front());
}

namespace {

struct VerifyMemoryPlan
    : public tessera::schedule::impl::VerifyMemoryPlanBase<VerifyMemoryPlan> {
  void runOnOperation() override {
    CalledFunctions functions(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (failed(MemoryCheck(function, functions).run()))
        signalPassFailure();
      else
        LDBG() << "@" << function.getSymName()
               << ": every read finds what was written for it";
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
