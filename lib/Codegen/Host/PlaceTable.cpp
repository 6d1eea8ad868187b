//===- PlaceTable.cpp - Where the tensors of a program lie ----------------===//

#include "tessera/Codegen/Host/PlaceTable.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

PlaceTable::PlaceTable(func::FuncOp function)
    : function(function), donors(function.getNumResults(), -1) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto donated = function.getArgAttrOfType<IntegerAttr>(
            i, TesseraDialect::kDonatedAttr))
      donors[donated.getInt()] = i;
}

Place PlaceTable::canonical(Place place) const {
  if (place.space == spmd::Space::Result && donors[place.position] >= 0)
    return {spmd::Space::Argument, donors[place.position]};
  return place;
}

Place PlaceTable::result(int64_t number) const {
  return canonical({spmd::Space::Result, number});
}

std::optional<Place> PlaceTable::lookup(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == function)
      return Place{spmd::Space::Argument, argument.getArgNumber()};
    // A value that a loop carries lies where the loop's result lies.
    unsigned number = argument.getArgNumber();
    if (isa<scf::ForOp>(parent))
      --number;
    return lookup(parent->getResult(number));
  }
  Operation *op = value.getDefiningOp();
  auto buffers = op->getAttrOfType<ArrayAttr>(spmd::SpmdDialect::kBuffersAttr);
  if (!buffers) {
    op->emitError("expected 'spmd.buffers' on '")
        << op->getName() << "', as the phase schedule writes them";
    return std::nullopt;
  }
  auto buffer =
      cast<spmd::BufferAttr>(buffers[cast<OpResult>(value).getResultNumber()]);
  if (buffer.getSpace() == spmd::Space::Result &&
      buffer.getPosition() >= int64_t(donors.size())) {
    op->emitError("expected a result below ")
        << donors.size() << " in 'spmd.buffers', got " << buffer.getPosition();
    return std::nullopt;
  }
  return canonical({buffer.getSpace(), buffer.getPosition()});
}

SmallVector<int64_t> PlaceTable::aliases(spmd::KernelOp kernel) const {
  SmallVector<int64_t> aliases;
  for (Value result : kernel.getResults()) {
    aliases.push_back(-1);
    std::optional<Place> place = lookup(result);
    for (auto [number, operand] : llvm::enumerate(kernel.getOperands()))
      if (place && lookup(operand) == place)
        aliases.back() = number;
  }
  return aliases;
}
