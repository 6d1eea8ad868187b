//===- NetworkLevels.cpp - the machine that a module describes ------------===//

#include "tessera/Dialect/Pipe/NetworkLevels.h"

#include "tessera/Dialect/Pipe/Pipe.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace tessera;
using namespace tessera::pipe;

//===----------------------------------------------------------------------===//
// Dictionaries of numbers
//===----------------------------------------------------------------------===//

/// A number of a dictionary, and where it lies in `T`: a double or an integer.
template <typename T> struct NumberField {
  StringRef name;
  double T::*number;
  int64_t T::*count;
};

static ArrayRef<NumberField<LinkDetails>> fieldsOf(const LinkDetails *) {
  static constexpr NumberField<LinkDetails> kFields[] = {
      {"launch", &LinkDetails::launch, nullptr},
      {"half_saturation", &LinkDetails::halfSaturation, nullptr},
      {"copy_bandwidth", &LinkDetails::copyBandwidth, nullptr},
      {"links", nullptr, &LinkDetails::links}};
  return kFields;
}

static ArrayRef<NumberField<KernelCosts>> fieldsOf(const KernelCosts *) {
  static constexpr NumberField<KernelCosts> kFields[] = {
      {"launch", &KernelCosts::launch, nullptr},
      {"efficiency", &KernelCosts::efficiency, nullptr},
      {"processors", nullptr, &KernelCosts::processors},
      {"tile", nullptr, &KernelCosts::tile},
      {"memory_half_saturation", &KernelCosts::memoryHalfSaturation, nullptr}};
  return kFields;
}

/// What `attribute` says, which has been checked or is null.
template <typename T> static T readNumbers(DictionaryAttr attribute) {
  T values;
  for (const NumberField<T> &field : fieldsOf(&values)) {
    Attribute value = attribute ? attribute.get(field.name) : Attribute();
    if (value && field.number)
      values.*field.number = cast<FloatAttr>(value).getValueAsDouble();
    else if (value)
      values.*field.count = cast<IntegerAttr>(value).getInt();
  }
  return values;
}

/// What in `values` is not as it is by default.
template <typename T>
static DictionaryAttr writeNumbers(const T &values, MLIRContext *context) {
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  T otherwise;
  for (const NumberField<T> &field : fieldsOf(&values)) {
    if (field.number && values.*field.number != otherwise.*field.number)
      entries.push_back(builder.getNamedAttr(
          field.name, builder.getF64FloatAttr(values.*field.number)));
    else if (field.count && values.*field.count != otherwise.*field.count)
      entries.push_back(builder.getNamedAttr(
          field.name, builder.getI64IntegerAttr(values.*field.count)));
  }
  return builder.getDictionaryAttr(entries);
}

/// Why `attribute` is no dictionary of the fields of `T`, or an empty string.
template <typename T> static std::string checkNumbers(Attribute attribute) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  ArrayRef<NumberField<T>> fields = fieldsOf(static_cast<const T *>(nullptr));
  for (NamedAttribute entry :
       dictionary ? dictionary.getValue() : ArrayRef<NamedAttribute>()) {
    const auto *field = llvm::find_if(
        fields, [&](auto &known) { return known.name == entry.getName(); });
    if (field == fields.end())
      return "expected no '" + entry.getName().str() + "'";
    auto number = dyn_cast<FloatAttr>(entry.getValue());
    auto count = dyn_cast<IntegerAttr>(entry.getValue());
    bool isRight = field->number ? number && number.getValue().isFinite() &&
                                       number.getValueAsDouble() >= 0
                                 : count && count.getInt() >= 0;
    if (!isRight)
      return "expected '" + entry.getName().str() + "' to be " +
             (field->number ? "a floating-point number" : "an integer") +
             " of at least 0";
  }
  return dictionary ? "" : "expected a dictionary of numbers";
}

//===----------------------------------------------------------------------===//
// What a module says
//===----------------------------------------------------------------------===//

std::string pipe::checkLinkDetails(Attribute attribute) {
  return checkNumbers<LinkDetails>(attribute);
}

std::string pipe::checkKernelCosts(Attribute attribute) {
  if (std::string error = checkNumbers<KernelCosts>(attribute); !error.empty())
    return error;
  return readNumbers<KernelCosts>(cast<DictionaryAttr>(attribute)).isValid()
             ? ""
             : "expected an efficiency above 0 and up to 1, and processors "
               "with a tile or neither";
}

std::vector<ClusterLevel> pipe::readLevels(ModuleOp module) {
  std::vector<ClusterLevel> levels;
  auto list = module
                  ? module->getAttrOfType<ArrayAttr>(PipeDialect::kLevelsAttr)
                  : ArrayAttr();
  for (Attribute attribute : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto level = cast<ArrayAttr>(attribute);
    auto number = [&](unsigned i) {
      return cast<FloatAttr>(level[i]).getValueAsDouble();
    };
    auto details =
        level.size() > 3 ? cast<DictionaryAttr>(level[3]) : DictionaryAttr();
    levels.push_back({"",
                      cast<IntegerAttr>(level[0]).getInt(),
                      {number(1), number(2)},
                      readNumbers<LinkDetails>(details)});
  }
  return levels;
}

void pipe::writeLevels(ModuleOp module, ArrayRef<ClusterLevel> levels) {
  Builder builder(module.getContext());
  SmallVector<Attribute> list;
  for (const ClusterLevel &level : levels) {
    SmallVector<Attribute> parts = {
        builder.getI64IntegerAttr(level.devices),
        builder.getF64FloatAttr(level.links.latency),
        builder.getF64FloatAttr(level.links.bandwidth)};
    if (level.details != LinkDetails())
      parts.push_back(writeNumbers(level.details, module.getContext()));
    list.push_back(builder.getArrayAttr(parts));
  }
  module->setAttr(PipeDialect::kLevelsAttr, builder.getArrayAttr(list));
}

KernelCosts pipe::readKernelCosts(ModuleOp module) {
  return readNumbers<KernelCosts>(
      module ? module->getAttrOfType<DictionaryAttr>(kKernelsAttr)
             : DictionaryAttr());
}

void pipe::writeMachine(ModuleOp module, const Cluster &cluster) {
  Builder builder(module.getContext());
  module->removeAttr(kKernelsAttr);
  module->removeAttr(kMachineAttr);
  if (cluster.kernels != KernelCosts())
    module->setAttr(kKernelsAttr,
                    writeNumbers(cluster.kernels, module.getContext()));
  if (!cluster.name.empty())
    module->setAttr(kMachineAttr, builder.getStringAttr(cluster.name));
}

StringRef pipe::readMachineName(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(kMachineAttr);
  return name ? name.getValue() : StringRef();
}
