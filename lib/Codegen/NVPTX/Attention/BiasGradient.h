//===- BiasGradient.h - The gradient of attention's bias --------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_BIASGRADIENT_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_BIASGRADIENT_H

#include "Attention/AttentionOperand.h"
#include "Attention/AttentionRows.h"

namespace tessera::nvptx {

/// Appends the step that computes the gradient of the bias (see
/// BiasGradient.cpp); none if `op` does not ask for it.
void lowerBiasGradient(const GpuNest &nest, AttentionGradientOp op,
                       const AttentionProblem &problem,
                       const AttentionRows &rows,
                       const GradientOperands &operands);

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_BIASGRADIENT_H
