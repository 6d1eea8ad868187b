//===- HostControlFlow.cpp - Loops and branches of the host program -------===//

#include "HostBuilder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

SmallVector<Value> HostBuilder::tensorsOf(ValueRange values) {
  return llvm::filter_to_vector(values, [](Value value) {
    return isa<RankedTensorType>(value.getType());
  });
}

LogicalResult HostBuilder::copyAll(ValueRange values, ValueRange targets,
                                   Location loc) {
  SmallVector<MemoryLocation> destinations;
  for (auto [value, target] : llvm::zip(values, targets)) {
    std::optional<MemoryLocation> location = locations.lookup(target);
    std::optional<MemoryLocation> source = locations.lookup(value);
    if (!location || !source)
      return failure();
    if (llvm::is_contained(destinations, *source) && !(*source == *location))
      return emitError(loc, "unsupported operation: values of a loop that "
                            "exchange their places");
    destinations.push_back(*location);
  }
  for (auto [value, location] : llvm::zip(values, destinations))
    if (failed(copyTo(value, location, loc)))
      return failure();
  return success();
}

LogicalResult HostBuilder::emitFor(scf::ForOp loop) {
  Location loc = loop.getLoc();
  if (failed(copyAll(tensorsOf(loop.getInitArgs()),
                     tensorsOf(loop.getResults()), loc)))
    return failure();
  if (tensorsOf(loop.getResults()).size() != loop.getNumResults())
    return loop->emitError("unsupported operation: loop that carries scalars");
  auto host = scf::ForOp::create(b, loc, scalars.lookup(loop.getLowerBound()),
                                 scalars.lookup(loop.getUpperBound()),
                                 scalars.lookup(loop.getStep()));
  scalars.map(loop.getInductionVar(), host.getInductionVar());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(host.getBody()->getTerminator());
  if (failed(emitBlock(*loop.getBody())))
    return failure();
  Operation *yield = loop.getBody()->getTerminator();
  return copyAll(yield->getOperands(), loop.getResults(), loc);
}

LogicalResult HostBuilder::emitWhile(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  if (failed(copyAll(loop.getInits(), loop.getBeforeArguments(), loc)))
    return failure();
  auto host = scf::WhileOp::create(b, loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&host.getBefore());
  if (failed(emitBlock(loop.getBefore().front())))
    return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  if (failed(copyAll(condition.getArgs(), loop.getResults(), loc)))
    return failure();
  scf::ConditionOp::create(b, loc, scalars.lookup(condition.getCondition()),
                           ValueRange());
  b.createBlock(&host.getAfter());
  if (failed(emitBlock(loop.getAfter().front())))
    return failure();
  Operation *yield = loop.getAfter().front().getTerminator();
  if (failed(copyAll(yield->getOperands(), loop.getBeforeArguments(), loc)))
    return failure();
  scf::YieldOp::create(b, loc);
  return success();
}

LogicalResult HostBuilder::emitIf(scf::IfOp branch) {
  Location loc = branch.getLoc();
  auto host = scf::IfOp::create(b, loc, scalars.lookup(branch.getCondition()),
                                !branch.getElseRegion().empty());
  auto emitRegion = [&](Region &from, Block *to) -> LogicalResult {
    if (from.empty())
      return success();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(to->getTerminator());
    if (failed(emitBlock(from.front())))
      return failure();
    return copyAll(from.front().getTerminator()->getOperands(),
                   branch.getResults(), loc);
  };
  if (failed(emitRegion(branch.getThenRegion(), host.thenBlock())))
    return failure();
  return emitRegion(branch.getElseRegion(), branch.getElseRegion().empty()
                                                ? nullptr
                                                : host.elseBlock());
}

LogicalResult HostBuilder::emitSwitch(scf::IndexSwitchOp branch) {
  Location loc = branch.getLoc();
  auto host = scf::IndexSwitchOp::create(
      b, loc, TypeRange(), scalars.lookup(branch.getArg()), branch.getCases(),
      branch.getCases().size());
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), host->getRegions())) {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&to);
    if (failed(emitBlock(from.front())) ||
        failed(copyAll(from.front().getTerminator()->getOperands(),
                       branch.getResults(), loc)))
      return failure();
    scf::YieldOp::create(b, loc);
  }
  return success();
}
