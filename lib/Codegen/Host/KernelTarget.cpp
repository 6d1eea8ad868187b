//===- KernelTarget.cpp ---------------------------------------------------===//
//
// Elsewhere: structural hashing, value numbering.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Host/KernelTarget.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Spmd/KernelStructure.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

namespace {

/// Writes a region as text, values as numbers.
class KeyWriter {
public:
  explicit KeyWriter(llvm::raw_ostream &stream) : stream(stream) {}

  void write(Region &region) {
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        define(argument);
      for (Operation &op : block)
        write(op);
    }
  }

private:
  void define(Value value) {
    numbers[value] = numbers.size();
    stream << ':' << value.getType().getAsOpaquePointer();
  }

  void write(Operation &op) {
    // Names, types and attributes are unique in the context.
    stream << '\n' << op.getName().getAsOpaquePointer();
    stream << ' ' << op.getPropertiesAsAttribute().getAsOpaquePointer();
    for (Value operand : op.getOperands())
      stream << ' ' << numbers.lookup(operand);
    for (Value result : op.getResults())
      define(result);
    for (Region &region : op.getRegions())
      write(region);
  }

  llvm::raw_ostream &stream;
  llvm::DenseMap<Value, unsigned> numbers;
};

} // namespace

std::string codegen::kernelKey(spmd::KernelOp kernel,
                               ArrayRef<int64_t> aliases) {
  std::string key;
  llvm::raw_string_ostream stream(key);
  llvm::interleaveComma(aliases, stream);
  KeyWriter(stream).write(kernel.getBody());
  return key;
}

LibraryCallOp codegen::findRoutineCall(spmd::KernelOp kernel) {
  return dyn_cast<LibraryCallOp>(kernel.getBody().front().front());
}

void codegen::emitRoutineCall(OpBuilder &b, Location loc, LibraryCallOp call,
                              const KernelUse &use, Value context,
                              ValueRange buffers) {
  SmallVector<Value> memory(buffers);
  unsigned inputs = call.getOperands().size();
  SmallVector<Type> types;
  for (unsigned i = 0; i < memory.size(); ++i)
    types.push_back(call.getArrayType(i));
  if (llvm::all_of(call.getResults(),
                   [](Value result) { return elementsOf(result) == 0; }))
    return;
  for (unsigned result = 0; result < call.getNumResults(); ++result) {
    std::optional<unsigned> operand = call.getAlias(result);
    int64_t bytes = spmd::bytesOf(call.getResult(result));
    if (!operand || bytes == 0)
      continue;
    rt::CopyOp::create(b, loc, context, memory[*operand],
                       memory[inputs + result], bytes);
    memory[*operand] = memory[inputs + result];
  }
  rt::CallRoutineOp::create(b, loc, context, call.getRoutine(), memory,
                            call.getParameters(), b.getTypeArrayAttr(types),
                            inputs, use.name);
}
