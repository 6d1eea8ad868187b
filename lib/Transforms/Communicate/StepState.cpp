//===- StepState.cpp - state that a step has beside the model's -----------===//

#include "StepState.h"

#include "tessera/Dialect/Tessera/ChangedMathematics.h"
#include "tessera/Dialect/Tessera/Donation.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

/// `name`, or the first of `name#2`, `name#3`, ... that no argument has.
static std::string findFreeName(func::FuncOp main, StringRef name) {
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto known =
            main.getArgAttrOfType<StringAttr>(i, TesseraDialect::kNameAttr))
      taken.insert(known.getValue());
  std::string free = name.str();
  for (int64_t number = 2; taken.contains(free); ++number)
    free = name.str() + "#" + std::to_string(number);
  return free;
}

BlockArgument communicate::addState(func::FuncOp main, StringRef name,
                                    RankedTensorType type,
                                    RankedTensorType global,
                                    ShardingAttr sharding) {
  Builder builder(main.getContext());
  unsigned argument = main.getNumArguments(), result = main.getNumResults();
  NamedAttrList attributes;
  attributes.append(TesseraDialect::kNameAttr,
                    builder.getStringAttr(findFreeName(main, name)));
  attributes.append(TesseraDialect::kGlobalTypeAttr, TypeAttr::get(global));
  attributes.append(TesseraDialect::kShardingAttr, sharding);
  DictionaryAttr ofResult = attributes.getDictionary(main.getContext());
  attributes.append(TesseraDialect::kDonatedAttr,
                    builder.getI32IntegerAttr(int32_t(result)));
  attributes.append(kInitiallyZeroAttr, builder.getUnitAttr());
  // Neither fails: the function has a body, and the places exist.
  (void)main.insertArgument(argument, type,
                            attributes.getDictionary(main.getContext()),
                            main.getLoc());
  (void)main.insertResult(result, type, ofResult);
  BlockArgument state = main.getArgument(argument);
  main.getBody().back().getTerminator()->insertOperands(result, state);
  return state;
}

BlockArgument communicate::addDeviceState(func::FuncOp main, StringRef name,
                                          MeshOp mesh, int64_t elements) {
  const Mesh &devices = mesh.getMesh().getMesh();
  TensorSharding rows = TensorSharding::getReplicated(2);
  for (const MeshAxis &axis : devices.axes)
    if (axis.size > 1)
      rows.dims[0].axes.push_back(axis.name);
  auto type =
      RankedTensorType::get({1, elements}, Float32Type::get(main.getContext()));
  return addState(
      main, name, type, type.clone({devices.numDevices(), elements}),
      ShardingAttr::get(main.getContext(),
                        FlatSymbolRefAttr::get(mesh.getSymNameAttr()), rows));
}

void communicate::setNextState(BlockArgument state, Value next) {
  Operation *end = state.getOwner()->getTerminator();
  end->setOperand(*getDonatedResult(state), next);
}

void communicate::addChangedMathematics(ModuleOp module, StringRef sentence) {
  Builder builder(module.getContext());
  SmallVector<Attribute> sentences;
  if (auto known = module->getAttrOfType<ArrayAttr>(kMathematicsAttr))
    llvm::append_range(sentences, known);
  sentences.push_back(builder.getStringAttr(sentence));
  module->setAttr(kMathematicsAttr, builder.getArrayAttr(sentences));
}
