//===- WarpgroupAttention.h - Attention by TMA and wgmma --------*- C++ -*-===//
#ifndef TESSERA_CODEGEN_NVPTX_ATTENTION_WARPGROUPATTENTION_H
#define TESSERA_CODEGEN_NVPTX_ATTENTION_WARPGROUPATTENTION_H

#include "Attention/AttentionOperand.h"
#include "Attention/AttentionRules.h"
#include "Attention/AttentionTile.h"
#include "Core/TileOrder.h"
#include "Warpgroup/WarpgroupPipeline.h"

namespace tessera::nvptx {

/// How the blocks of a step work: each multiplying warp group has 64 rows of a
/// tile, which stay, and meets `columns` of the other side at a time, `buffers`
/// tiles of which are in shared memory.
struct WarpgroupAttentionShape {
  int64_t consumers, columns, buffers;

  int64_t rows() const { return consumers * kWarpgroupRows; }
  /// Warps that multiply.
  int64_t warps() const { return consumers * kWarpgroup / kWarp; }
  /// With the warp group that copies.
  int64_t threads() const { return (consumers + 1) * kWarpgroup; }

  /// What a step has in shared memory: bytes of a row of each operand whose
  /// rows stay, and of those of the other side.
  struct Needs {
    int64_t rowBytes, columnBytes;
    /// The most columns for which a thread has registers.
    int64_t columns;
  };
  bool fits(const Needs &needs, const GpuTarget &target) const;
  /// For `rows` rows in each of `heads` heads, if one fits.
  static std::optional<WarpgroupAttentionShape> choose(const Needs &needs,
                                                       int64_t rows,
                                                       int64_t heads,
                                                       const GpuTarget &target);
  /// The same for step `step` of `problem` (AttentionRecord.h names them) and
  /// the shape that a tuning record says, if it can be; none where it asks for
  /// warps that copy and multiply.
  static std::optional<WarpgroupAttentionShape>
  choose(const GpuNest &nest, const AttentionProblem &problem,
         llvm::StringRef step, const Needs &needs, int64_t rows, int64_t heads);
};

/// Bytes of a row of `features` 2-byte features in boxes.
inline int64_t boxedBytes(int64_t features) {
  return llvm::alignTo(features, AttentionOperand::boxFeatures) * 2;
}

/// A step with specialised warp groups.
class WarpgroupAttentionStep : public AttentionTile {
public:
  /// Which side the rows are on: queries of all heads, or keys.
  enum class Rows { Queries, Keys };
  WarpgroupAttentionStep(const GpuNest &nest, const AttentionProblem &problem,
                         const WarpgroupAttentionShape &shape, Rows rows);

  const WarpgroupAttentionShape shape;
  const Rows rows;
  WarpgroupInstructions ptx;
  const ScoreLayout &layout() const override { return quads; }

  /// Emits `body` for the tiles of the running block: its number among these
  /// (`i64`), and carried values.
  Values forEachTile(
      mlir::ValueRange carried,
      llvm::function_ref<Values(mlir::Value round, mlir::ValueRange carried)>
          body);
  /// Where rows are queries: the tiles of keys from the first to the last that
  /// the causal mask does not hide from all of them; and how many tiles, from
  /// the first on, no mask hides anything of.
  mlir::Value visibleTiles();
  mlir::Value wholeTiles();
  /// The number of the warp group among those that multiply (`i64`).
  mlir::Value consumer();

  /// A product with `n` columns; `nMajor` if rows in shared memory go along
  /// these.
  WarpgroupInstructions::Product product(int64_t n, bool nMajor) const;
  /// The left operand in registers that `tile`, with the shape's columns,
  /// becomes.
  Values leftOperand(mlir::ValueRange tile);
  /// A tile in the order of a product's accumulators, and back in rows.
  static Values asAccumulators(mlir::ValueRange tile);
  static Values asRows(mlir::ValueRange accumulators);

  /// Ends the step.
  void finish();

private:
  TileSchedule schedule;
  ScoreLayout quads;
};

/// Tiles of rows of an operand in a ring of buffers.
class OperandRing {
public:
  OperandRing(WarpgroupAttentionStep &step, const AttentionOperand &operand,
              int64_t rows, int64_t buffers);

  BufferRing ring;
  /// Copies the rows from `first` on of a head; for one thread, after `begin`.
  void begin();
  void copy(mlir::Value number, mlir::Value head, mlir::Value first);
  /// The tile at `address`, as operand of a product along the features, or
  /// along the rows.
  SharedMatrix alongFeatures(mlir::Value address) const;
  SharedMatrix alongRows(mlir::Value address) const;
  /// Instructions of a product along the features.
  int64_t featureSteps() const;

private:
  WarpgroupAttentionStep &step;
  const AttentionOperand &operand;
  int64_t rows;
  mlir::Value map;
};

} // namespace tessera::nvptx

#endif // TESSERA_CODEGEN_NVPTX_ATTENTION_WARPGROUPATTENTION_H
