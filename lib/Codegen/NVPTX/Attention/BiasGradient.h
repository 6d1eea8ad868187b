//===- BiasGradient.h - The gradient of attention's bias --------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_BIASGRADIENT_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_BIASGRADIENT_H

#include "AttentionOperand.h"
#include "AttentionRows.h"

namespace tessera::nvptx {

/// Appends the step that computes the gradient of the bias (see
/// BiasGradient.cpp); none if `op` does not ask for it.
void lowerBiasGradient(const GpuStage &stage, AttentionGradientOp op,
                       const AttentionProblem &problem,
                       const AttentionRows &rows,
                       const GradientOperands &operands);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_BIASGRADIENT_H
