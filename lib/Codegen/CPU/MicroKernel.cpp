//===- MicroKernel.cpp - The register block of matrix products ------------===//
//
// The block of C stays in registers while k runs. Each step loads one row of
// the packed right panel (tileVectors vectors) and broadcasts one element of
// each of the tileRows rows of the left operand: tileRows x tileVectors fused
// multiply-adds on tileRows + tileVectors loads, so that the two FMA units and
// not the two load ports of an x86 core are the limit.
//
//===----------------------------------------------------------------------===//

#include "MicroKernel.h"
#include "RegisterBlock.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tessera/Codegen/Kernels/CodeBuilder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::cpu;

namespace {

/// Steps of k per iteration of the main loop.
constexpr int64_t unrolling = 4;

struct MicroKernelEmitter {
  CodeBuilder &b;
  LeftLayout layout;
  Value left, stride, right, result, resultStride, depth, accumulate;

  unsigned rows() const { return RegisterBlock{b.lanes()}.rows(); }
  unsigned vectors() const { return RegisterBlock{b.lanes()}.vectors(); }
  unsigned lanes() const { return b.lanes(); }
  VectorType vectorType() {
    return VectorType::get({int64_t(lanes())}, b.getF32Type());
  }

  Value resultPointer(unsigned row, unsigned vector) {
    Value offset = b.add(b.mul(resultStride, row), vector * lanes());
    return b.address(result, b.getF32Type(), offset);
  }

  /// Element (row, k + step) of the left operand.
  Value leftElement(unsigned row, Value k, int64_t step) {
    Value offset = layout == LeftLayout::Rows
                       ? b.add(b.add(b.mul(stride, row), k), step)
                       : b.add(b.mul(b.add(k, step), rows()), row);
    return b.load(b.getF32Type(), b.address(left, b.getF32Type(), offset));
  }

  CodeBuilder::Values step(Value k, int64_t step, ValueRange sums) {
    SmallVector<Value> columns;
    for (unsigned v = 0; v < vectors(); ++v) {
      Value offset =
          b.add(b.mul(b.add(k, step), vectors() * lanes()), v * lanes());
      columns.push_back(
          b.load(vectorType(), b.address(right, b.getF32Type(), offset)));
    }
    CodeBuilder::Values next;
    for (unsigned row = 0; row < rows(); ++row) {
      Value element = b.broadcast(leftElement(row, k, step), lanes());
      for (unsigned v = 0; v < vectors(); ++v)
        next.push_back(b.make<math::FmaOp>(element, columns[v],
                                           sums[row * vectors() + v]));
    }
    return next;
  }

  void emit() {
    CodeBuilder::Values zeros(rows() * vectors(),
                              b.splat(vectorType(), b.getF32FloatAttr(0)));
    Value whole = b.mul(b.div(depth, b.index(unrolling)), unrolling);
    CodeBuilder::Values sums = b.loop(b.index(0), whole, unrolling, zeros,
                                      [&](Value k, ValueRange sums) {
                                        CodeBuilder::Values next(sums);
                                        for (int64_t i = 0; i < unrolling; ++i)
                                          next = step(k, i, next);
                                        return next;
                                      });
    sums = b.loop(whole, depth, 1, sums,
                  [&](Value k, ValueRange sums) { return step(k, 0, sums); });
    auto storeAll = [&](bool add) {
      for (unsigned row = 0; row < rows(); ++row)
        for (unsigned v = 0; v < vectors(); ++v) {
          Value pointer = resultPointer(row, v),
                sum = sums[row * vectors() + v];
          if (add)
            sum = b.make<arith::AddFOp>(b.load(vectorType(), pointer), sum);
          b.store(sum, pointer);
        }
    };
    b.when(accumulate, [&] { storeAll(true); });
    Value fresh = b.make<arith::XOrIOp>(
        accumulate, b.splat(b.getI1Type(), b.getBoolAttr(true)));
    b.when(fresh, [&] { storeAll(false); });
  }
};

} // namespace

func::FuncOp cpu::getMicroKernel(ModuleOp module, unsigned lanes,
                                 LeftLayout layout) {
  StringRef name =
      layout == LeftLayout::Rows ? "tessera_block_rows" : "tessera_block_panel";
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    return function;
  MLIRContext *context = module.getContext();
  Location loc = UnknownLoc::get(context);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(context),
       i64 = builder.getI64Type();
  auto type = builder.getFunctionType(
      {pointer, i64, pointer, pointer, i64, i64, builder.getI1Type()}, {});
  auto function = func::FuncOp::create(builder, loc, name, type);
  function.setPrivate();
  for (unsigned argument : {0, 2, 3})
    function.setArgAttr(argument, LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
  Block *entry = function.addEntryBlock();
  CodeBuilder b(loc, entry, lanes);
  MicroKernelEmitter{b,
                     layout,
                     entry->getArgument(0),
                     entry->getArgument(1),
                     entry->getArgument(2),
                     entry->getArgument(3),
                     entry->getArgument(4),
                     entry->getArgument(5),
                     entry->getArgument(6)}
      .emit();
  func::ReturnOp::create(b, loc);
  return function;
}
