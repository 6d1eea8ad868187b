//===- KeptState.cpp - what of a step is kept for the next one ------------===//

#include "Quantization/KeptState.h"

#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/CostInterface.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <deque>

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

KeptState::KeptState(func::FuncOp main) : main(main) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (std::optional<unsigned> result = getDonatedResult(main, i))
      donors.try_emplace(*result, i);
}

/// Whether `op`, or what runs in it, is more than elements at their places.
static bool hasProduct(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        WorkKind kind = getOperationCost(inner).kind;
        return kind == WorkKind::Product || kind == WorkKind::Structured ||
                       kind == WorkKind::Library
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool KeptState::isParameter(Value value) const {
  SmallVector<Value> open{value};
  DenseSet<Value> seen;
  bool isMadeOfState = false;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (parent == main) {
        if (!donors.empty() && !getDonatedResult(argument))
          return false;
        isMadeOfState = true;
        continue;
      }
      // The number of an iteration says which part of the state it is.
      auto loop = dyn_cast<scf::ForOp>(parent);
      if (!loop || next != loop.getInductionVar())
        return false;
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (op->getNumRegions() > 0 || hasProduct(op))
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return isMadeOfState;
}

std::optional<std::string> KeptState::findUpdatedBy(Value value) const {
  std::deque<Value> open{value};
  DenseSet<Value> seen{value};
  std::optional<unsigned> nearest;
  while (!open.empty()) {
    Value next = open.front();
    open.pop_front();
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() != value.getParentBlock() &&
          !(user = value.getParentBlock()->findAncestorOpInBlock(*user)))
        return std::nullopt;
      if (isa<func::ReturnOp>(user)) {
        auto donor = donors.find(use.getOperandNumber());
        if (!nearest && donor != donors.end())
          nearest = donor->second;
        continue;
      }
      if (hasProduct(user))
        return std::nullopt;
      for (Value result : user->getResults())
        if (seen.insert(result).second)
          open.push_back(result);
    }
  }
  return nearest ? std::optional(nameOf(*nearest)) : std::nullopt;
}

bool KeptState::isIn(Value value) const {
  SmallVector<Value> open{value};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (isa<func::ReturnOp>(user)) {
        if (donors.contains(use.getOperandNumber()))
          return true;
      } else if (user->hasTrait<OpTrait::Elementwise>() ||
                 isa<SliceOp, DynamicSliceOp, DynamicUpdateSliceOp, ReshapeOp,
                     TransposeOp>(user)) {
        llvm::append_range(open, user->getResults());
      }
    }
  }
  return false;
}

std::string KeptState::nameOf(unsigned number) const {
  auto name = func::FuncOp(main).getArgAttrOfType<StringAttr>(
      number, TesseraDialect::kNameAttr);
  return name ? name.str() : "arg" + std::to_string(number);
}

BlockArgument KeptState::findOld(spmd::AllGatherOp gather) const {
  if (!gather->hasOneUse())
    return {};
  OpOperand &use = *gather->getUses().begin();
  auto donor = donors.find(use.getOperandNumber());
  if (!isa<func::ReturnOp>(use.getOwner()) || donor == donors.end())
    return {};
  BlockArgument old = func::FuncOp(main).getArgument(donor->second);
  // Sums of shorter numbers would lose more than what is quantized.
  return typeOf(old).getElementType().isF32() ? old : BlockArgument();
}
