//===- GroupKernels.cpp - one kernel of many small element-wise ones ------===//
//
// Horizontal fusion, as XLA's GPU back end and PyTorch's "foreach" optimizers
// do it. A kernel may move down to a later one as long as nothing between them
// reads its results; nothing between can change its operands, because values
// do not change. One pass over the block in its order; linear in its operands.
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Schedule/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-group-kernels"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;

namespace tessera::schedule {
#define GEN_PASS_DEF_GROUPKERNELS
#include "tessera/Transforms/Schedule/Passes.h.inc"
} // namespace tessera::schedule

/// A kernel whose results are larger is worth a launch of its own.
static constexpr int64_t kLargestResult = int64_t(4) << 20;
/// Bytes of operands and results of one group.
static constexpr int64_t kLargestGroup = int64_t(64) << 20;
/// Operands and results of one group: their addresses are parameters, of which
/// a GPU kernel has 4,096 bytes.
static constexpr unsigned kMostBuffers = 448;

namespace {

/// The kernels that are going to be one.
class Group {
public:
  bool isRoomFor(spmd::KernelOp kernel) const {
    return buffers + buffersOf(kernel) <= kMostBuffers &&
           bytes + bytesOf(kernel) <= kLargestGroup;
  }
  void add(spmd::KernelOp kernel) {
    kernels.push_back(kernel);
    buffers += buffersOf(kernel);
    bytes += bytesOf(kernel);
    results.insert(kernel->result_begin(), kernel->result_end());
  }
  /// Whether `op`, or something in it, reads a result.
  bool isReadBy(Operation *op) const;
  /// Puts the kernels together where the last one stands.
  void close();
  size_t size() const { return kernels.size(); }

private:
  static unsigned buffersOf(spmd::KernelOp kernel) {
    return kernel->getNumOperands() + kernel->getNumResults();
  }
  static int64_t bytesOf(spmd::KernelOp kernel) {
    int64_t sum = 0;
    for (Value operand : kernel->getOperands())
      sum += tessera::schedule::bytesOf(operand);
    for (Value result : kernel->getResults())
      sum += tessera::schedule::bytesOf(result);
    return sum;
  }

  SmallVector<spmd::KernelOp> kernels;
  llvm::DenseSet<Value> results;
  unsigned buffers = 0;
  int64_t bytes = 0;
};

} // namespace

bool Group::isReadBy(Operation *op) const {
  if (results.empty())
    return false;
  auto reads = [&](Operation *user) {
    return llvm::any_of(user->getOperands(),
                        [&](Value value) { return results.contains(value); });
  };
  if (op->getNumRegions() == 0 || isa<spmd::KernelOp>(op))
    return reads(op);
  return op
      ->walk([&](Operation *inner) {
        return reads(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Makes one kernel of the group's, at the place of its last one: operands are
/// shared, bodies and results follow in the order of the group. A group of
/// fewer than two stays as it is.
void Group::close() {
  if (kernels.size() < 2)
    return;
  llvm::SetVector<Value> operands;
  SmallVector<Type> types;
  for (spmd::KernelOp kernel : kernels) {
    operands.insert(kernel->operand_begin(), kernel->operand_end());
    llvm::append_range(types, kernel->getResultTypes());
  }
  LDBG() << kernels.size() << " kernels are one at "
         << describeOperation(kernels.back()) << ": " << bytes << " bytes in "
         << buffers << " buffers";
  OpBuilder builder(kernels.back());
  auto merged = spmd::KernelOp::create(builder, kernels.front().getLoc(), types,
                                       operands.getArrayRef());
  Block *body = &merged.getBody().emplaceBlock();
  for (Value operand : operands)
    body->addArgument(operand.getType(), operand.getLoc());
  SmallVector<Value> yielded;
  unsigned next = 0;
  for (spmd::KernelOp kernel : kernels) {
    Block &old = kernel.getBody().front();
    for (auto [argument, operand] :
         llvm::zip(old.getArguments(), kernel->getOperands()))
      argument.replaceAllUsesWith(body->getArgument(
          std::distance(operands.begin(), llvm::find(operands, operand))));
    Operation *yield = old.getTerminator();
    llvm::append_range(yielded, yield->getOperands());
    yield->erase();
    body->getOperations().splice(body->end(), old.getOperations());
    for (Value result : kernel->getResults())
      result.replaceAllUsesWith(merged->getResult(next++));
    kernel.erase();
  }
  builder.setInsertionPointToEnd(body);
  spmd::YieldOp::create(builder, merged.getLoc(), yielded);
}

/// Whether the kernel computes elements only, and few.
static bool isSmallElementwise(spmd::KernelOp kernel) {
  for (Value result : kernel->getResults())
    if (bytesOf(result) > kLargestResult)
      return false;
  return llvm::all_of(kernel.getBody().front().without_terminator(),
                      [](Operation &op) {
                        return isElementwise(&op) || getViewAccess(&op) ||
                               op.hasTrait<OpTrait::ConstantLike>();
                      });
}

namespace {

struct GroupKernels
    : public tessera::schedule::impl::GroupKernelsBase<GroupKernels> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      groupIn(block);
  }

private:
  void groupIn(Block &block) {
    Group group;
    auto close = [&] {
      group.close();
      group = Group();
    };
    SmallVector<Operation *> operations;
    for (Operation &op : block)
      operations.push_back(&op);
    for (Operation *op : operations) {
      auto kernel = dyn_cast<spmd::KernelOp>(op);
      bool joins = kernel && isSmallElementwise(kernel);
      if (group.isReadBy(op) || (joins && !group.isRoomFor(kernel)))
        close();
      if (joins)
        group.add(kernel);
    }
  }
};

} // namespace
