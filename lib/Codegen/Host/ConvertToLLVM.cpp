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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tessera/Codegen/Math/ApproximateMath.h"
#include "tessera/Codegen/Math/ShortFloats.h"
#include "tessera/Dialect/Rt/Rt.h"

using namespace mlir;
using namespace tessera;

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
  expandIntegerPowers(module);
  convertShortFloatsBySingle(module);
  if (failed(approximateMath(module)) || failed(expandBFloat16(module)))
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
