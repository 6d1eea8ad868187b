//===- ExplainValue.cpp - why a value is sharded as it is -----------------===//

#include "Explain.h"

#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Support/NearestName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace tessera;

/// More values than this under one name are only counted.
static constexpr unsigned kMaxAnswers = 20;

namespace {

/// Something that has a sharding: a value, or (without one) a result of @main.
struct Subject {
  std::string name;
  /// `arg0`, `result0` at the boundary of the program.
  std::string position;
  Type type;
  Location loc;
  ProvenanceAttr why;
  Value value;
};

/// Everything in a function that can be asked about.
class Subjects {
public:
  explicit Subjects(ModuleOp module) : state(module) {
    for (auto function : module.getOps<func::FuncOp>()) {
      for (BlockArgument argument : function.getArguments())
        add(boundaryName("argument", argument.getArgNumber(),
                         function.getArgAttrDict(argument.getArgNumber())),
            argument, "arg" + std::to_string(argument.getArgNumber()));
      walkProgram(function, [&](Operation *op) {
        if (isa<func::ReturnOp>(op))
          return addResults(function, op);
        StringRef name = op->getName().getStringRef();
        for (Value result : op->getResults())
          add(name.str(), result);
        if (isa<RegionBranchOpInterface>(op))
          for (Region &region : op->getRegions())
            for (BlockArgument argument : region.getArguments())
              add("in the region of " + name.str(), argument);
      });
    }
  }

  /// Those that `what` names, in the order of the text.
  SmallVector<const Subject *> find(StringRef what) const;
  /// What `find` knows them by.
  std::vector<std::string> names() const;

private:
  static ProvenanceAttr provenance(Location loc, unsigned number) {
    auto fused = dyn_cast<FusedLoc>(loc);
    auto list =
        fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
    return list && number < list.size() ? dyn_cast<ProvenanceAttr>(list[number])
                                        : ProvenanceAttr();
  }

  void add(const std::string &what, Value value, std::string position = "") {
    auto result = dyn_cast<OpResult>(value);
    ProvenanceAttr why =
        provenance(value.getLoc(), result ? result.getResultNumber() : 0);
    if (!why)
      return;
    std::string name;
    llvm::raw_string_ostream os(name);
    value.printAsOperand(os, state);
    os << ", " << what;
    subjects.push_back(
        {name, position, value.getType(), value.getLoc(), why, value});
  }

  void addResults(func::FuncOp function, Operation *end) {
    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      if (ProvenanceAttr why = provenance(end->getLoc(), i))
        subjects.push_back(
            {boundaryName("result", i, function.getResultAttrDict(i)),
             "result" + std::to_string(i), type, end->getLoc(), why, Value()});
  }

  AsmState state;
  std::vector<Subject> subjects;
};

} // namespace

SmallVector<const Subject *> Subjects::find(StringRef what) const {
  SmallVector<const Subject *> named, placed;
  for (const Subject &subject : subjects) {
    StringRef name = subject.name;
    if (name.split(',').first == what || subject.position == what ||
        name.ends_with(("'" + what + "'").str()) ||
        name.ends_with((" " + what).str()))
      named.push_back(&subject);
    else if (!what.starts_with("%") &&
             describePlace(subject.why.getProducer()).find(what) !=
                 std::string::npos)
      placed.push_back(&subject);
  }
  return named.empty() ? placed : named;
}

std::vector<std::string> Subjects::names() const {
  std::vector<std::string> names;
  for (const Subject &subject : subjects) {
    StringRef name = subject.name;
    names.push_back(name.split(',').first.str());
    auto [before, quoted] = name.split(" '");
    if (quoted.consume_back("'"))
      names.push_back(quoted.str());
  }
  return names;
}

/// What one device holds of a tensor, `tensor<4x8xf32>`.
static Type localType(ModuleOp module, const Subject &subject) {
  auto type = cast<RankedTensorType>(subject.type);
  ShardingAttr sharding = subject.why.getTarget();
  auto mesh = module.lookupSymbol<MeshOp>(sharding.getMesh().getAttr());
  return RankedTensorType::get(
      sharding.getValue().localShape(type.getShape(), mesh.getMesh().getMesh()),
      type.getElementType());
}

/// The reshards that `value` goes into, and those that these go into.
static void printReshards(Value value, raw_ostream &os) {
  for (Operation *user : value.getUsers()) {
    auto reshard = dyn_cast<ReshardOp>(user);
    if (!reshard)
      continue;
    os << "  is moved to " << describeSharding(reshard.getSharding()) << ":\n";
    SmallVector<std::string> why =
        describeWhy(findProvenance(reshard.getLoc()));
    for (const std::string &line : why)
      os << "    " << line << '\n';
    printReshards(reshard, os);
  }
}

LogicalResult tessera::explainValue(ModuleOp module, StringRef what,
                                    raw_ostream &os) {
  Subjects subjects(module);
  SmallVector<const Subject *> found = subjects.find(what);
  if (found.empty()) {
    return emitError(UnknownLoc::get(module.getContext()))
           << "--explain=" << what
           << " names nothing: expected a value of the IR after 'shard' "
              "(--compile-to=shard -o -), the name of an argument or result, "
              "its position (arg0, result0), or part of an operation's name or "
              "location"
           << didYouMean({what.data(), what.size()}, subjects.names());
  }
  size_t shown = std::min<size_t>(found.size(), kMaxAnswers);
  for (const Subject *subject : ArrayRef(found).take_front(shown)) {
    os << subject->name << ": " << subject->type;
    if (std::string file = describeFile(subject->loc); !file.empty())
      os << " at " << file;
    os << "\n  sharding " << describeSharding(subject->why.getTarget()) << ", "
       << localType(module, *subject) << " on each device\n";
    if (subject->why.getTarget().getValue().isFullyReplicated())
      os << "  is whole on every device: no annotation splits it\n";
    SmallVector<std::string> why = describeWhy(subject->why);
    for (const std::string &line : ArrayRef(why).drop_front())
      os << "  " << line << '\n';
    if (subject->value)
      printReshards(subject->value, os);
  }
  if (shown < found.size())
    os << "and " << found.size() - shown << " more\n";
  return success();
}
