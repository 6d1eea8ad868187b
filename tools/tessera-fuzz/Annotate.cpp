//===- Annotate.cpp -------------------------------------------------------===//

#include "Annotate.h"

#include "ShardingGenerator.h"

#include "tessera/Dialect/Tessera/BatchAttribute.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

/// Removes meshes and everything that names one.
static LogicalResult removeAnnotations(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (isa<ManualComputationOp>(op)) {
      op->emitError("expected a model without regions written for a mesh");
      return WalkResult::interrupt();
    }
    if (auto constrain = dyn_cast<ConstrainOp>(op))
      constrain.replaceAllUsesWith(constrain.getOperand());
    if (isa<ConstrainOp, MeshOp, ShardingGroupOp>(op))
      op->erase();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {

/// Draws meshes, shardings of arguments and results, constraints and the mark
/// of a batch for a program that has none.
class Annotator {
public:
  Annotator(func::FuncOp main, Random &random)
      : main(main), random(random), shardings(random) {}

  void run() {
    OpBuilder builder(main);
    shardings.declareMeshes(builder);
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
  ShardingGenerator shardings;
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
    if (auto donated =
            main.getArgAttrOfType<IntegerAttr>(i, TesseraDialect::kDonatedAttr))
      setResult(unsigned(donated.getInt()), sharding);
  }
}

/// Constrains a few values, in loops and branches, too.
void Annotator::constrainValues() {
  SmallVector<Value> values;
  main.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() ==
        TesseraDialect::getDialectNamespace())
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
    if (!main.getArgAttr(i, TesseraDialect::kDonatedAttr) && rows(i) > 1)
      inputs.push_back(i);
  if (inputs.empty())
    return;
  int64_t size = rows(random.pick(inputs));
  for (unsigned input : inputs)
    if (rows(input) == size)
      main.setArgAttr(input, kBatchAttr, OpBuilder(main).getI64IntegerAttr(0));
}

LogicalResult fuzz::annotate(ModuleOp module, Random &random) {
  if (failed(removeAnnotations(module)))
    return failure();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return module.emitError("expected a function 'main'");
  Annotator(main, random).run();
  return success();
}
