//===- LowerLoopNest.cpp - The ways to lower a loop nest for a GPU --------===//

#include "LowerLoopNest.h"
#include "Attention/AttentionRules.h"
#include "Loops/LoopRules.h"
#include "Matmul/MatmulRules.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// A way to lower loop nests: appends steps to the variant and returns true, or
/// leaves everything as it was and returns false where it does not apply. Fails
/// with a diagnostic.
using NestRule = llvm::FailureOr<bool> (*)(const GpuNest &);

/// From the most special to the most general: the first that applies is taken.
static constexpr NestRule kRules[] = {
    lowerWarpgroupAttention,
    lowerWarpgroupAttentionGradient,
    lowerAttention,
    lowerElementwise,
    lowerRows,
    lowerColumns,
    lowerLibraryMatmul,
    lowerWarpgroupMatmul,
    lowerMatmul,
    lowerScatter,
    lowerUpdate,
    lowerByThreads,
};

LogicalResult nvptx::lowerNest(const GpuNest &nest) {
  bool isEmpty = llvm::all_of(nest.loops.outputs, [](const NestOutput &output) {
    return codegen::elementsOf(shapeOf(output.value)) == 0;
  });
  if (isEmpty)
    return success();
  for (NestRule rule : kRules) {
    FailureOr<bool> applied = rule(nest);
    if (failed(applied))
      return failure();
    if (*applied)
      return success();
  }
  llvm_unreachable("the last rule applies to every loop nest");
}
