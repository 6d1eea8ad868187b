//===- ParameterRoles.cpp - what the arguments of a step are --------------===//

#include "ParameterRoles.h"

#include "tessera/Dialect/Tessera/BatchAttribute.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

int64_t PlannedTensor::bytes() const {
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// The name of an argument or result: the user's, or its number.
static std::string nameOf(DictionaryAttr attributes, const char *kind,
                          unsigned number) {
  auto name = attributes
                  ? attributes.getAs<StringAttr>(TesseraDialect::kNameAttr)
                  : StringAttr();
  return name ? name.str() : kind + std::to_string(number);
}

namespace {

/// Finds the parameters of states by the ends of names.
class StateNames {
public:
  StateNames(ArrayRef<PlannedTensor> arguments, ArrayRef<ParameterUse> uses)
      : arguments(arguments) {
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      ArrayRef<std::string> path = argument.path;
      for (size_t front = 0; front < path.size(); ++front) {
        if (uses[argument.number].consumer)
          used.insert(joinPath(path.take_front(front)));
        byEnd[joinPath(path.drop_front(front))].push_back(index);
      }
    }
  }

  /// The number of the argument whose state `argument` is.
  std::optional<unsigned> parameterOf(const PlannedTensor &argument) const {
    ArrayRef<std::string> path = argument.path;
    for (size_t front = 1; front < path.size(); ++front) {
      if (used.contains(joinPath(path.take_front(front))))
        continue;
      ArrayRef<std::string> end = path.drop_front(front);
      auto same = byEnd.find(joinPath(end));
      for (unsigned other : same->second) {
        const PlannedTensor &candidate = arguments[other];
        ArrayRef<std::string> otherPath = candidate.path;
        if (candidate.type.getShape() == argument.type.getShape() &&
            used.contains(joinPath(otherPath.drop_back(end.size()))))
          return candidate.number;
      }
    }
    return std::nullopt;
  }

private:
  ArrayRef<PlannedTensor> arguments;
  /// What names of arguments begin with that products take.
  llvm::StringSet<> used;
  llvm::StringMap<SmallVector<unsigned>> byEnd;
};

} // namespace

/// Whether `argument` holds rows: what a step reads anew each time.
static bool isBatch(func::FuncOp function, const PlannedTensor &argument,
                    bool replacesSome) {
  DictionaryAttr attributes = function.getArgAttrDict(argument.number);
  if (attributes && attributes.contains(kBatchAttr))
    return true;
  if (replacesSome)
    return !attributes || !attributes.contains(TesseraDialect::kDonatedAttr);
  return argument.path.size() == 1 &&
         argument.type.getElementType().isInteger();
}

std::vector<PlannedTensor>
tessera::importer::findPlannedTensors(func::FuncOp function,
                                      ArrayRef<ParameterUse> uses) {
  std::vector<PlannedTensor> tensors;
  auto add = [&](Type type, std::string name, TensorRole role,
                 unsigned number) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor)
      tensors.push_back({name, splitPath(name), tensor, role, number, {}});
  };
  bool replacesSome = false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    DictionaryAttr attributes = function.getArgAttrDict(i);
    replacesSome |=
        attributes && attributes.contains(TesseraDialect::kDonatedAttr);
    add(function.getArgument(i).getType(), nameOf(attributes, "arg", i),
        TensorRole::Weight, i);
  }
  StateNames names(tensors, uses);
  std::vector<PlannedTensor> named = tensors;
  for (PlannedTensor &argument : named) {
    if (isBatch(function, argument, replacesSome)) {
      argument.role = TensorRole::Batch;
    } else if (!uses[argument.number].consumer) {
      argument.parameter = names.parameterOf(argument);
      if (argument.parameter)
        argument.role = TensorRole::State;
    }
  }
  tensors = std::move(named);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    add(function.getResultTypes()[i],
        nameOf(function.getResultAttrDict(i), "result", i), TensorRole::Result,
        i);
  return tensors;
}
