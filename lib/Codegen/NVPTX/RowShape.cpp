//===- RowShape.cpp - How rows are spread over threads --------------------===//

#include "RowShape.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

/// Most threads of a block, threads of a block of several rows. For 1,024 ptxas
/// prefers to spill a few of 32 registers to using more of 64.
static constexpr int64_t kMaxThreads = 512, kSmallBlock = 128;
/// Registers for elements that are kept, of 128 that 512 threads may have.
static constexpr int64_t kKept = 64;
/// Vectors in flight where a thread loops.
static constexpr int64_t kUnroll = 4;
/// Vectors of a thread below which a further part does not pay.
static constexpr int64_t kSmallestPart = 4;

RowShape RowShape::choose(const GpuStage &gpuStage) {
  const Stage &stage = gpuStage.stage;
  const GpuTarget &target = gpuStage.variant.target;
  StageTraffic traffic(gpuStage);
  RowShape s{};
  s.rows = codegen::elementsOf(stage.keptShape());
  int64_t length = codegen::elementsOf(sizesOf(stage.shape, stage.reducedDims));
  int64_t inner = lastWideDim(stage.shape, stage.reducedDims);
  s.lanes = inner < 0 ? 1 : traffic.lanes(stage.shape[inner]);
  s.vectors = length / s.lanes;

  // Elements are kept for a second pass, if there is one.
  int64_t passes = stage.phases().size() + (traffic.writes > 0);
  int64_t kept = passes > 1 ? traffic.reads + 1 : 1;
  int64_t most = std::max<int64_t>(1, kKept / (kept * s.lanes));
  int64_t wide = llvm::PowerOf2Ceil(s.vectors);
  s.threads = llvm::PowerOf2Ceil(llvm::divideCeil(s.vectors, most));
  s.threads = std::clamp(s.threads, std::min(wide, kWarp),
                         std::max(std::min(wide, kMaxThreads), int64_t(1)));
  // Rather more threads of a row than idle multiprocessors.
  while (s.threads < std::min(wide, kMaxThreads) &&
         2 * s.rows * s.threads <=
             target.multiprocessors * target.residentThreads / 2)
    s.threads *= 2;
  int64_t perThread = llvm::divideCeil(s.vectors, s.threads);
  s.isResident = perThread * s.lanes * kept <= kKept;
  s.unroll = s.isResident ? perThread : kUnroll;
  s.rowsPerBlock = std::max<int64_t>(1, kSmallBlock / s.threads);

  s.parts = 1;
  s.partVectors = s.vectors;
  int64_t wanted = 2 * target.multiprocessors / std::max<int64_t>(s.rows, 1);
  if (s.threads == kMaxThreads && wanted > 1 && perThread > kSmallestPart) {
    int64_t most = perThread / kSmallestPart;
    int64_t vectors = llvm::divideCeil(s.vectors, std::min(wanted, most));
    s.partVectors = llvm::alignTo(vectors, s.threads);
    s.parts = llvm::divideCeil(s.vectors, s.partVectors);
    perThread = s.partVectors / s.threads;
    s.isResident = false;
    s.unroll = std::min(perThread, kUnroll);
  }
  return s;
}

/// Threads of a block, rows of one thread below which a further part does not
/// pay.
static constexpr int64_t kColumnThreads = 256, kSmallestRows = 8;

ColumnShape ColumnShape::choose(const GpuStage &stage, int64_t vectors,
                                int64_t lanes, int64_t rows) {
  const GpuTarget &target = stage.variant.target;
  ColumnShape s{};
  s.vectors = vectors;
  s.lanes = lanes;
  s.rows = rows;
  s.x = std::min<int64_t>(llvm::PowerOf2Ceil(vectors), kWarp);
  s.y = std::min<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(rows, 1)),
                          kColumnThreads / s.x);
  int64_t sumBytes = 0;
  for (ReduceOp reduce : stage.stage.reductions)
    sumBytes += lanes * accumulatorBytes(reduce);
  while (s.y > 1 && s.x * s.y * sumBytes > target.staticSharedBytes)
    s.y /= 2;
  s.x = std::max(s.x, kWarp / s.y);
  int64_t wanted =
      llvm::divideCeil(2 * target.multiprocessors, s.columnBlocks());
  int64_t most = std::max<int64_t>(1, rows / (s.y * kSmallestRows));
  int64_t parts = std::min(wanted, most);
  s.partRows =
      llvm::alignTo(llvm::divideCeil(std::max<int64_t>(rows, 1), parts), s.y);
  s.parts = std::max<int64_t>(1, llvm::divideCeil(rows, s.partRows));
  return s;
}
