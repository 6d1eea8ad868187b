//===- MemoryMap.cpp - Where the tensors of a function lie ----------------===//

#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/Donation.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::spmd;

int64_t spmd::bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() *
         llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

MemoryMap::MemoryMap(func::FuncOp function)
    : function(function), donors(function.getNumResults(), -1) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (std::optional<unsigned> donated = getDonatedResult(function, i))
      donors[*donated] = i;
}

MemoryLocation MemoryMap::canonical(MemoryLocation location) const {
  if (location.space == Space::Result && donors[location.position] >= 0)
    return {Space::Argument, donors[location.position]};
  return location;
}

MemoryLocation MemoryMap::result(int64_t number) const {
  return canonical({Space::Result, number});
}

std::optional<MemoryLocation> MemoryMap::read(Operation *op, StringRef name,
                                              unsigned number) const {
  auto buffers = op->getAttrOfType<ArrayAttr>(name);
  if (!buffers) {
    op->emitError("expected '") << name << "' on '" << op->getName()
                                << "', as the phase schedule writes them";
    return std::nullopt;
  }
  auto buffer = cast<BufferAttr>(buffers[number]);
  func::FuncOp program = function;
  int64_t count = buffer.getSpace() == Space::Argument
                      ? program.getNumArguments()
                      : program.getNumResults();
  bool isOfProgram = buffer.getSpace() == Space::Argument ||
                     buffer.getSpace() == Space::Result;
  if (isOfProgram &&
      (buffer.getPosition() < 0 || buffer.getPosition() >= count)) {
    op->emitError("expected a buffer of the program, got ") << buffer;
    return std::nullopt;
  }
  return canonical({buffer.getSpace(), buffer.getPosition()});
}

std::optional<MemoryLocation> MemoryMap::lookup(Value value) const {
  if (auto result = dyn_cast<OpResult>(value))
    return read(result.getOwner(), SpmdDialect::kBuffersAttr,
                result.getResultNumber());
  auto argument = cast<BlockArgument>(value);
  unsigned number = argument.getArgNumber();
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == function)
    return MemoryLocation{Space::Argument, number};
  if (auto loop = dyn_cast<scf::WhileOp>(parent);
      loop && argument.getOwner() == loop.getBeforeBody())
    return read(loop, kCarriedAttr, number);
  return lookup(
      parent->getResult(isa<scf::ForOp>(parent) ? number - 1 : number));
}

SmallVector<int64_t> MemoryMap::aliases(KernelOp kernel) const {
  SmallVector<int64_t> aliases;
  for (Value result : kernel.getResults()) {
    aliases.push_back(-1);
    std::optional<MemoryLocation> location = lookup(result);
    // What has no bytes lies at the address of something else.
    auto isEmpty = [](Value value) {
      return isa<RankedTensorType>(value.getType()) && bytesOf(value) == 0;
    };
    for (auto [number, operand] : llvm::enumerate(kernel.getOperands()))
      if (location && !isEmpty(result) && !isEmpty(operand) &&
          lookup(operand) == location)
        aliases.back() = number;
  }
  return aliases;
}
