//===- WarpgroupInstructions.cpp - mbarrier, TMA and wgmma ----------------===//

#include "WarpgroupInstructions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

void WarpgroupInstructions::emit(StringRef text, StringRef constraints,
                                 ValueRange operands) {
  std::string all = constraints.str() + (constraints.empty() ? "" : ",");
  LLVM::InlineAsmOp::create(
      b, b.getLoc(), TypeRange(), operands, text, all + "~{memory}",
      /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
}

CodeBuilder::Values WarpgroupInstructions::emitOn(ValueRange accumulators,
                                                  StringRef text,
                                                  StringRef constraints,
                                                  ValueRange operands) {
  std::string all;
  size_t count = accumulators.size();
  for (size_t i = 0; i < count; ++i)
    all += "=f,";
  // Inputs stand behind all outputs: those that are changed last, so that the
  // other operands follow the outputs in number.
  all += constraints.str() + (constraints.empty() ? "" : ",");
  for (size_t i = 0; i < count; ++i)
    all += llvm::utostr(i) + ",";
  SmallVector<Value> inputs(operands);
  llvm::append_range(inputs, accumulators);
  Type type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(count, b.getF32Type()));
  auto op = LLVM::InlineAsmOp::create(
      b, b.getLoc(), TypeRange(type), inputs, text, all + "~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
  CodeBuilder::Values results;
  for (size_t i = 0; i < count; ++i)
    results.push_back(LLVM::ExtractValueOp::create(
        b, b.getLoc(), op.getResult(0), int64_t(i)));
  return results;
}

Value WarpgroupInstructions::sharedNumber(Value pointer) {
  return b.make<LLVM::PtrToIntOp>(b.getI32Type(), pointer);
}

//===----------------------------------------------------------------------===//
// mbarrier and TMA
//===----------------------------------------------------------------------===//

void WarpgroupInstructions::initBarrier(Value barrier, int64_t arrivals) {
  emit(
      llvm::formatv("mbarrier.init.shared::cta.b64 [$0], {0};", arrivals).str(),
      "r", barrier);
}

void WarpgroupInstructions::fenceBarriers() {
  emit("fence.mbarrier_init.release.cluster;", "", {});
}

void WarpgroupInstructions::arriveExpecting(Value barrier, int64_t bytes) {
  emit(llvm::formatv("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], {0};",
                     bytes)
           .str(),
       "r", barrier);
}

void WarpgroupInstructions::arriveOncePerWarp(Value barrier, Value lane) {
  emit("{\n.reg .pred first;\nsetp.eq.u64 first, $1, 0;\n"
       "@first mbarrier.arrive.shared::cta.b64 _, [$0];\n}",
       "r,l", {barrier, lane});
}

void WarpgroupInstructions::wait(Value barrier, Value parity) {
  emit("{\n.reg .pred done;\nagain:\n"
       "mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\n"
       "@!done bra again;\n}",
       "r,r", {barrier, parity});
}

void WarpgroupInstructions::loadBox(Value target, Value map, ValueRange corner,
                                    Value barrier) {
  SmallVector<std::string> names;
  std::string constraints = "r,l,r";
  for (size_t i = 0; i < corner.size(); ++i) {
    names.push_back("$" + llvm::utostr(3 + i));
    constraints += ",r";
  }
  std::string text =
      llvm::formatv("cp.async.bulk.tensor.{0}d.shared::cluster.global.mbarrier"
                    "::complete_tx::bytes [$0], [$1, {{{1}}], [$2];",
                    corner.size(), llvm::join(names, ", "))
          .str();
  SmallVector<Value> operands = {target, map, barrier};
  llvm::append_range(operands, corner);
  emit(text, constraints, operands);
}

void WarpgroupInstructions::namedBarrier(int64_t number, int64_t threads) {
  emit(llvm::formatv("bar.sync {0}, {1};", number, threads).str(), "", {});
}

void WarpgroupInstructions::setRegisters(int64_t count, bool more) {
  emit(llvm::formatv("setmaxnreg.{0}.sync.aligned.u32 {1};",
                     more ? "inc" : "dec", count)
           .str(),
       "", {});
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

Value WarpgroupInstructions::descriptor(Value address, int64_t leading,
                                        int64_t stride) {
  // Without their lowest four bits: bits 0-13 the address, 16-29 leading, 32-45
  // stride; 62-63 the swizzle, 1 for 128 bytes.
  auto field = [](int64_t value) { return (value & 0x3ffff) >> 4; };
  uint64_t fixed = uint64_t(field(leading)) << 16 |
                   uint64_t(field(stride)) << 32 | uint64_t(1) << 62;
  Value number = b.make<arith::ShRUIOp>(
      address, b.splat(b.getI32Type(), b.getI32IntegerAttr(4)));
  number = b.make<arith::AndIOp>(
      number, b.splat(b.getI32Type(), b.getI32IntegerAttr(0x3fff)));
  Value wide = b.make<arith::ExtUIOp>(b.getI64Type(), number);
  return b.make<arith::OrIOp>(
      wide, b.splat(b.getI64Type(), b.getI64IntegerAttr(int64_t(fixed))));
}

CodeBuilder::Values WarpgroupInstructions::multiply(const Product &product,
                                                    ValueRange accumulators,
                                                    ValueRange left,
                                                    ValueRange right,
                                                    int64_t pending) {
  size_t count = accumulators.size();
  SmallVector<std::string> registers;
  for (size_t i = 0; i < count; ++i)
    registers.push_back("$" + llvm::utostr(i));
  std::string list = llvm::join(registers, ", ");
  bool isTf32 = product.element == "tf32";
  std::string majors =
      isTf32 ? std::string()
             : llvm::formatv(", {0:d}, {1:d}", int(product.mMajor),
                             int(product.nMajor))
                   .str();
  std::string text = "wgmma.fence.sync.aligned;\n", constraints;
  SmallVector<Value> operands;
  for (auto [i, a, bOperand] : llvm::enumerate(left, right)) {
    text +=
        llvm::formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.f32.{2}.{2} "
                      "{{{3}}, ${4}, ${5}, 1, 1, 1{6};\n",
                      product.n, isTf32 ? 8 : 16, product.element, list,
                      count + 2 * i, count + 2 * i + 1, majors)
            .str();
    constraints += i ? ",l,l" : "l,l";
    operands.append({a, bOperand});
  }
  text += llvm::formatv("wgmma.commit_group.sync.aligned;\n"
                        "wgmma.wait_group.sync.aligned {0};",
                        pending)
              .str();
  return emitOn(accumulators, text, constraints, operands);
}

CodeBuilder::Values WarpgroupInstructions::finish(ValueRange accumulators) {
  return emitOn(accumulators, "wgmma.wait_group.sync.aligned 0;", "", {});
}
