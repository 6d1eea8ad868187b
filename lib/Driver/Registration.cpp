//===- Registration.cpp - every dialect and pass of the compiler ----------===//

#include "tessera/Driver/Registration.h"

#include "tessera/Codegen/Passes.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Spmd/CostModels.h"
#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Transforms/Communicate/Passes.h"
#include "tessera/Transforms/Fuse/Passes.h"
#include "tessera/Transforms/Import/Passes.h"
#include "tessera/Transforms/Import/ReadModel.h"
#include "tessera/Transforms/Partition/Passes.h"
#include "tessera/Transforms/Schedule/Passes.h"
#include "tessera/Transforms/Shard/Passes.h"
#include "tessera/Transforms/Stage/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tessera::registerDialects(DialectRegistry &registry) {
  registry.insert<TesseraDialect, spmd::SpmdDialect, pipe::PipeDialect,
                  rt::RtDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, math::MathDialect, scf::SCFDialect,
                  tensor::TensorDialect, ub::UBDialect, vector::VectorDialect,
                  LLVM::LLVMDialect, NVVM::NVVMDialect>();
  importer::registerForeignDialects(registry);
  registerElementwiseShardingRules(registry);
  registerOperationCosts(registry);
  partition::registerLocalComputations(registry);
  partition::registerPadding(registry);
}

void tessera::registerPasses() {
  registerCanonicalizerPass();
  registerCSEPass();
  registerSymbolDCEPass();
  importer::registerImportPhase();
  shard::registerShardPhase();
  stage::registerStagePhase();
  partition::registerPartitionPhase();
  communicate::registerCommunicatePhase();
  fuse::registerFusePhase();
  schedule::registerSchedulePhase();
  codegen::registerCodegenPhase();
}
