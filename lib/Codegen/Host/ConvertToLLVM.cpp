//===- ConvertToLLVM.cpp - From loops and vectors to the LLVM dialect -----===//

#include "tessera/Codegen/Host/ConvertToLLVM.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tessera/Codegen/Math/ApproximateMath.h"
#include "tessera/Dialect/Rt/Rt.h"

using namespace mlir;
using namespace tessera;

/// Rounding twice gives what rounding once would because an f32 that is not
/// exact has an odd last bit (Boldo, Melquiond: Emulation of FMA and correctly
/// rounded sums, 2008).
void codegen::narrowByRoundingToOdd(ModuleOp module) {
  module.walk([](arith::TruncFOp op) {
    Type to = getElementTypeOrSelf(op.getType());
    if (!getElementTypeOrSelf(op.getIn()).isF64() ||
        to.getIntOrFloatBitWidth() != 16)
      return;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto like = [&](Type element) -> Type {
      auto vector = dyn_cast<VectorType>(op.getType());
      return vector ? Type(vector.clone(element)) : element;
    };
    Type single = like(b.getF32Type()), word = like(b.getI32Type());
    Value value = op.getIn();
    Value narrowed = arith::TruncFOp::create(b, single, value);
    Value widened = arith::ExtFOp::create(b, value.getType(), narrowed);
    Value exact =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, widened, value);
    Value tooLarge = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                           math::AbsFOp::create(b, widened),
                                           math::AbsFOp::create(b, value));
    Value bits = arith::BitcastOp::create(b, word, narrowed);
    Value down = arith::SubIOp::create(
        b, bits, arith::ExtUIOp::create(b, word, tooLarge));
    Attribute one = b.getI32IntegerAttr(1);
    if (auto vector = dyn_cast<VectorType>(word))
      one = SplatElementsAttr::get(vector, one);
    Value odd = arith::OrIOp::create(
        b, down, arith::ConstantOp::create(b, cast<TypedAttr>(one)));
    Value chosen = arith::SelectOp::create(b, exact, bits, odd);
    op.getInMutable().assign(arith::BitcastOp::create(b, single, chosen));
  });
}

/// Conversions to and from bf16 as integer arithmetic, which every processor
/// has.
static LogicalResult expandShortFloats(ModuleOp module) {
  SmallVector<Operation *> conversions;
  module.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        (getElementTypeOrSelf(op->getOperand(0)).isBF16() ||
         getElementTypeOrSelf(op->getResult(0)).isBF16()))
      conversions.push_back(op);
  });
  if (conversions.empty())
    return success();
  RewritePatternSet patterns(module.getContext());
  arith::populateExpandBFloat16Patterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  return applyOpPatternsGreedily(conversions, std::move(patterns), config);
}

void codegen::populateConversionsToLLVM(LLVMTypeConverter &converter,
                                        RewritePatternSet &patterns) {
  populateSCFToControlFlowConversionPatterns(patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  // Instructions and intrinsics before calls of the C library.
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/true,
                                       /*benefit=*/2);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns,
                                         /*reassociateFPReductions=*/true);
}

LogicalResult tessera::codegen::convertToLLVM(ModuleOp module) {
  MLIRContext *context = module.getContext();
  expandReciprocalRoots(module);
  narrowByRoundingToOdd(module);
  if (failed(approximateMath(module)) || failed(expandShortFloats(module)))
    return failure();
  LLVMConversionTarget target(*context);
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  populateConversionsToLLVM(converter, patterns);
  populateMathToLibmConversionPatterns(patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  target.addLegalOp<ModuleOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    if (SymbolTable::getSymbolVisibility(function) ==
        SymbolTable::Visibility::Private)
      function.setLinkage(LLVM::Linkage::Internal);
    else if (module.getSymName() != rt::RtDialect::kProgramName)
      function.setVisibility_(LLVM::Visibility::Hidden);
  }
  return success();
}
