//===- KernelPlan.cpp - How a kernel is cut into loop nests ---------------===//

#include "tessera/Codegen/Kernels/KernelPlan.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tessera/Codegen/Kernels/AccessMap.h"
#include "tessera/Codegen/Kernels/ElementEmitter.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

SmallVector<int64_t> Stage::keptDims() const {
  SmallVector<int64_t> dims;
  for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
    if (!llvm::is_contained(reducedDims, d))
      dims.push_back(d);
  return dims;
}

SmallVector<int64_t> Stage::keptShape() const {
  SmallVector<int64_t> sizes;
  for (int64_t d : keptDims())
    sizes.push_back(shape[d]);
  return sizes;
}

std::vector<SmallVector<ReduceOp>> Stage::phases() const {
  auto isLeaf = [](Value value) {
    return isa<BlockArgument>(value) ||
           isa<ReduceOp, DotGeneralOp>(value.getDefiningOp());
  };
  std::vector<SmallVector<ReduceOp>> result;
  llvm::DenseMap<Value, unsigned> phaseOf;
  for (ReduceOp reduce : reductions) {
    unsigned phase = 0;
    Value root = reduce.getOperand();
    AffineMap identity = getIdentityAccess(shapeOf(root), root.getContext());
    for (const Access &access : collectAccesses(root, identity, isLeaf))
      if (auto it = phaseOf.find(access.leaf); it != phaseOf.end())
        phase = std::max(phase, it->second + 1);
    phaseOf[reduce.getResult()] = phase;
    result.resize(std::max<size_t>(result.size(), phase + 1));
    result[phase].push_back(reduce);
  }
  return result;
}

SmallVector<Access> codegen::collectAccesses(Value value, AffineMap map,
                                             function_ref<bool(Value)> isLeaf) {
  SmallVector<Access> accesses;
  llvm::DenseSet<std::pair<Value, AffineMap>> visited;
  SmallVector<std::pair<Value, AffineMap>> worklist = {{value, map}};
  while (!worklist.empty()) {
    auto [current, at] = worklist.pop_back_val();
    if (!visited.insert({current, at}).second)
      continue;
    if (isLeaf(current)) {
      accesses.push_back({current, at});
      continue;
    }
    Operation *op = current.getDefiningOp();
    std::optional<AffineMap> access = getAccessMap(op);
    for (Value operand : op->getOperands()) {
      AffineMap next;
      if (at && shapeOf(operand).empty())
        next = AffineMap::get(at.getNumDims(), 0, op->getContext());
      else if (at && access)
        next = simplifyAffineMap(access->compose(at));
      else if (isElementwise(op))
        next = at;
      worklist.push_back({operand, next});
    }
  }
  return accesses;
}

namespace {

class Planner {
public:
  Planner(spmd::KernelOp kernel, ArrayRef<int64_t> aliases)
      : kernel(kernel), aliases(aliases), context(kernel.getContext()) {}

  FailureOr<KernelPlan> run() {
    Block &body = kernel.getBody().front();
    for (Operation &op : body.without_terminator())
      if (failed(place(&op)))
        return failure();
    for (auto [number, value] :
         llvm::enumerate(body.getTerminator()->getOperands()))
      placeResult(value, number);
    addTemporaries();
    avoidHazards();
    return std::move(plan);
  }

private:
  bool isLeaf(Value value) const {
    return isa<BlockArgument>(value) || stageOf.contains(value);
  }

  /// Accesses of `value` to arguments and anchors.
  SmallVector<Access> accessesOf(Value value) {
    return collectAccesses(
        value, getIdentityAccess(shapeOf(value), context),
        [&](Value v) { return isa<BlockArgument>(v) || isAnchor(v); });
  }

  /// The last stage that `accesses` need, -1 for none.
  int lastStage(ArrayRef<Access> accesses) const {
    int last = -1;
    for (const Access &access : accesses)
      if (auto it = stageOf.find(access.leaf); it != stageOf.end())
        last = std::max(last, int(it->second));
    return last;
  }

  /// Whether `accesses` reach values of stage `number` at the indices of the
  /// current row only.
  bool isAligned(ArrayRef<Access> accesses, int number, AffineMap row) const {
    return llvm::all_of(accesses, [&](const Access &access) {
      auto it = stageOf.find(access.leaf);
      return it == stageOf.end() || int(it->second) != number ||
             access.map == row;
    });
  }

  /// The identity from the space of `stage` to its kept dimensions.
  AffineMap rowMap(const Stage &stage) const {
    SmallVector<AffineExpr> results;
    for (int64_t d : stage.keptDims())
      results.push_back(stage.shape[d] == 1 ? getAffineConstantExpr(0, context)
                                            : getAffineDimExpr(d, context));
    return AffineMap::get(stage.shape.size(), 0, results, context);
  }

  LogicalResult place(Operation *op) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      placeReduce(reduce);
      return success();
    }
    if (auto dot = dyn_cast<DotGeneralOp>(op)) {
      placeDot(dot);
      return success();
    }
    if (isStructured(op)) {
      placeSingle(op);
      return success();
    }
    if (isa<arith::ConstantOp>(op) || isElementwise(op) || getAccessMap(op) ||
        getElementRule(op))
      return success();
    return op->emitError("unsupported operation: '")
           << op->getName() << "' has no code for the CPU";
  }

  void placeReduce(ReduceOp reduce) {
    ArrayRef<int64_t> shape = shapeOf(reduce.getOperand());
    SmallVector<int64_t> dims(reduce.getDims());
    llvm::sort(dims);
    int64_t last = shape.size();
    while (last > 0 && shape[last - 1] == 1)
      --last;
    bool rows = last == 0 || llvm::is_contained(dims, last - 1);
    SmallVector<Access> accesses = accessesOf(reduce.getOperand());
    int needed = lastStage(accesses);
    for (int number = plan.stages.size() - 1; number >= std::max(needed, 0);
         --number) {
      Stage &stage = plan.stages[number];
      bool same =
          stage.kind == (rows ? Stage::Kind::Rows : Stage::Kind::Columns) &&
          ArrayRef(stage.shape) == shape && stage.reducedDims == dims;
      if (!same || (number == needed &&
                    (!rows || !isAligned(accesses, number, rowMap(stage)))))
        continue;
      stage.reductions.push_back(reduce);
      stageOf[reduce.getResult()] = number;
      return;
    }
    Stage stage;
    stage.kind = rows ? Stage::Kind::Rows : Stage::Kind::Columns;
    stage.shape.assign(shape.begin(), shape.end());
    stage.reducedDims = dims;
    stage.reductions.push_back(reduce);
    stageOf[reduce.getResult()] = plan.stages.size();
    plan.stages.push_back(stage);
  }

  /// A product reads each operand several times while packing it: what is not
  /// cheap is computed before.
  bool isCheapToRepeat(Value value) {
    unsigned operations = 0;
    llvm::DenseSet<Value> visited;
    SmallVector<Value> worklist = {value};
    while (!worklist.empty()) {
      Value current = worklist.pop_back_val();
      if (isLeaf(current) || !visited.insert(current).second)
        continue;
      Operation *op = current.getDefiningOp();
      if (isElementwise(op))
        ++operations;
      bool moves = isElementwise(op) || isa<arith::ConstantOp>(op) ||
                   getAccessMap(op).has_value();
      if (!moves || isa<math::MathDialect>(op->getDialect()) ||
          isa<arith::DivFOp>(op) || operations > 3)
        return false;
      llvm::append_range(worklist, op->getOperands());
    }
    return true;
  }

  void placeDot(DotGeneralOp dot) {
    for (Value operand : dot->getOperands()) {
      if (isCheapToRepeat(operand))
        continue;
      while (!isLeaf(operand) && getAccessMap(operand.getDefiningOp()))
        operand = operand.getDefiningOp()->getOperand(0);
      materialize(operand);
    }
    Stage stage;
    stage.kind = Stage::Kind::Dot;
    stage.op = dot;
    llvm::append_range(stage.shape, shapeOf(dot.getResult()));
    stageOf[dot.getResult()] = plan.stages.size();
    plan.stages.push_back(stage);
  }

  void placeSingle(Operation *op) {
    Stage stage;
    stage.kind = Stage::Kind::Single;
    stage.op = op;
    for (Value result : op->getResults()) {
      llvm::append_range(stage.shape, shapeOf(result));
      stageOf[result] = plan.stages.size();
      stage.outputs.push_back({result, false, {}});
    }
    plan.stages.push_back(stage);
  }

  /// Has a stage compute and store `value`, unless one does already.
  void materialize(Value value) {
    if (isa<BlockArgument>(value))
      return;
    auto known = stageOf.find(value);
    if (known == stageOf.end())
      stageOf[value] = placeElementwise(value);
    else
      addOutput(plan.stages[known->second], value);
  }

  /// Stores an anchor's result in its own stage.
  void addOutput(Stage &stage, Value value) {
    if (llvm::any_of(stage.outputs, [&](const StageOutput &output) {
          return output.value == value;
        }))
      return;
    stage.outputs.push_back({value, stage.kind != Stage::Kind::Dot,
                             getIdentityAccess(shapeOf(value), context)});
  }

  /// If an element of `value` can be computed where stage `number` has just
  /// computed what it needs: adds it to the outputs there.
  bool joinStage(Value value, ArrayRef<Access> accesses, int number,
                 bool needed) {
    Stage &stage = plan.stages[number];
    ArrayRef<int64_t> shape = shapeOf(value);
    AffineMap identity = getIdentityAccess(shape, context);
    bool whole = shape == ArrayRef(stage.shape);
    switch (stage.kind) {
    case Stage::Kind::Rows:
      if (whole && (needed ? isAligned(accesses, number, rowMap(stage))
                           : sharesReads(accesses, stage))) {
        stage.outputs.push_back({value, false, identity});
        return true;
      }
      [[fallthrough]];
    case Stage::Kind::Columns:
      return needed && !stage.reductions.empty() &&
             joinKept(value, accesses, number);
    case Stage::Kind::Dot:
      return needed && joinDot(value, accesses, number);
    case Stage::Kind::Single:
      return false;
    }
    return false;
  }

  /// Whether it pays to compute what has `accesses` along with `stage`, none of
  /// whose results it needs: an element-wise stage must read some tensor of its
  /// size that they read, too.
  bool sharesReads(ArrayRef<Access> accesses, const Stage &stage) {
    if (!stage.reductions.empty())
      return true;
    llvm::DenseSet<Value> read;
    for (const StageOutput &output : stage.outputs)
      for (const Access &access : accessesOf(output.value))
        read.insert(access.leaf);
    return llvm::any_of(accesses, [&](const Access &access) {
      return elementsOf(shapeOf(access.leaf)) == elementsOf(stage.shape) &&
             read.contains(access.leaf);
    });
  }

  /// One element per row. Dimensions of size 1 are free to come and go.
  bool joinKept(Value value, ArrayRef<Access> accesses, int number) {
    Stage &stage = plan.stages[number];
    ArrayRef<int64_t> shape = shapeOf(value);
    SmallVector<AffineExpr> results;
    size_t next = 0;
    auto skipOnes = [&] {
      while (next < shape.size() && shape[next] == 1)
        ++next;
    };
    for (int64_t size : stage.keptShape()) {
      if (size == 1) {
        results.push_back(getAffineConstantExpr(0, context));
        continue;
      }
      skipOnes();
      if (next == shape.size() || shape[next] != size)
        return false;
      results.push_back(getAffineDimExpr(next++, context));
    }
    skipOnes();
    auto place = AffineMap::get(shape.size(), 0, results, context);
    if (next != shape.size() || !isAligned(accesses, number, place))
      return false;
    stage.outputs.push_back({value, true, place});
    return true;
  }

  /// The epilogue of a product visits its elements once, so that all accesses
  /// must agree on one place.
  bool joinDot(Value value, ArrayRef<Access> accesses, int number) {
    Stage &stage = plan.stages[number];
    AffineMap place;
    for (const Access &access : accesses) {
      auto it = stageOf.find(access.leaf);
      if (it == stageOf.end() || int(it->second) != number)
        continue;
      if (!access.map || (place && place != access.map))
        return false;
      place = access.map;
    }
    ArrayRef<int64_t> shape = shapeOf(value);
    if (!place || shape.size() != stage.shape.size() ||
        elementsOf(shape) != elementsOf(stage.shape))
      return false;
    // Every dimension larger than 1 must be used exactly once.
    llvm::SmallBitVector used(shape.size());
    for (auto [i, result] : llvm::enumerate(place.getResults())) {
      if (stage.shape[i] == 1)
        continue;
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim || used[dim.getPosition()] ||
          shape[dim.getPosition()] != stage.shape[i])
        return false;
      used.set(dim.getPosition());
    }
    stage.outputs.push_back({value, false, place});
    return true;
  }

  /// Finds or makes the stage that stores `value`, which is no anchor.
  unsigned placeElementwise(Value value) {
    SmallVector<Access> accesses = accessesOf(value);
    int needed = lastStage(accesses);
    for (int number = std::max(needed, 0), e = plan.stages.size(); number < e;
         ++number)
      if (joinStage(value, accesses, number, number == needed))
        return number;
    Stage stage;
    stage.kind = Stage::Kind::Rows;
    llvm::append_range(stage.shape, shapeOf(value));
    if (!stage.shape.empty())
      stage.reducedDims.push_back(stage.shape.size() - 1);
    stage.outputs.push_back(
        {value, false, getIdentityAccess(stage.shape, context)});
    plan.stages.push_back(stage);
    return plan.stages.size() - 1;
  }

  void placeResult(Value value, unsigned number) {
    // A reshape does not move memory.
    while (auto reshape = value.getDefiningOp<ReshapeOp>())
      value = reshape.getOperand();
    if (isa<BlockArgument>(value)) {
      // An argument that is a result is copied.
      bool stored = plan.slots.contains(value);
      if (!stored)
        placeElementwise(value);
    } else {
      materialize(value);
    }
    plan.slots[value].push_back({false, number});
  }

  /// Whatever a stage needs of another is stored.
  void addTemporaries() {
    for (size_t number = 0; number < plan.stages.size(); ++number)
      for (Value root : rootsOf(plan.stages[number]))
        for (const Access &access : accessesThrough(root, number)) {
          auto it = stageOf.find(access.leaf);
          if (it != stageOf.end() && it->second != number)
            addOutput(plan.stages[it->second], access.leaf);
        }
    for (Stage &stage : plan.stages)
      for (StageOutput &output : stage.outputs)
        if (plan.slots[output.value].empty()) {
          auto type = cast<RankedTensorType>(output.value.getType());
          plan.slots[output.value].push_back(
              {true, unsigned(plan.temporaries.size())});
          plan.temporaries.push_back(
              type.getNumElements() *
              CodeBuilder::storageBytes(type.getElementType()));
        }
  }

  /// Accesses of stage `number` to compute `root`: to arguments, anchors and
  /// what earlier stages have stored.
  SmallVector<Access> accessesThrough(Value root, size_t number) {
    return collectAccesses(
        root, getIdentityAccess(shapeOf(root), context), [&](Value v) {
          auto it = stageOf.find(v);
          return isa<BlockArgument>(v) || isAnchor(v) ||
                 (it != stageOf.end() && it->second < number);
        });
  }

  static bool isAnchor(Value value) {
    Operation *op = value.getDefiningOp();
    return op && (isa<ReduceOp, DotGeneralOp>(op) || isStructured(op));
  }

  static SmallVector<Value> rootsOf(const Stage &stage) {
    SmallVector<Value> roots;
    for (ReduceOp reduce : stage.reductions)
      roots.push_back(reduce.getOperand());
    if (stage.op)
      llvm::append_range(roots, stage.op->getOperands());
    for (const StageOutput &output : stage.outputs)
      if (!isAnchor(output.value))
        roots.push_back(output.value);
    return roots;
  }

  /// A result that overwrites an operand must be computed where nothing else
  /// reads that operand any more.
  void avoidHazards() {
    for (auto [result, alias] : llvm::enumerate(aliases))
      if (alias >= 0 && isHazard(result, kernel.getBody().getArgument(alias)))
        redirect(result);
  }

  bool isHazard(unsigned result, BlockArgument argument) {
    size_t writer = 0;
    const StageOutput *written = nullptr;
    for (auto [number, stage] : llvm::enumerate(plan.stages))
      for (StageOutput &output : stage.outputs)
        for (Slot slot : plan.slots[output.value])
          if (!slot.temporary && slot.number == result) {
            writer = number;
            written = &output;
          }
    if (written->value == argument)
      return false;
    for (size_t number = writer; number < plan.stages.size(); ++number) {
      Stage &stage = plan.stages[number];
      if (stage.kind == Stage::Kind::Single)
        continue; // their code decides
      for (Value root : rootsOf(stage))
        for (const Access &access : accessesThrough(root, number)) {
          bool same =
              number == writer && root == written->value &&
              access.map == getIdentityAccess(shapeOf(argument), context) &&
              shapeOf(root) == shapeOf(argument);
          // A row is stored after all its reductions.
          bool sibling =
              number == writer && !written->kept &&
              stage.kind == Stage::Kind::Rows &&
              access.map == getIdentityAccess(shapeOf(argument), context) &&
              shapeOf(root) == ArrayRef(stage.shape);
          // The results of an epilogue are stored after all are computed.
          if (number == writer && stage.kind == Stage::Kind::Dot)
            sibling |=
                llvm::any_of(stage.outputs, [&](const StageOutput &output) {
                  return output.value == root &&
                         output.place == written->place &&
                         shapeOf(root) == shapeOf(argument) &&
                         access.map ==
                             getIdentityAccess(shapeOf(argument), context);
                });
          if (access.leaf == argument && !same && !sibling)
            return true;
        }
    }
    return false;
  }

  void redirect(unsigned result) {
    auto type = cast<RankedTensorType>(kernel.getResult(result).getType());
    unsigned temporary = plan.temporaries.size();
    plan.temporaries.push_back(
        type.getNumElements() *
        CodeBuilder::storageBytes(type.getElementType()));
    for (auto &entry : plan.slots)
      for (Slot &slot : entry.second)
        if (!slot.temporary && slot.number == result)
          slot = {true, temporary};
    plan.copies.push_back({temporary, result});
  }

  spmd::KernelOp kernel;
  ArrayRef<int64_t> aliases;
  MLIRContext *context;
  KernelPlan plan;
  llvm::DenseMap<Value, unsigned> &stageOf = plan.stageOf;
};

} // namespace

FailureOr<KernelPlan> codegen::planKernel(spmd::KernelOp kernel,
                                          ArrayRef<int64_t> aliases) {
  return Planner(kernel, aliases).run();
}
