//===- WarpgroupInstructions.cpp - mbarrier, TMA and wgmma ----------------===//

#include "Warpgroup/WarpgroupInstructions.h"
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

CodeBuilder::Values WarpgroupInstructions::emitOn(size_t count,
                                                  ValueRange accumulators,
                                                  StringRef text,
                                                  StringRef constraints,
                                                  ValueRange operands) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += "=f,";
  // Inputs stand behind all outputs: those that are changed last, so that the
  // other operands follow the outputs in number.
  all += constraints.str() + (constraints.empty() ? "" : ",");
  for (size_t i = 0; i < accumulators.size(); ++i)
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

void WarpgroupInstructions::loadBytes(Value target, Value source, int64_t bytes,
                                      Value barrier) {
  emit(llvm::formatv("cp.async.bulk.shared::cluster.global.mbarrier::"
                     "complete_tx::bytes [$0], [$1], {0}, [$2];",
                     bytes)
           .str(),
       "r,l,r", {target, source, barrier});
}

void WarpgroupInstructions::namedBarrier(Value number, int64_t threads) {
  emit(llvm::formatv("bar.sync $0, {0};", threads).str(), "r", number);
}

void WarpgroupInstructions::arriveAtNamedBarrier(Value number,
                                                 int64_t threads) {
  emit(llvm::formatv("bar.arrive $0, {0};", threads).str(), "r", number);
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

/// `$first` to `$(first + count - 1)`.
static std::string operandList(size_t first, size_t count) {
  SmallVector<std::string> names;
  for (size_t i = first; i < first + count; ++i)
    names.push_back("$" + llvm::utostr(i));
  return llvm::join(names, ", ");
}

/// Emits one asynchronous product of a warpgroup with its fence and commit, as
/// one piece of assembly so that no register moves in between; the left operand
/// comes from shared memory (`left`) or from `registers`. Waits until at most
/// `pending` groups are under way, where given. Returns the accumulators.
CodeBuilder::Values WarpgroupInstructions::emitMatmul(
    const Product &product, ValueRange accumulators, const Matrix *left,
    ValueRange registers, const Matrix &right, std::optional<int64_t> pending) {
  // Operands: the accumulators, the descriptors, the left registers.
  size_t count = product.n / 2;
  SmallVector<Value> operands = {right.descriptor};
  if (left)
    operands.push_back(left->descriptor);
  std::string constraints = left ? "l,l" : "l";
  size_t next = count + operands.size();
  for (Value word : registers) {
    constraints += ",r";
    operands.push_back(word);
  }
  bool isTf32 = product.element == "tf32";
  std::string majors;
  if (!isTf32 && left)
    majors += product.mMajor ? ", 1" : ", 0";
  if (!isTf32)
    majors += product.nMajor ? ", 1" : ", 0";
  std::string sums = operandList(0, count);
  std::string text = "{\n.reg .b64 a, b;\nwgmma.fence.sync.aligned;\n";
  for (size_t i = 0; i < right.offsets.size(); ++i) {
    text += llvm::formatv("add.s64 b, ${0}, {1};\n", count, right.offsets[i]);
    if (left)
      text +=
          llvm::formatv("add.s64 a, ${0}, {1};\n", count + 1, left->offsets[i]);
    std::string a = left ? "a" : "{" + operandList(next + 4 * i, 4) + "}";
    text +=
        llvm::formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.f32.{2}.{2} "
                      "{{{3}}, {4}, b, {5}, 1, 1{6};\n",
                      product.n, isTf32 ? 8 : 16, product.element, sums, a,
                      i || !accumulators.empty() ? 1 : 0, majors);
  }
  text += "wgmma.commit_group.sync.aligned;\n";
  if (pending)
    text += llvm::formatv("wgmma.wait_group.sync.aligned {0};\n", *pending);
  return emitOn(count, accumulators, text + "}", constraints, operands);
}

CodeBuilder::Values
WarpgroupInstructions::multiply(const Product &product, ValueRange accumulators,
                                const Matrix &left, const Matrix &right,
                                std::optional<int64_t> pending) {
  return emitMatmul(product, accumulators, &left, {}, right, pending);
}

CodeBuilder::Values
WarpgroupInstructions::multiply(const Product &product, ValueRange accumulators,
                                ValueRange left, const Matrix &right,
                                std::optional<int64_t> pending) {
  return emitMatmul(product, accumulators, nullptr, left, right, pending);
}

CodeBuilder::Values WarpgroupInstructions::wait(int64_t pending,
                                                ValueRange accumulators,
                                                ValueRange inUse) {
  std::string constraints;
  for (size_t i = 0; i < inUse.size(); ++i)
    constraints += i ? ",r" : "r";
  return emitOn(
      accumulators.size(), accumulators,
      llvm::formatv("wgmma.wait_group.sync.aligned {0};", pending).str(),
      constraints, inUse);
}
