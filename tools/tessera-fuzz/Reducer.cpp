//===- Reducer.cpp - Small counter-examples from large ones ---------------===//

#include "Reducer.h"

#include "tessera/Dialect/Tessera/BatchAttribute.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Transforms/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::fuzz;

namespace {

/// Walks over all simplifications of a module in a fixed order and applies one.
class Simplifier {
public:
  Simplifier(ModuleOp module, int64_t number)
      : module(module), main(module.lookupSymbol<func::FuncOp>("main")),
        remaining(number) {}

  /// Applies simplification number `number`; false where there are fewer.
  bool apply() {
    bool found = inlineCalls() || dropResult() || dropOperation() ||
                 dropAnnotation() || weakenSharding() || simplifyMesh();
    if (found)
      removeUnused();
    return found;
  }

private:
  /// Whether the simplification just met is the one to apply.
  bool take() { return remaining-- == 0; }

  bool inlineCalls();
  bool dropResult();
  void dropDonations(unsigned erased);
  bool dropOperation();
  bool dropAnnotation();
  bool weakenSharding();
  bool simplifyMesh();
  void removeUnused();

  /// Calls `edit` with each sharding at the boundary and in constraints, until
  /// it returns true; then the edited sharding takes its place.
  bool editShardings(function_ref<bool(TensorSharding &)> edit);

  ModuleOp module;
  func::FuncOp main;
  int64_t remaining;
};

bool Simplifier::inlineCalls() {
  if (llvm::hasSingleElement(module.getOps<func::FuncOp>()) || !take())
    return false;
  PassManager manager(module.getContext());
  manager.addPass(importer::createInlineCalls());
  return succeeded(manager.run(module));
}

bool Simplifier::dropResult() {
  Operation *terminator = main.getBody().front().getTerminator();
  if (terminator->getNumOperands() < 2)
    return false;
  for (unsigned i = 0; i < terminator->getNumOperands(); ++i)
    if (take()) {
      terminator->eraseOperand(i);
      (void)main.eraseResult(i);
      dropDonations(i);
      return true;
    }
  return false;
}

/// Donations to the erased result go, those behind it move up.
void Simplifier::dropDonations(unsigned erased) {
  StringRef name = TesseraDialect::kDonatedAttr;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto donated = main.getArgAttrOfType<IntegerAttr>(i, name);
    if (!donated || donated.getInt() < int64_t(erased))
      continue;
    if (donated.getInt() == int64_t(erased))
      main.removeArgAttr(i, StringAttr::get(module.getContext(), name));
    else
      main.setArgAttr(
          i, name, IntegerAttr::get(donated.getType(), donated.getInt() - 1));
  }
}

/// The later operations first: an operation gives way to one of its operands,
/// or to new arguments.
bool Simplifier::dropOperation() {
  SmallVector<Operation *> operations;
  main.walk([&](Operation *op) {
    if (op->getNumResults() > 0)
      operations.push_back(op);
  });
  for (Operation *op : llvm::reverse(operations)) {
    if (op->getNumResults() == 1)
      for (Value operand : op->getOperands())
        if (operand.getType() == op->getResult(0).getType() && take()) {
          op->getResult(0).replaceAllUsesWith(operand);
          return true;
        }
    bool becomesArguments =
        !isa<arith::ConstantOp>(op) &&
        llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (becomesArguments && take()) {
      for (Value result : op->getResults()) {
        (void)main.insertArgument(main.getNumArguments(), result.getType(), {},
                                  op->getLoc());
        result.replaceAllUsesWith(main.getArguments().back());
      }
      return true;
    }
  }
  return false;
}

bool Simplifier::dropAnnotation() {
  auto name =
      StringAttr::get(module.getContext(), TesseraDialect::kShardingAttr);
  auto donated =
      StringAttr::get(module.getContext(), TesseraDialect::kDonatedAttr);
  auto batch = StringAttr::get(module.getContext(), kBatchAttr);
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    for (StringAttr attribute : {name, donated, batch})
      if (main.getArgAttr(i, attribute) && take())
        return main.removeArgAttr(i, attribute), true;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (main.getResultAttr(i, name) && take())
      return main.removeResultAttr(i, name), true;
  return false;
}

bool Simplifier::editShardings(function_ref<bool(TensorSharding &)> edit) {
  auto edited = [&](ShardingAttr attribute) -> ShardingAttr {
    if (!attribute)
      return {};
    TensorSharding sharding = attribute.getValue();
    if (!edit(sharding))
      return {};
    return ShardingAttr::get(module.getContext(), attribute.getMesh(),
                             sharding);
  };
  StringRef name = TesseraDialect::kShardingAttr;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto sharding = edited(main.getArgAttrOfType<ShardingAttr>(i, name)))
      return main.setArgAttr(i, name, sharding), true;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (auto sharding = edited(main.getResultAttrOfType<ShardingAttr>(i, name)))
      return main.setResultAttr(i, name, sharding), true;
  return main
      .walk([&](ConstrainOp op) {
        if (auto sharding = edited(op.getSharding()))
          return op.setShardingAttr(sharding), WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

bool Simplifier::weakenSharding() {
  return editShardings([&](TensorSharding &sharding) {
    for (DimSharding &dim : sharding.dims) {
      if (!dim.axes.empty() && take())
        return dim.axes.pop_back(), true;
      if (dim.open && take())
        return dim.open = false, true;
      if (dim.priority && take())
        return dim.priority.reset(), true;
    }
    if (!sharding.replicated.empty() && take())
      return sharding.replicated.clear(), true;
    if (!sharding.unreduced.empty() && take())
      return sharding.unreduced.clear(), true;
    return false;
  });
}

/// Whether some sharding uses `axis`.
static bool isUsed(ModuleOp module, AxisName axis) {
  return StringRef(printModule(module))
                 .count(("{\"" + axis.str() + "\"").str()) +
             StringRef(printModule(module))
                 .count((", \"" + axis.str() + "\"").str()) >
         1;
}

bool Simplifier::simplifyMesh() {
  // Several meshes are over the same devices.
  bool isOnly = llvm::hasSingleElement(module.getOps<MeshOp>());
  for (MeshOp op : module.getOps<MeshOp>()) {
    Mesh mesh = op.getMesh().getMesh();
    if (!isOnly && SymbolTable::symbolKnownUseEmpty(op, module) && take()) {
      op.erase();
      return true;
    }
    if (!mesh.deviceIds.empty() && take()) {
      op.setMeshAttr(MeshAttr::get(module.getContext(), Mesh(mesh.axes)));
      return true;
    }
    for (const MeshAxis &axis : mesh.axes)
      if (mesh.deviceIds.empty() && mesh.axes.size() > 1 &&
          (isOnly || axis.size == 1) && !isUsed(module, axis.name) && take()) {
        llvm::erase(mesh.axes, axis);
        op.setMeshAttr(MeshAttr::get(module.getContext(), mesh));
        return true;
      }
  }
  return false;
}

void Simplifier::removeUnused() {
  bool changed = true;
  while (changed) {
    changed = false;
    SmallVector<Operation *> dead;
    main.walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isOpTriviallyDead(op))
        dead.push_back(op);
    });
    for (Operation *op : dead)
      if (op->use_empty() && op->getParentOp())
        op->erase(), changed = true;
  }
  for (unsigned i = main.getNumArguments(); i-- > 0;)
    if (main.getArgument(i).use_empty())
      (void)main.eraseArgument(i);
}

} // namespace

/// The program under simplification `number`: empty where there are fewer, a
/// blank where it makes no valid program.
static std::string simplified(const std::string &program, int64_t number) {
  MLIRContext context(compilerDialects(), MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  auto module = parseSourceString<ModuleOp>(program, &context);
  if (!module || !Simplifier(*module, number).apply())
    return "";
  return succeeded(verify(*module)) ? printModule(*module) : " ";
}

std::string
fuzz::reduce(std::string program, double seconds,
             llvm::function_ref<bool(const std::string &)> isInteresting) {
  bool progress = true;
  while (progress) {
    progress = false;
    for (int64_t number = 0;; ++number) {
      ChildOutcome outcome =
          runInChild(seconds, [&] { return simplified(program, number); });
      std::string candidate = outcome.output;
      if (candidate.empty() && outcome.end == ChildOutcome::Done)
        break;
      if (candidate.size() < 2 || !isInteresting(candidate))
        continue;
      program = std::move(candidate);
      progress = true;
      --number; // Another simplification has this number now.
    }
  }
  return program;
}
