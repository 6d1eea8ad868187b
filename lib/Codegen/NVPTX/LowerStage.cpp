//===- LowerStage.cpp - The ways to lower a stage for a GPU ---------------===//

#include "LowerStage.h"
#include "Attention/WarpgroupAttention.h"
#include "Matmul/WarpgroupMatmul.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// From the most special to the most general: the first that applies is taken.
static constexpr StageRule kRules[] = {
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

LogicalResult nvptx::lowerStage(const GpuStage &stage) {
  bool isEmpty =
      llvm::all_of(stage.stage.outputs, [](const StageOutput &output) {
        return codegen::elementsOf(shapeOf(output.value)) == 0;
      });
  if (isEmpty)
    return success();
  for (StageRule rule : kRules) {
    FailureOr<bool> applied = rule(stage);
    if (failed(applied))
      return failure();
    if (*applied)
      return success();
  }
  llvm_unreachable("the last rule applies to every stage");
}
