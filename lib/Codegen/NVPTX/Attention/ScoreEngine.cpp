//===- ScoreEngine.cpp - Products of rows in shared memory ----------------===//

#include "Attention/ScoreEngine.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

/// `mma.sync.m16n8k16`. Two tiles of 16 by 8 results side by side are, rounded,
/// the left operand of an instruction of depth 16.
class TensorCoreEngine : public ScoreEngine {
public:
  TensorCoreEngine(GridFunction &grid, Type element)
      : ScoreEngine(grid, ScoreLayout::quads(grid, grid.warp())),
        element(element) {}

  Values product(const SharedRows &left, const SharedRows &right,
                 int64_t columns) override {
    Value lane = grid.lane();
    Value byRow = b.rem(lane, b.index(16)), byHalf = b.div(lane, b.index(16));
    // Rows first for the left operand, depth first for the right one.
    Value leftStart =
        address(left, b.add(layout.warpRow(), byRow), b.mul(byHalf, 16));
    Value rightStart =
        address(right, b.add(b.mul(byHalf, 8), b.rem(lane, b.index(8))),
                b.mul(b.rem(b.div(lane, b.index(8)), b.index(2)), 16));
    Values tile = layout.zeros(columns);
    for (int64_t depth = 0; depth < left.features; depth += 16) {
      Values x = load(offset(leftStart, depth * 2), /*transposed=*/false);
      for (int64_t column = 0; column < columns; column += 16) {
        Values y = load(
            offset(rightStart, column * right.rowBytes() + depth * 2), false);
        multiply(x, ArrayRef(y).take_front(2), tile, columns, column / 8);
        multiply(x, ArrayRef(y).drop_front(2), tile, columns, column / 8 + 1);
      }
    }
    return tile;
  }

  Values accumulate(ValueRange from, ValueRange tile, const SharedRows &right,
                    int64_t depth) override {
    Value lane = grid.lane();
    Value start = address(right, b.rem(lane, b.index(16)),
                          b.mul(b.div(lane, b.index(16)), 16));
    Values sums(from);
    for (int64_t step = 0; step < depth; step += 16) {
      Values x = layout.leftOperand(tile, depth, step, element);
      for (int64_t column = 0; column < right.features; column += 16) {
        Values y = load(offset(start, step * right.rowBytes() + column * 2),
                        /*transposed=*/true);
        multiply(x, ArrayRef(y).take_front(2), sums, right.features,
                 column / 8);
        multiply(x, ArrayRef(y).drop_front(2), sums, right.features,
                 column / 8 + 1);
      }
    }
    return sums;
  }

private:
  Value address(const SharedRows &rows, Value row, Value byte) {
    return b.address(rows.base, b.getI8Type(),
                     b.add(b.mul(row, rows.rowBytes()), byte));
  }
  Value offset(Value address, int64_t bytes) {
    return LLVM::GEPOp::create(b, b.getLoc(), address.getType(), b.getI8Type(),
                               address, ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
  }

  /// Four matrices of 8 rows of 16 bytes.
  Values load(Value address, bool transposed) {
    Type i32 = b.getI32Type();
    auto type =
        LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i32, i32});
    Value loaded = NVVM::LdMatrixOp::create(
        b, b.getLoc(), type, address, uint32_t(4),
        transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    Values registers;
    for (int64_t i = 0; i < 4; ++i) {
      Value word = LLVM::ExtractValueOp::create(b, b.getLoc(), i32, loaded, i);
      if (element.isF16())
        word = LLVM::BitcastOp::create(b, b.getLoc(),
                                       VectorType::get(2, element), word);
      registers.push_back(word);
    }
    return registers;
  }

  /// Adds a product to block `block` of 8 columns of `tile`.
  void multiply(ValueRange x, ValueRange y, Values &tile, int64_t columns,
                int64_t block) {
    Type f32 = b.getF32Type();
    int64_t positions[4];
    Values sums;
    for (int64_t i = 0; i < 4; ++i) {
      positions[i] = i / 2 * layout.columnCount(columns) + 2 * block + i % 2;
      sums.push_back(tile[positions[i]]);
    }
    NVVM::MMATypes type =
        element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
    auto result =
        LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
    Value product = NVVM::MmaOp::create(
        b, b.getLoc(), result, x, y, sums, ArrayRef<int64_t>{16, 8, 16},
        std::nullopt, std::nullopt, std::array{type, type},
        std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    for (int64_t i = 0; i < 4; ++i)
      tile[positions[i]] =
          LLVM::ExtractValueOp::create(b, b.getLoc(), f32, product, i);
  }

  Type element;
};

/// Multiply-adds of f32.
class ScalarEngine : public ScoreEngine {
public:
  explicit ScalarEngine(GridFunction &grid)
      : ScoreEngine(grid, ScoreLayout::eighths(grid, grid.warp())) {}

  Values product(const SharedRows &left, const SharedRows &right,
                 int64_t columns) override {
    constexpr int64_t width = 4;
    int64_t count = layout.columnCount(columns);
    return b.loop(
        b.index(0), b.index(left.features), width, layout.zeros(columns),
        [&](Value depth, ValueRange from) {
          Values tile(from);
          Values x, y;
          for (int64_t row = 0; row < layout.rowCount(); ++row)
            x.push_back(load(left, layout.rowOf(row), depth, width));
          for (int64_t column = 0; column < count; ++column)
            y.push_back(load(right, layout.columnOf(column), depth, width));
          for (int64_t i = 0; i < width; ++i)
            for (int64_t row = 0; row < layout.rowCount(); ++row)
              for (int64_t column = 0; column < count; ++column) {
                Value &sum = tile[row * count + column];
                sum = fma(extract(x[row], i), extract(y[column], i), sum);
              }
          return tile;
        });
  }

  Values accumulate(ValueRange from, ValueRange tile, const SharedRows &right,
                    int64_t depth) override {
    int64_t parts = layout.columnCount(depth),
            count = layout.columnCount(right.features);
    Value group = b.sub(grid.lane(), layout.columnOf(0));
    // In each trip one lane of eight gives its part of the tile to the others.
    return b.loop(b.index(0), b.index(layout.lanesPerRow()), 1, from,
                  [&](Value giver, ValueRange carried) {
                    Values sums(carried);
                    Value from = arith::TruncIOp::create(
                        b, b.getLoc(), b.getI32Type(), b.add(group, giver));
                    for (int64_t part = 0; part < parts; ++part) {
                      Values x;
                      for (int64_t row = 0; row < layout.rowCount(); ++row)
                        x.push_back(take(tile[row * parts + part], from));
                      Value depthRow = b.add(giver, 8 * part);
                      for (int64_t column = 0; column < count; ++column) {
                        Value y =
                            load(right, depthRow, layout.columnOf(column), 1);
                        for (int64_t row = 0; row < layout.rowCount(); ++row) {
                          Value &sum = sums[row * count + column];
                          sum = fma(x[row], y, sum);
                        }
                      }
                    }
                    return sums;
                  });
  }

private:
  /// `width` neighbouring features of a row.
  Value load(const SharedRows &rows, Value row, Value feature, int64_t width) {
    Value offset = b.add(b.mul(row, rows.rowBytes()), b.mul(feature, 4));
    Value address = b.address(rows.base, b.getI8Type(), offset);
    Type type = CodeBuilder::vectorOf(b.getF32Type(), width);
    return LLVM::LoadOp::create(b, b.getLoc(), type, address, 4 * width);
  }
  Value extract(Value vector, int64_t i) {
    return vector::ExtractOp::create(b, b.getLoc(), vector, i);
  }
  Value fma(Value x, Value y, Value sum) {
    return math::FmaOp::create(b, b.getLoc(), x, y, sum);
  }
  /// The value that lane `lane` has.
  Value take(Value value, Value lane) {
    auto constant = [&](int64_t number) {
      return b.splat(b.getI32Type(), b.getI32IntegerAttr(number));
    };
    return NVVM::ShflOp::create(b, b.getLoc(), value.getType(), constant(-1),
                                value, lane, constant(kWarp - 1),
                                NVVM::ShflKind::idx, UnitAttr());
  }
};

} // namespace

std::unique_ptr<ScoreEngine> nvptx::makeTensorCoreEngine(GridFunction &grid,
                                                         Type element) {
  return std::make_unique<TensorCoreEngine>(grid, element);
}

std::unique_ptr<ScoreEngine> nvptx::makeScalarEngine(GridFunction &grid) {
  return std::make_unique<ScalarEngine>(grid);
}
