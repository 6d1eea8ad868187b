//===- SplitProgram.cpp - Cuts long functions into parts ------------------===//
//
// Elsewhere: outlining.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "tessera/Codegen/Host/Passes.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "llvm/Support/DebugLog.h"

namespace tessera::codegen {
#define GEN_PASS_DEF_SPLITPROGRAM
#include "tessera/Codegen/Host/Passes.h.inc"
} // namespace tessera::codegen

#define DEBUG_TYPE "tessera-split-program"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// Where to cut the operations of `block` before `end`, as the first one of
/// every part. Only constants are defined in one part and used in another.
static SmallVector<Block::iterator> findCuts(Block &block, Block::iterator end,
                                             unsigned size) {
  llvm::DenseMap<Operation *, unsigned> positions;
  for (Operation &op : block)
    positions.try_emplace(&op, positions.size());
  SmallVector<Block::iterator> cuts;
  // The last use of what has been defined, and the beginning of this part.
  unsigned reach = 0, start = 0;
  for (Operation &op : llvm::make_range(block.begin(), end)) {
    unsigned position = positions.lookup(&op);
    if (cuts.empty() || (position - start >= size && reach < position)) {
      cuts.push_back(op.getIterator());
      start = position;
    }
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    for (Operation *user : op.getUsers())
      reach =
          std::max(reach, positions.lookup(block.findAncestorOpInBlock(*user)));
  }
  return cuts;
}

/// Moves the operations in [begin, end) from `program` into a new function of
/// its type, which stands before `next`.
static func::FuncOp outline(func::FuncOp program, Block::iterator begin,
                            Block::iterator end, const Twine &name,
                            func::FuncOp next) {
  OpBuilder builder(next);
  SmallString<32> buffer;
  auto part =
      func::FuncOp::create(builder, program.getLoc(), name.toStringRef(buffer),
                           program.getFunctionType());
  part.setPrivate();
  Block *body = part.addEntryBlock();
  body->getOperations().splice(body->end(), program.front().getOperations(),
                               begin, end);
  IRMapping inside;
  inside.map(program.getArguments(), part.getArguments());
  builder.setInsertionPointToStart(body);
  body->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *constant = operand.get().getDefiningOp();
      if (constant && constant->getBlock() == &program.front() &&
          !inside.contains(operand.get()))
        builder.clone(*constant, inside);
      operand.set(inside.lookupOrDefault(operand.get()));
    }
  });
  builder.setInsertionPointToEnd(body);
  Value done = arith::ConstantOp::create(builder, program.getLoc(),
                                         builder.getI32IntegerAttr(0));
  func::ReturnOp::create(builder, program.getLoc(), done);
  return part;
}

namespace {
class SplitProgram
    : public tessera::codegen::impl::SplitProgramBase<SplitProgram> {
public:
  using SplitProgramBase::SplitProgramBase;

  void runOnOperation() override {
    auto module =
        getOperation().lookupSymbol<ModuleOp>(rt::RtDialect::kProgramName);
    if (!module)
      return;
    for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
      split(function);
  }

private:
  void split(func::FuncOp program) {
    Block &body = program.front();
    // What the program returns stays.
    Operation *terminator = body.getTerminator();
    Operation *status = terminator->getOperand(0).getDefiningOp();
    OpBuilder builder(terminator);
    Operation *last = status;
    if (status->hasOneUse())
      status->moveBefore(terminator);
    else
      last = builder.clone(*status);
    terminator->setOperand(0, last->getResult(0));

    SmallVector<Block::iterator> cuts =
        findCuts(body, last->getIterator(), size);
    if (cuts.size() < 2)
      return;
    LDBG() << "@" << program.getSymName() << ": " << cuts.size()
           << " parts of at least " << size << " operations";
    // From the end, so that constants are moved after all who use them.
    func::FuncOp part = program;
    for (unsigned number = cuts.size(); number-- > 0;) {
      part = outline(program, cuts[number], last->getIterator(),
                     program.getName() + "_part_" + Twine(number), part);
      builder.setInsertionPoint(last);
      last = rt::RunOp::create(builder, program.getLoc(),
                               FlatSymbolRefAttr::get(part),
                               program.getArguments());
    }
  }
};
} // namespace
