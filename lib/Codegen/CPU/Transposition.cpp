//===- Transposition.cpp - Squares of vectors, transposed -----------------===//

#include "Transposition.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tessera/Codegen/Kernels/CodeBuilder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

/// Transposes a square of `lanes` vectors: log2(lanes) rounds, each of which
/// exchanges halves, quarters, ... between pairs of vectors.
static void transposeSquare(CodeBuilder &b, MutableArrayRef<Value> square) {
  int64_t lanes = square.size();
  for (int64_t distance = 1; distance < lanes; distance *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool upper = lane & distance;
      low.push_back(upper ? lanes + lane - distance : lane);
      high.push_back(upper ? lanes + lane : lane + distance);
    }
    for (int64_t i = 0; i < lanes; ++i)
      if (!(i & distance)) {
        Value x = square[i], y = square[i + distance];
        square[i] = b.make<vector::ShuffleOp>(x, y, low);
        square[i + distance] = b.make<vector::ShuffleOp>(x, y, high);
      }
  }
}

func::FuncOp cpu::getTransposition(ModuleOp module, unsigned lanes) {
  constexpr StringLiteral name = "tessera_transpose_square";
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    return function;
  Location loc = UnknownLoc::get(module.getContext());
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType({pointer, pointer, builder.getI64Type()}, {}));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  Value from = entry->getArgument(0), to = entry->getArgument(1),
        stride = entry->getArgument(2);
  CodeBuilder b(loc, entry, lanes);
  Type type = CodeBuilder::vectorOf(b.getF32Type(), lanes);
  SmallVector<Value> square;
  for (unsigned i = 0; i < lanes; ++i)
    square.push_back(
        b.load(type, b.address(from, b.getF32Type(), b.index(i * lanes))));
  transposeSquare(b, square);
  for (auto [i, row] : llvm::enumerate(square))
    b.store(row, b.address(to, b.getF32Type(), b.mul(stride, int64_t(i))));
  func::ReturnOp::create(b, loc);
  return function;
}
