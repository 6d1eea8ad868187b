//===- LowerElementwise.cpp - Element-wise loop nests on a GPU ------------===//
//
// The space is one row of elements, cut into vectors of 16 bytes of the
// narrowest tensor. A thread computes one vector, or a few where a vector is
// less than 16 bytes because the innermost dimension is odd; neighbouring
// threads have neighbouring vectors. Where all tensors are read at equal
// positions the innermost dimension is the whole space, and what is left behind
// its last vector is computed by one thread.
//
// Where a tensor is read along another dimension than the one that results are
// written along, as in a transpose, blocks compute square tiles of single
// elements: what one warp leaves of the cache lines that it reads, the other
// warps of the block find in the first-level cache.
//
//===----------------------------------------------------------------------===//

#include "Core/Vectors.h"
#include "Loops/LoopRules.h"
#include "Loops/RowShape.h"
#include "tessera/Codegen/Kernels/AccessMap.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;
using namespace tessera::nvptx;

namespace {

constexpr int64_t kThreads = 256;
/// Vectors of one thread, at most.
constexpr int64_t kMaxVectors = 4;
/// What one thread computes at a time, as `estimateCost` counts: more has more
/// intermediate values than there are registers.
constexpr int64_t kMaxWork = 512;
/// The side of a tile: a warp wide, some rows for each warp.
constexpr int64_t kTile = kWarp;
constexpr int64_t kTileRows = kTile / (kThreads / kWarp);

/// The code of one loop nest, for a range of the blocks of a grid.
class ElementwiseBody {
public:
  ElementwiseBody(GridFunction &grid, const NestLowering &lowering,
                  const GpuNest &gpuNest)
      : nest(gpuNest.loops), grid(grid), l(lowering), b(grid.b),
        isFlat(l.isPointwise()), points(elementsOf(nest.shape)) {
    NestTraffic traffic(gpuNest);
    SmallVector<int64_t> dims =
        llvm::to_vector(llvm::seq<int64_t>(0, nest.shape.size()));
    int64_t inner = lastWideDim(nest.shape, dims);
    int64_t contiguous = inner < 0 ? 1 : nest.shape[inner];
    column = inner;
    if (!isFlat && inner >= 0)
      row = findStridedDim(gpuNest);
    if (row >= 0) {
      vectors = points;
      perThread = kTileRows;
      emitter.emplace(b, lanes);
      return;
    }
    // In one dimension only, what is left behind the last vector is cheap.
    lanes = traffic.lanes(isFlat ? points - points % 16 : contiguous);
    int64_t work = 0;
    for (const auto &output : nest.outputs)
      work += estimateCost(output.value);
    bool isHeavy = work * lanes > kMaxWork;
    while (lanes > 1 && work * lanes > kMaxWork)
      lanes /= 2;
    vectors = points / lanes;
    int64_t resident = gpuNest.variant.target.residentThreads *
                       gpuNest.variant.target.multiprocessors;
    if (vectors > 2 * resident && !isHeavy)
      perThread =
          std::clamp<int64_t>(16 / (lanes * traffic.narrowest), 1, kMaxVectors);
    auto tuned = VectorTile::find(gpuNest, points, traffic.narrowest);
    if (tuned && vectors > 0 && !isHeavy)
      perThread = tuned->vectors;
    emitter.emplace(b, lanes);
  }

  int64_t blocks() const {
    if (row >= 0)
      return elementsOf(tileGrid());
    return std::max<int64_t>(1,
                             llvm::divideCeil(vectors, kThreads * perThread));
  }

  /// Emits the code of the blocks; `block` is the number of the running one.
  LogicalResult emit(Value block) {
    bind();
    number = block;
    first = b.add(b.mul(block, kThreads * perThread), grid.thread());
    perThread == 1 ? computeVector() : computeVectors();
    if (int64_t rest = points - vectors * lanes)
      computeRest(rest);
    return failure(failed_);
  }

private:
  /// Whether the vector with a number exists; null: all that the blocks'
  /// threads have do.
  Value existsAt(Value number) {
    bool ragged = vectors != blocks() * kThreads * perThread;
    return ragged ? isLess(b, number, b.index(vectors)) : Value();
  }

  void computeVector() {
    if (vectors > 0)
      guardIf(b, existsAt(first),
              [&] { computeAt(vectorAt(b.mul(first, lanes), lanes)); });
  }

  /// All loads stand before the first store. Threads behind the end compute the
  /// last vector, in vain.
  void computeVectors() {
    SmallVector<SmallVector<Value>> elements(perThread);
    SmallVector<LaneIndices> indices;
    SmallVector<Value> exists;
    for (int64_t i = 0; i < perThread; ++i) {
      Value isThere;
      indices.push_back(row >= 0 ? indicesInTile(i, isThere)
                                 : indicesOfVector(i, isThere));
      exists.push_back(isThere);
      failed_ |= !emitAll(*emitter, nest.outputs, indices[i], elements[i]);
    }
    if (!failed_)
      for (int64_t i = 0; i < perThread; ++i)
        guardIf(b, exists[i], [&] { store(elements[i], indices[i]); });
  }

  /// The indices of the thread's vector number `i`, and whether it exists.
  LaneIndices indicesOfVector(int64_t i, Value &exists) {
    Value vector = b.add(first, i * kThreads);
    if ((exists = existsAt(vector)))
      vector = b.min(vector, b.index(vectors - 1));
    return indicesOf(vectorAt(b.mul(vector, lanes), lanes));
  }

  /// The tiles along each dimension.
  SmallVector<int64_t> tileGrid() const {
    SmallVector<int64_t> sizes(nest.shape);
    for (int64_t dim : {row, column})
      sizes[dim] = llvm::divideCeil(sizes[dim], kTile);
    return sizes;
  }

  /// The indices of the thread's element number `i` in its block's tile.
  LaneIndices indicesInTile(int64_t i, Value &exists) {
    LaneIndices at =
        emitter->index().delinearize(LaneIndex::scalar(number), tileGrid());
    auto setIndex = [&](int64_t dim, Value inTile) {
      Value index =
          b.add(b.mul(emitter->index().start(at[dim]), kTile), inTile);
      if (nest.shape[dim] % kTile != 0) {
        exists =
            bothHold(b, exists, isLess(b, index, b.index(nest.shape[dim])));
        index = b.min(index, b.index(nest.shape[dim] - 1));
      }
      at[dim] = LaneIndex::scalar(index);
    };
    setIndex(column, grid.lane());
    setIndex(row, b.add(grid.warp(), i * (kThreads / kWarp)));
    return at;
  }

  /// A dimension other than the innermost that elements of some large operand
  /// are neighbours along, if both are long enough for tiles; else -1.
  int64_t findStridedDim(const GpuNest &gpuNest) const {
    auto isLeaf = [&](Value value) {
      auto stored = l.plan.nestOf.find(value);
      return isa<BlockArgument>(value) ||
             (stored != l.plan.nestOf.end() && stored->second < gpuNest.number);
    };
    auto isLong = [&](int64_t dim) { return nest.shape[dim] >= kTile / 2; };
    for (const NestOutput &output : nest.outputs) {
      AffineMap identity =
          getIdentityAccess(nest.shape, output.value.getContext());
      for (const Access &access :
           collectAccesses(output.value, identity, isLeaf)) {
        ArrayRef<int64_t> leaf = shapeOf(access.leaf);
        SmallVector<int64_t> dims =
            llvm::to_vector(llvm::seq<int64_t>(0, leaf.size()));
        int64_t last = lastWideDim(leaf, dims);
        if (!access.map || last < 0 || elementsOf(leaf) != points)
          continue;
        auto dim = dyn_cast<AffineDimExpr>(access.map.getResult(last));
        if (dim && int64_t(dim.getPosition()) != column &&
            isLong(dim.getPosition()) && isLong(column))
          return dim.getPosition();
      }
    }
    return -1;
  }

  /// The last `count` elements, fewer than a vector, by one thread each.
  void computeRest(int64_t count) {
    b.guard(isLess(b, first, b.index(count)), [&] {
      emitter.emplace(b, /*lanes=*/1);
      bind();
      computeAt(LaneIndex::scalar(b.add(first, vectors * lanes)));
    });
  }

  /// Binds the emitter to the memory of what the loop nest reads.
  void bind() {
    l.bindMemory(*emitter);
    if (isFlat)
      l.bindPositions(*emitter);
  }

  void computeAt(const LaneIndex &position) {
    LaneIndices at = indicesOf(position);
    SmallVector<Value> elements;
    if (emitAll(*emitter, nest.outputs, at, elements))
      store(elements, at);
    else
      failed_ = true;
  }

  /// The indices of the elements at `position` in row-major order.
  LaneIndices indicesOf(const LaneIndex &position) {
    return isFlat ? LaneIndices{position}
                  : emitter->index().delinearize(position, nest.shape);
  }

  void store(ArrayRef<Value> elements, const LaneIndices &at) {
    for (auto [output, element] : llvm::zip(nest.outputs, elements)) {
      if (!isFlat) {
        l.storeOutput(*emitter, output, element, at);
        continue;
      }
      l.storeAt(*emitter, output.value, element, at.front());
    }
  }

  const LoopNest &nest;
  GridFunction &grid;
  NestLowering l;
  CodeBuilder &b;
  bool isFlat;
  int64_t points, lanes = 1, vectors = 0, perThread = 1;
  std::optional<ElementEmitter> emitter;
  /// Tiles: the dimensions that they cover; -1 for none.
  int64_t row = -1, column = -1;
  /// The block's number, and that of the thread's first vector.
  Value number, first;
  bool failed_ = false;
};

} // namespace

FailureOr<bool> nvptx::lowerElementwise(const GpuNest &nest) {
  if (nest.loops.kind != KernelKind::Elementwise)
    return false;
  GridFunction grid(nest, kThreads);
  ElementwiseBody body(grid, grid.lowering, nest);
  if (failed(body.emit(grid.block())))
    return failure();
  grid.finish({body.blocks(), 1, 1});
  return true;
}

//===----------------------------------------------------------------------===//
// Several loop nests side by side
//===----------------------------------------------------------------------===//

/// What a loop nest reads: arguments and values of earlier loop nests; and the
/// arguments whose memory it overwrites.
static void collectMemory(const KernelVariant &variant, unsigned number,
                          llvm::DenseSet<Value> &read,
                          llvm::DenseSet<Value> &overwritten) {
  const KernelPlan &plan = variant.plan;
  Block &body = spmd::KernelOp(variant.kernel).getBody().front();
  auto isLeaf = [&](Value value) {
    auto stored = plan.nestOf.find(value);
    return isa<BlockArgument>(value) ||
           (stored != plan.nestOf.end() && stored->second < number);
  };
  for (const NestOutput &output : plan.nests[number].outputs) {
    for (const Access &access :
         collectAccesses(output.value, AffineMap(), isLeaf))
      read.insert(access.leaf);
    for (Slot slot : plan.slots.find(output.value)->second) {
      int64_t alias = slot.temporary ? -1 : variant.aliases[slot.number];
      if (alias >= 0)
        overwritten.insert(body.getArgument(alias));
    }
  }
}

unsigned nvptx::countSideBySide(const KernelVariant &variant, unsigned number) {
  ArrayRef<LoopNest> nests = variant.plan.nests;
  llvm::DenseSet<Value> read, overwritten;
  unsigned next = number;
  for (; next < nests.size() && nests[next].kind == KernelKind::Elementwise;
       ++next) {
    llvm::DenseSet<Value> itsRead, itsOverwritten;
    collectMemory(variant, next, itsRead, itsOverwritten);
    auto touches = [](const auto &some, const auto &others) {
      return llvm::any_of(some, [&](Value v) { return others.contains(v); });
    };
    bool needsResult = llvm::any_of(itsRead, [&](Value value) {
      auto stored = variant.plan.nestOf.find(value);
      return stored != variant.plan.nestOf.end() && stored->second >= number &&
             stored->second < next;
    });
    if (needsResult || touches(itsRead, overwritten) ||
        touches(itsOverwritten, read))
      break;
    read.insert(itsRead.begin(), itsRead.end());
    overwritten.insert(itsOverwritten.begin(), itsOverwritten.end());
  }
  return next - number;
}

LogicalResult nvptx::lowerSideBySide(ArrayRef<GpuNest> nests) {
  GridFunction grid(nests.front(), kThreads);
  CodeBuilder &b = grid.b;
  int64_t blocks = 0;
  for (const GpuNest &nest : nests) {
    const NestLowering &l = grid.lowering;
    NestLowering lowering{
        l.plan, nest.loops, nest.number, l.kernel,  l.module,      b,
        {},     {},         l.operands,  l.results, l.temporaries, {}};
    ElementwiseBody body(grid, lowering, nest);
    bool failed_ = false;
    Value block = b.sub(grid.block(), b.index(blocks));
    // Unsigned, blocks before the range have large numbers.
    Value inRange = b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, block,
                                          b.index(body.blocks()));
    b.guard(inRange, [&] { failed_ = failed(body.emit(block)); });
    if (failed_)
      return failure();
    blocks += body.blocks();
  }
  grid.finish({blocks, 1, 1});
  return success();
}
