//===- CarriedValues.cpp - other values carried by a loop -----------------===//

#include "tessera/Dialect/Tessera/CarriedValues.h"

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;

Value tessera::makeZero(OpBuilder &builder, Value like) {
  auto zero = arith::ConstantOp::create(builder, like.getLoc(),
                                        builder.getZeroAttr(like.getType()));
  setSharding(zero, getSharding(like));
  return zero;
}

/// Says the shardings of all results of `loop`.
static void setShardings(scf::ForOp loop, ArrayRef<ShardingAttr> shardings) {
  loop->removeDiscardableAttr(TesseraDialect::kShardingAttr);
  for (auto [result, sharding] : llvm::zip_equal(loop.getResults(), shardings))
    if (sharding)
      setSharding(result, sharding);
}

scf::ForOp tessera::replaceCarried(scf::ForOp loop,
                                   const llvm::BitVector &dropped,
                                   ValueRange inits, YieldBuilder build) {
  SmallVector<Value> allInits;
  SmallVector<ShardingAttr> shardings;
  SmallVector<unsigned> kept;
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    if (dropped.test(number))
      continue;
    kept.push_back(number);
    allInits.push_back(loop.getInitArgs()[number]);
    shardings.push_back(getSharding(loop.getResult(number)));
  }
  llvm::append_range(allInits, inits);
  for (Value init : inits)
    shardings.push_back(getSharding(init));

  OpBuilder builder(loop);
  auto newLoop =
      scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), allInits);
  Block &body = *newLoop.getBody(), &oldBody = *loop.getBody();
  body.clear();
  body.getOperations().splice(body.end(), oldBody.getOperations());
  loop.getInductionVar().replaceAllUsesWith(newLoop.getInductionVar());
  SmallVector<Value> yielded;
  for (auto [position, number] : llvm::enumerate(kept)) {
    loop.getRegionIterArg(number).replaceAllUsesWith(
        newLoop.getRegionIterArg(position));
    loop.getResult(number).replaceAllUsesWith(newLoop.getResult(position));
    yielded.push_back(body.getTerminator()->getOperand(number));
  }
  builder.setInsertionPoint(body.getTerminator());
  llvm::append_range(
      yielded,
      build(builder,
            ValueRange(newLoop.getRegionIterArgs()).drop_front(kept.size())));
  body.getTerminator()->setOperands(yielded);
  newLoop->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  setShardings(newLoop, shardings);
  loop.erase();
  return newLoop;
}
