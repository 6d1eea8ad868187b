//===- AttentionProblem.cpp - What attention computes ---------------------===//

#include "Attention/AttentionProblem.h"
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
  AttentionProblem problem;
  problem.query = op.getQuery();
  problem.key = op.getKey();
  problem.value = op.getValue();
  problem.biases.assign(op.getBiases().begin(), op.getBiases().end());
  problem.mask = op.getMask();
  problem.keep = op.getKeep();
  problem.scale = op.getScale().convertToDouble();
  problem.fill = -INFINITY;
  problem.batch = query[0];
  problem.heads = query[1];
  problem.keyHeads = value[1];
  problem.queries = query[2];
  problem.keys = value[2];
  problem.features = query[3];
  problem.valueFeatures = value[3];
  problem.element = getElementTypeOrSelf(op.getQuery());
  if (op.getSoftcap())
    problem.softcap = op.getSoftcap()->convertToDouble();
  if (op.getKeepScale())
    problem.keepScale = op.getKeepScale()->convertToDouble();
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
