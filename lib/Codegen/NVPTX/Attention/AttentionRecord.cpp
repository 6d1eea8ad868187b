//===- AttentionRecord.cpp - Measured choices for attention ---------------===//

#include "Attention/AttentionRecord.h"
#include "Attention/AttentionRules.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::nvptx;

std::optional<AttentionRecord> AttentionRecord::parse(llvm::StringRef text) {
  auto [block, buffers] = text.split('/');
  auto [groups, columns] = block.split('x');
  AttentionRecord record{};
  if (groups.getAsInteger(10, record.groups) ||
      columns.getAsInteger(10, record.columns) ||
      buffers.getAsInteger(10, record.buffers))
    return std::nullopt;
  auto isIn = [](int64_t value, int64_t least, int64_t most) {
    return value >= least && value <= most && llvm::isPowerOf2_64(value);
  };
  bool isBlock = isIn(record.groups, 1, 8) && isIn(record.columns, 16, 256) &&
                 record.buffers >= 1 && record.buffers <= 4;
  return isBlock ? std::optional(record) : std::nullopt;
}

std::optional<AttentionRecord>
AttentionRecord::find(const GpuNest &nest, const AttentionProblem &problem,
                      llvm::StringRef step) {
  std::string element = problem.element.isF32()    ? "f32"
                        : problem.element.isBF16() ? "bf16"
                                                   : "f16";
  TuningKey key(KernelKind::Structured, nest.variant.target,
                {{"batch", problem.batch * problem.heads},
                 {"queries", problem.queries},
                 {"keys", problem.keys},
                 {"features", problem.features}},
                {{"step", step.str()}, {"element", element}});
  const TuningRecord *record = nest.variant.options.tuning->find(key);
  if (!record)
    return std::nullopt;
  std::optional<AttentionRecord> found = parse(record->tile);
  found->isWarpgroup = record->family->kernel == "wgmma-attention";
  return found;
}

llvm::ArrayRef<KernelFamily> nvptx::attentionFamilies() {
  static constexpr llvm::StringLiteral names[] = {"step", "element"};
  static constexpr llvm::StringLiteral sizes[] = {"batch", "queries", "keys",
                                                  "features"};
  constexpr KernelKind kind = KernelKind::Structured;
  static const KernelFamily families[] = {
      {"attention", kind, isTileText<AttentionRecord>, names, sizes},
      {"wgmma-attention", kind, isTileText<AttentionRecord>, names, sizes},
  };
  return families;
}
