//===- LowerLoopNest.cpp - The ways to lower a loop nest for a GPU --------===//

#include "LowerLoopNest.h"
#include "Attention/AttentionRules.h"
#include "Loops/LoopRules.h"
#include "Matmul/MatmulRules.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Dialect/Tessera/Why.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tessera-lower-to-gpu"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// A way to lower loop nests: appends steps to the variant and returns true, or
/// leaves everything as it was and returns false where it does not apply. Fails
/// with a diagnostic.
using NestRule = llvm::FailureOr<bool> (*)(const GpuNest &);

namespace {
struct NamedRule {
  llvm::StringLiteral name;
  NestRule apply;
};
} // namespace

/// From the most special to the most general: the first that applies is taken.
static constexpr NamedRule kRules[] = {
    {"warpgroup attention", lowerWarpgroupAttention},
    {"warpgroup attention gradient", lowerWarpgroupAttentionGradient},
    {"attention", lowerAttention},
    {"elementwise", lowerElementwise},
    {"rows", lowerRows},
    {"columns", lowerColumns},
    {"library matmul", lowerLibraryMatmul},
    {"warpgroup matmul", lowerWarpgroupMatmul},
    {"matmul", lowerMatmul},
    {"scatter", lowerScatter},
    {"update", lowerUpdate},
    {"variadic reduction", lowerVariadicReduce},
    {"sort", lowerSort},
    {"threads", lowerByThreads},
};

LogicalResult nvptx::lowerNest(const GpuNest &nest) {
  bool isEmpty = llvm::all_of(nest.loops.outputs, [](const NestOutput &output) {
    return codegen::elementsOf(shapeOf(output.value)) == 0;
  });
  if (isEmpty)
    return success();
  for (const NamedRule &rule : kRules) {
    FailureOr<bool> applied = rule.apply(nest);
    if (failed(applied))
      return failure();
    if (!*applied)
      continue;
    LDBG() << nest.variant.name << ", loop nest " << nest.number << " of "
           << describeOperation(nest.variant.kernel) << ", for "
           << nest.variant.target.chip << ": by the rule '" << rule.name << "'";
    return success();
  }
  llvm_unreachable("the last rule applies to every loop nest");
}
