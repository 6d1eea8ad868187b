//===- TensorCoreMatmul.cpp - Products by mma.sync ------------------------===//

#include "Matmul/TileMatmul.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

/// Depth of one instruction, in chunks of 16 bytes: 16 elements of 2 bytes, 8
/// of 4.
constexpr int64_t kStepChunks = 2;

/// Reads the fragments of one operand.
///
/// `ldmatrix` loads up to four matrices of 8 rows of 16 bytes; lane l gives the
/// address of row l % 8 of matrix l / 8, and receives the 4 bytes at column
/// l % 4 of row l / 4 of each. The four are the quarters of 16 free indices by
/// one step of depth, in the order in which `mma.sync` wants its registers:
/// free first for the left operand, depth first for the right one (where they
/// serve two instructions). A tile whose rows are contiguous in the free index
/// is loaded with `.trans`, which exists for elements of 2 bytes only.
class FragmentReader {
public:
  FragmentReader(GridFunction &grid, const OperandTile &tile, bool isLeft,
                 Value warpFree, int64_t freeExtent)
      : b(grid.b), tile(tile), count(std::min<int64_t>(freeExtent / 8, 2)),
        blocks(freeExtent / 8 / count) {
    Value lane = grid.lane();
    Value within = b.rem(lane, b.index(8));
    Value first = b.rem(b.div(lane, b.index(8)), b.index(2));
    Value second = b.div(lane, b.index(16));
    // Rows of the tile that the lanes of one instruction name: 16 where the
    // matrices' order follows them.
    bool rowsFirst = isLeft == tile.isDepthMajor;
    laneRow = b.add(within, b.mul(rowsFirst ? first : second, 8));
    laneChunk = rowsFirst ? second : first;
    if (tile.isDepthMajor)
      laneRow = b.add(laneRow, warpFree);
    else
      laneChunk = b.add(laneChunk, b.div(warpFree, b.index(8)));
  }

  /// All registers of one step, those of each 8 free indices (right operand) or
  /// 16 (left operand) one behind the other.
  SmallVector<Value> read(Value base, int64_t step) {
    SmallVector<Value> registers;
    for (int64_t block = 0; block < blocks; ++block) {
      int64_t row = tile.isDepthMajor ? block * 16 : step * 16;
      int64_t chunk = tile.isDepthMajor ? step * kStepChunks : block * 2;
      Value offset =
          tile.shared.offset(b, laneRow, b.add(laneChunk, chunk), row);
      load(b.address(base, b.getI8Type(), offset), registers);
    }
    return registers;
  }

private:
  void load(Value address, SmallVectorImpl<Value> &registers) {
    Type i32 = b.getI32Type();
    int64_t matrices = 2 * count;
    auto type = LLVM::LLVMStructType::getLiteral(
        b.getContext(), SmallVector<Type>(matrices, i32));
    Value loaded = NVVM::LdMatrixOp::create(
        b, b.getLoc(), type, address, uint32_t(matrices),
        tile.isDepthMajor ? NVVM::MMALayout::row : NVVM::MMALayout::col,
        NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    for (int64_t i = 0; i < matrices; ++i)
      registers.push_back(
          LLVM::ExtractValueOp::create(b, b.getLoc(), i32, loaded, i));
  }

  CodeBuilder &b;
  OperandTile tile;
  /// Groups of 8 free indices that one instruction loads, and instructions.
  int64_t count, blocks;
  /// The row and chunk of the tile that this lane names.
  Value laneRow, laneChunk;
};

class TensorCoreMatmul : public TileMatmul {
public:
  using TileMatmul::TileMatmul;

  Values multiply(Value leftBase, Value rightBase, ValueRange from) override {
    FragmentReader leftReader(grid, left, true, b.mul(warpRow(), tile.warpM()),
                              tile.warpM());
    FragmentReader rightReader(grid, right, false,
                               b.mul(warpColumn(), tile.warpN()), tile.warpN());
    Values sums(from);
    int64_t steps = tile.k * matmul.elementBytes() / (16 * kStepChunks);
    auto read = [&](int64_t step) {
      return std::pair(convert(leftReader.read(leftBase, step)),
                       convert(rightReader.read(rightBase, step)));
    };
    auto current = read(0);
    for (int64_t step = 0; step < steps; ++step) {
      // Loads go ahead of the instructions that hide them.
      auto next = step + 1 < steps ? read(step + 1) : current;
      for (int64_t i = 0; i < blocksM(); ++i)
        for (int64_t j = 0; j < blocksN(); ++j)
          multiplyBlock(
              ArrayRef(current.first).slice(4 * i, 4),
              ArrayRef(current.second).slice(2 * j, 2),
              MutableArrayRef(sums).slice(4 * (i * blocksN() + j), 4));
      current = std::move(next);
    }
    return sums;
  }

  void store(ValueRange sums, Value base, Value firstRow) override {
    Value lane = grid.lane();
    Value row = b.add(b.sub(b.mul(warpRow(), tile.warpM()), firstRow),
                      b.div(lane, b.index(4)));
    Value column = b.add(b.mul(warpColumn(), tile.warpN()),
                         b.mul(b.rem(lane, b.index(4)), 2));
    for (int64_t i = 0; i < blocksM(); ++i)
      for (int64_t j = 0; j < blocksN(); ++j)
        for (int64_t half = 0; half < 2; ++half)
          storeRun(sums.slice(4 * (i * blocksN() + j) + 2 * half, 2), base,
                   b.add(row, i * 16 + half * 8), b.add(column, j * 8));
  }

private:
  int64_t blocksM() const { return tile.warpM() / 16; }
  int64_t blocksN() const { return tile.warpN() / 8; }

  /// Registers as the instruction takes them.
  SmallVector<Value> convert(SmallVector<Value> registers) {
    Type element = matmul.left.element;
    for (Value &value : registers)
      if (element.isF16()) {
        value = b.make<LLVM::BitcastOp>(
            CodeBuilder::vectorOf(b.getF16Type(), 2), value);
      } else if (element.isF32()) {
        // The units ignore the low bits; this rounds to nearest.
        Value number = b.make<LLVM::BitcastOp>(b.getF32Type(), value);
        value = NVVM::ConvertFloatToTF32Op::create(
            b, b.getLoc(), b.getI32Type(), number, NVVM::FPRoundingMode::RNA,
            NVVM::SaturationMode::NONE, false);
      }
    return registers;
  }

  void multiplyBlock(ValueRange x, ValueRange y, MutableArrayRef<Value> sums) {
    Type element = matmul.left.element, f32 = b.getF32Type();
    int64_t depth = 16 * kStepChunks / matmul.elementBytes();
    NVVM::MMATypes type = element.isF16()    ? NVVM::MMATypes::f16
                          : element.isBF16() ? NVVM::MMATypes::bf16
                                             : NVVM::MMATypes::tf32;
    auto result =
        LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
    Value product = NVVM::MmaOp::create(
        b, b.getLoc(), result, x, y, sums, ArrayRef<int64_t>{16, 8, depth},
        std::nullopt, std::nullopt, std::array{type, type},
        std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    for (int64_t i = 0; i < 4; ++i)
      sums[i] = LLVM::ExtractValueOp::create(b, b.getLoc(), f32, product, i);
  }
};

} // namespace

std::unique_ptr<TileMatmul>
nvptx::makeTensorCoreMatmul(GridFunction &grid, const Matmul &matmul,
                            const MatmulTile &tile, const OperandTile &left,
                            const OperandTile &right) {
  return std::make_unique<TensorCoreMatmul>(grid, matmul, tile, left, right);
}
