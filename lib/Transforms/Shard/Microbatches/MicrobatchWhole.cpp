//===- MicrobatchWhole.cpp - one microbatch that has all rows -------------===//
//
// Stages run microbatches, be it a single one. Where rows are mixed
// (contrastive losses, graphs, line searches) sharding rules cannot tell sums
// over rows from rows, nor need they: of one microbatch every sum is complete.
// What remains to be found is where a step's work ends and what follows it
// begins, which stages do each for its own parameters: an optimizer multiplies
// no matrices. So the work is all that depends on data and leads to a
// matmul. What depends on data and does not may stand on either side;
// chooseAccumulation decides, and carries the fewest bytes.
//
//===----------------------------------------------------------------------===//

#include "Microbatches/MicrobatchAnalysis.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

/// The operations of the function's block that compute from a value that
/// `isRoot`.
DenseSet<Operation *>
MicrobatchAnalysis::dependents(function_ref<bool(Value)> isRoot) {
  DenseSet<Operation *> found;
  for (Operation &op : function.getBody().front().without_terminator()) {
    SetVector<Value> reads(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), reads);
    if (llvm::any_of(reads, [&](Value read) {
          return isRoot(read) || found.contains(read.getDefiningOp());
        }))
      found.insert(&op);
  }
  return found;
}

/// Whether `op` contracts something, or what stands in its regions does.
bool MicrobatchAnalysis::isWork(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        const ShardingRule *rule = rules.lookup(inner);
        return rule && isMatmul(*rule) ? WalkResult::interrupt()
                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The operations that compute from the data; or, of a step that is given none,
/// from the integers of its state, which are keys and counts, not parameters.
DenseSet<Operation *> MicrobatchAnalysis::findWorkOfData() {
  auto isInteger = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isIntOrIndex();
  };
  for (bool isGiven : {true, false}) {
    auto isData = [&](Value value) {
      return isa<BlockArgument>(value) &&
             (isGiven ? batch.data.contains(value) : isInteger(value));
    };
    DenseSet<Operation *> found = dependents(isData);
    if (llvm::none_of(found, [&](Operation *op) { return isWork(op); }))
      continue;
    for (BlockArgument argument : function.getArguments())
      if (isData(argument))
        batch.members.push_back({argument});
    return found;
  }
  return {};
}

bool MicrobatchAnalysis::runWhole() {
  isWhole = true;
  Block &block = function.getBody().front();
  DenseSet<Operation *> fromData = findWorkOfData();
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (fromData.contains(&op) &&
        (isWork(&op) || llvm::any_of(op.getUsers(), [&](Operation *user) {
           return working.contains(block.findAncestorOpInBlock(*user));
         })))
      working.insert(&op);
  for (BlockArgument argument : function.getArguments())
    states[argument] = BatchState::invariant();
  for (Operation &op : block.without_terminator()) {
    if (!fromData.contains(&op))
      set(&op, BatchState::invariant());
    else if (op.getNumResults() > 0 ||
             llvm::all_of(op.getOperands(), [&](Value operand) {
               return working.contains(operand.getDefiningOp());
             }))
      set(&op, BatchState::ofKind(BatchState::Pending));
    else
      after.insert(&op);
  }
  return !working.empty();
}
