//===- AttentionProblem.cpp - What attention computes ---------------------===//

#include "AttentionProblem.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// From here down a hidden score is one that no visible one comes near, in any
/// type of scores: f16 ends at -65504.
static constexpr double kHidden = -3e4;

template <typename Op> AttentionProblem AttentionProblem::of(Op op) {
  ArrayRef<int64_t> query = shapeOf(op.getQuery()),
                    value = shapeOf(op.getValue());
  AttentionProblem problem{op.getQuery(), op.getKey(),
                           op.getValue(), op.getBias(),
                           op.getMask(),  op.getScale().convertToDouble(),
                           -INFINITY,     std::nullopt,
                           query[0],      query[1],
                           value[1],      query[2],
                           value[2],      query[3],
                           value[3],      getElementTypeOrSelf(op.getQuery())};
  if (op.getFill())
    problem.fill = op.getFill()->convertToDouble();
  if (op.getCausal())
    problem.causal = int64_t(*op.getCausal());
  return problem;
}

template AttentionProblem AttentionProblem::of(AttentionOp);
template AttentionProblem AttentionProblem::of(AttentionGradientOp);

bool AttentionProblem::hidesAll() const { return fill <= kHidden; }

bool AttentionProblem::mayHideRows() const {
  return !std::isinf(fill) && (mask || (causal && *causal < 0));
}
