//===- AttentionStep.cpp - The steps that attention has in common ---------===//

#include "AttentionStep.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

template <typename Op> AttentionProblem AttentionProblem::of(Op op) {
  ArrayRef<int64_t> query = shapeOf(op.getQuery()),
                    value = shapeOf(op.getValue());
  AttentionProblem problem{op.getQuery(), op.getKey(),
                           op.getValue(), op.getBias(),
                           op.getMask(),  op.getScale().convertToDouble(),
                           -INFINITY,     std::nullopt,
                           query[0],      query[1],
                           value[1],      query[2],
                           value[2],      query[3],
                           value[3],      getElementTypeOrSelf(op.getQuery())};
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

AttentionShape AttentionShape::choose(int64_t rowBytes, int64_t columnBytes,
                                      int64_t columns,
                                      const GpuTarget &target) {
  for (int64_t warps : {4, 2})
    for (int64_t width = columns; width >= 16; width /= 2)
      for (int64_t stages : {2, 1}) {
        AttentionShape shape{warps, width, stages};
        if (shape.rows() * rowBytes + stages * width * columnBytes <=
            target.sharedBytes)
          return shape;
      }
  llvm_unreachable("the smallest shape fits 256 features of four operands");
}

//===----------------------------------------------------------------------===//
// Rows and columns
//===----------------------------------------------------------------------===//

AttentionStep::AttentionStep(const GpuStage &stage,
                             const AttentionProblem &problem,
                             const AttentionShape &shape, int64_t rowCount,
                             int64_t heads)
    : grid(stage, shape.threads()), b(grid.b), e(b, 1), problem(problem),
      shape(shape), rowCount(rowCount), heads(heads) {
  grid.lowering.bindMemory(e);
  engine = problem.usesTensorCores()
               ? makeTensorCoreEngine(grid, problem.element)
               : makeScalarEngine(grid);
  int64_t tiles = llvm::divideCeil(rowCount, shape.rows());
  Value number = grid.block(), rest = b.div(number, b.index(tiles));
  // With a causal mask, the last queries see the most keys: they come first.
  Value tile = b.sub(b.index(tiles - 1), b.rem(number, b.index(tiles)));
  firstRow = b.mul(tile, shape.rows());
  head = b.rem(rest, b.index(heads));
  batch = b.div(rest, b.index(heads));
}

SharedRows AttentionStep::loadRows(const AttentionOperand &operand) {
  SharedRows rows{{}, operand.features(), operand.elementBytes()};
  rows.base = grid.dynamicShared(shape.rows() * rows.rowBytes());
  operand.copyRows(grid, operand.headAddress(grid, batch, head), firstRow,
                   shape.rows(), rows);
  return rows;
}

void AttentionStep::addColumns(const AttentionOperand &operand) {
  SharedRows rows{{}, operand.features(), operand.elementBytes()};
  int64_t bytes = shape.columns * rows.rowBytes();
  rows.base = grid.dynamicShared(shape.stages * bytes);
  columns.push_back({&operand, rows, bytes});
}

AttentionStep::Values AttentionStep::stream(
    Value begin, Value end, ValueRange carried,
    function_ref<Place(Value)> locate,
    function_ref<Values(Value, ArrayRef<SharedRows>, ValueRange)> body) {
  auto buffersOf = [&](Value trip) {
    SmallVector<SharedRows> buffers;
    for (const Columns &column : columns) {
      buffers.push_back(column.buffers);
      buffers.back().base = b.address(
          column.buffers.base, b.getI8Type(),
          b.mul(b.rem(trip, b.index(shape.stages)), column.bufferBytes));
    }
    return buffers;
  };
  auto issue = [&](Value trip) {
    Place place = locate(trip);
    for (auto [column, buffer] : llvm::zip(columns, buffersOf(trip)))
      column.operand->copyRows(
          grid, column.operand->headAddress(grid, batch, place.head),
          place.first, shape.columns, buffer);
  };
  bool ahead = shape.stages > 1;
  if (ahead) {
    b.guard(isLess(begin, end), [&] { issue(begin); });
    NVVM::CpAsyncCommitGroupOp::create(b, b.getLoc());
  }
  return b.loop(begin, end, 1, carried, [&](Value trip, ValueRange values) {
    Value next = ahead ? b.add(trip, 1) : trip;
    if (ahead)
      b.when(isLess(next, end), [&] { issue(next); });
    else
      issue(next);
    NVVM::CpAsyncCommitGroupOp::create(b, b.getLoc());
    NVVM::CpAsyncWaitGroupOp::create(b, b.getLoc(), ahead ? 1 : 0);
    grid.barrier();
    Values results = body(trip, buffersOf(trip), values);
    // The buffer is written again.
    grid.barrier();
    return results;
  });
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value AttentionStep::constant(double value) {
  return b.splat(b.getF32Type(), b.getF32FloatAttr(value));
}
Value AttentionStep::multiply(Value x, Value y) {
  return arith::MulFOp::create(b, b.getLoc(), x, y);
}
Value AttentionStep::subtract(Value x, Value y) {
  return arith::SubFOp::create(b, b.getLoc(), x, y);
}
Value AttentionStep::exponential(Value x) {
  return LLVM::Exp2Op::create(b, b.getLoc(), b.getF32Type(),
                              multiply(x, constant(1.4426950408889634)));
}
Value AttentionStep::isLess(Value x, Value y) {
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
}
Value AttentionStep::clamp(Value x, int64_t limit, int64_t tile) {
  return limit % tile == 0 ? x : b.min(x, b.index(limit - 1));
}

/// `value` as f32.
static Value toF32(CodeBuilder &b, Value value) {
  if (value.getType().isF32())
    return value;
  return b.make<arith::ExtFOp>(b.getF32Type(), value);
}

AttentionStep::Score AttentionStep::score(Value product, Value scoreHead,
                                          Value i, Value j) {
  int64_t tile = std::max(shape.rows(), shape.columns);
  Value query = clamp(i, problem.queries, tile),
        key = clamp(j, problem.keys, tile);
  auto element = [&](Value tensor) {
    LaneIndices at;
    Value place[] = {batch, scoreHead, query, key};
    for (auto [size, index] : llvm::zip(shapeOf(tensor), place))
      at.push_back(size == 1 ? LaneIndex::constant(0)
                             : LaneIndex::scalar(index));
    return e.emit(tensor, at);
  };
  Score score{multiply(product, constant(problem.scale)), {}};
  if (problem.bias)
    score.value = arith::AddFOp::create(b, b.getLoc(), score.value,
                                        toF32(b, element(problem.bias)));
  if (problem.mask)
    score.visible = element(problem.mask);
  if (problem.causal) {
    Value seen = b.make<arith::CmpIOp>(arith::CmpIPredicate::sle, j,
                                       b.add(i, *problem.causal));
    score.visible =
        score.visible ? b.make<arith::AndIOp>(score.visible, seen) : seen;
  }
  auto choose = [&](Value condition, double otherwise) {
    score.value = arith::SelectOp::create(b, b.getLoc(), condition, score.value,
                                          constant(otherwise));
  };
  if (score.visible)
    choose(score.visible, problem.fill);
  if (problem.keys % tile != 0)
    choose(isLess(j, problem.keys), -INFINITY);
  return score;
}

Value AttentionStep::rowElement(Value tensor, Value ofHead, Value row) {
  LaneIndices at;
  for (Value index : {batch, ofHead, row})
    at.push_back(LaneIndex::scalar(index));
  return toF32(b, e.emit(tensor, at));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

SmallVector<Value> AttentionStep::pointersTo(Value result) {
  SmallVector<Value> pointers;
  auto slots = grid.lowering.plan.slots.find(result);
  if (slots != grid.lowering.plan.slots.end())
    for (Slot slot : slots->second)
      pointers.push_back(grid.lowering.pointer(slot));
  return pointers;
}

/// The number of the block's row `row` among the rows of all heads.
Value AttentionStep::rowPosition(Value row) {
  Value ofHead = b.add(b.mul(batch, heads), head);
  return b.add(b.mul(ofHead, rowCount), b.add(firstRow, row));
}

void AttentionStep::ifRowExists(Value row, function_ref<void()> body) {
  if (rowCount % shape.rows() == 0)
    return body();
  b.guard(isLess(b.add(firstRow, row), rowCount), body);
}

void AttentionStep::storeRun(ValueRange values, Value pointer, Value position,
                             Type element) {
  int64_t count = values.size();
  Value run = values.front();
  if (count > 1) {
    auto type = VectorType::get(count, b.getF32Type());
    run = LLVM::UndefOp::create(b, b.getLoc(), type);
    for (auto [i, value] : llvm::enumerate(values))
      run = vector::InsertOp::create(b, b.getLoc(), value, run, i);
  }
  if (!element.isF32())
    run = arith::TruncFOp::create(b, b.getLoc(),
                                  CodeBuilder::vectorOf(element, count), run);
  Type storage = b.storageType(run.getType());
  if (storage != run.getType())
    run = arith::BitcastOp::create(b, b.getLoc(), storage, run);
  LLVM::StoreOp::create(
      b, b.getLoc(), run,
      b.address(pointer, getElementTypeOrSelf(storage), position),
      count * CodeBuilder::storageBytes(element));
}

void AttentionStep::store(Value result, ValueRange tile, int64_t columns) {
  int64_t features = shapeOf(result)[3], count = engine->columnCount(columns);
  int64_t run = features % engine->run() == 0 ? engine->run() : 1;
  Type element = getElementTypeOrSelf(result.getType());
  for (Value pointer : pointersTo(result))
    for (int64_t row = 0; row < engine->rowCount(); ++row)
      ifRowExists(engine->rowOf(row), [&] {
        Value start = b.mul(rowPosition(engine->rowOf(row)), features);
        for (int64_t i = 0; i < count; i += run) {
          Value column = engine->columnOf(i);
          auto write = [&] {
            storeRun(tile.slice(row * count + i, run), pointer,
                     b.add(start, column), element);
          };
          features == columns ? write()
                              : b.guard(isLess(column, features), write);
        }
      });
}

void AttentionStep::storeRows(Value result, ValueRange rows) {
  Type f32 = b.getF32Type();
  for (Value pointer : pointersTo(result))
    for (auto [row, value] : llvm::enumerate(rows))
      ifRowExists(engine->rowOf(row), [&] {
        // One of the lanes that share the row.
        b.guard(isLess(engine->columnOf(0), 1), [&] {
          storeRun(value, pointer, rowPosition(engine->rowOf(row)), f32);
        });
      });
}

void AttentionStep::finish() {
  int64_t tiles = llvm::divideCeil(rowCount, shape.rows());
  grid.finish({tiles * heads * problem.batch, 1, 1});
}
