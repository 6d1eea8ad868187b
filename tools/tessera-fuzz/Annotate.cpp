//===- Annotate.cpp -------------------------------------------------------===//

#include "Annotate.h"

#include "ShardingGenerator.h"

#include "tessera/Dialect/Tessera/BatchAttribute.h"
#include "tessera/Dialect/Tessera/Donation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// Removes what says how values are sharded.
static void removeAnnotations(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto constrain = dyn_cast<ConstrainOp>(op))
      constrain.replaceAllUsesWith(constrain.getOperand());
    if (isa<ConstrainOp, ShardingGroupOp>(op))
      op->erase();
  });
}

static bool isByHand(ModuleOp module) {
  return module
      .walk([](ManualComputationOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The meshes of `module` if something in it is written for them; otherwise
/// others, which take their place.
static ShardingGenerator meshesFor(ModuleOp module, Random &random) {
  auto ops = llvm::to_vector(module.getOps<MeshOp>());
  if (isByHand(module)) {
    SmallVector<ShardingGenerator::NamedMesh, 2> meshes;
    for (MeshOp op : ops)
      meshes.push_back({op.getSymName(), op.getMesh().getMesh(), {}});
    return ShardingGenerator(random, meshes);
  }
  for (MeshOp op : ops)
    op.erase();
  ShardingGenerator shardings(random);
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  shardings.declareMeshes(builder);
  return shardings;
}

namespace {

/// Draws shardings of arguments and results, constraints and the mark of a
/// batch for a program that has none.
class Annotator {
public:
  Annotator(func::FuncOp main, Random &random, ShardingGenerator &shardings)
      : main(main), random(random), shardings(shardings) {}

  void run() {
    annotateBoundary();
    constrainValues();
    if (random.chance(40))
      markBatch();
  }

private:
  ShardingAttr draw(Type type) {
    return shardings.attribute(main.getContext(),
                               cast<RankedTensorType>(type).getShape(),
                               /*mayBeUnreduced=*/false);
  }
  void annotateBoundary();
  void constrainValues();
  void markBatch();

  func::FuncOp main;
  Random &random;
  ShardingGenerator &shardings;
};

} // namespace

void Annotator::annotateBoundary() {
  auto name = StringAttr::get(main.getContext(), TesseraDialect::kShardingAttr);
  auto attribute = [&](Type type) {
    return random.chance(60) ? draw(type) : ShardingAttr();
  };
  auto setResult = [&](unsigned number, ShardingAttr sharding) {
    if (sharding)
      main.setResultAttr(number, name, sharding);
  };
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    main.removeResultAttr(i, name);
    if (random.chance(50))
      setResult(i, attribute(main.getResultTypes()[i]));
  }
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    main.removeArgAttr(i, name);
    main.removeArgAttr(i, StringAttr::get(main.getContext(), kBatchAttr));
    ShardingAttr sharding = attribute(main.getArgumentTypes()[i]);
    if (sharding)
      main.setArgAttr(i, name, sharding);
    if (std::optional<unsigned> donated = getDonatedResult(main, i))
      setResult(*donated, sharding);
  }
}

/// Constrains a few values, in loops and branches, too, but not by hand.
void Annotator::constrainValues() {
  SmallVector<Value> values;
  main.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() ==
            TesseraDialect::getDialectNamespace() &&
        !op->getParentOfType<ManualComputationOp>())
      for (Value result : op->getResults())
        if (isa<RankedTensorType>(result.getType()) && !result.use_empty())
          values.push_back(result);
  });
  random.shuffle(values);
  values.truncate(std::min<size_t>(values.size(), random.below(5)));
  for (Value value : values) {
    OpBuilder builder(main.getContext());
    builder.setInsertionPointAfterValue(value);
    auto made = ConstrainOp::create(builder, value.getLoc(), value,
                                    draw(value.getType()));
    value.replaceAllUsesExcept(made, made);
  }
}

/// Calls the outermost dimension of arguments that are not updated, and of
/// whose size there is another, rows.
void Annotator::markBatch() {
  SmallVector<unsigned> inputs;
  auto rows = [&](unsigned number) {
    auto type = cast<RankedTensorType>(main.getArgumentTypes()[number]);
    return type.getRank() > 0 ? type.getDimSize(0) : 1;
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (!getDonatedResult(main, i) && rows(i) > 1)
      inputs.push_back(i);
  if (inputs.empty())
    return;
  int64_t size = rows(random.pick(inputs));
  for (unsigned input : inputs)
    if (rows(input) == size)
      main.setArgAttr(input, kBatchAttr, OpBuilder(main).getI64IntegerAttr(0));
}

LogicalResult fuzz::annotate(ModuleOp module, Random &random) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return module.emitError("expected a function 'main'");
  removeAnnotations(module);
  ShardingGenerator shardings = meshesFor(module, random);
  Annotator(main, random, shardings).run();
  return success();
}
