//===- KernelTarget.cpp ---------------------------------------------------===//
//
// Elsewhere: structural hashing, value numbering.
//
//===----------------------------------------------------------------------===//

#include "tessera/Codegen/Host/KernelTarget.h"

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
