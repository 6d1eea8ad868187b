//===- AttentionRecord.cpp - Measured choices for attention ---------------===//

#include "AttentionRecord.h"
#include "TuningRecords.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::nvptx;

std::optional<AttentionRecord> AttentionRecord::parse(llvm::StringRef text) {
  auto [block, stages] = text.split('/');
  auto [groups, columns] = block.split('x');
  AttentionRecord record{};
  if (groups.getAsInteger(10, record.groups) ||
      columns.getAsInteger(10, record.columns) ||
      stages.getAsInteger(10, record.stages))
    return std::nullopt;
  auto isIn = [](int64_t value, int64_t least, int64_t most) {
    return value >= least && value <= most && llvm::isPowerOf2_64(value);
  };
  bool isBlock = isIn(record.groups, 1, 8) && isIn(record.columns, 16, 256) &&
                 record.stages >= 1 && record.stages <= 4;
  return isBlock ? std::optional(record) : std::nullopt;
}

std::optional<AttentionRecord>
AttentionRecord::find(const GpuStage &stage, const AttentionProblem &problem,
                      llvm::StringRef step) {
  TuningKey key("attention", stage.variant.target,
                {{"batch", problem.batch * problem.heads},
                 {"queries", problem.queries},
                 {"keys", problem.keys},
                 {"features", problem.features}});
  key.names["step"] = step.str();
  key.names["element"] = problem.element.isF32()    ? "f32"
                         : problem.element.isBF16() ? "bf16"
                                                    : "f16";
  const TuningRecord *record = stage.variant.options.tuning->find(key);
  if (!record)
    return std::nullopt;
  std::optional<AttentionRecord> found = parse(record->tile);
  found->isWarpgroup = record->kernel == "wgmma-attention";
  return found;
}
