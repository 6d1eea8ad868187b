//===- Boundary.cpp - What a program takes and gives ----------------------===//

#include "tessera/Interpreter/Boundary.h"

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/ChangedMathematics.h"
#include "tessera/Dialect/Tessera/DeviceOrder.h"
#include "tessera/Dialect/Tessera/ElementTypes.h"
#include "tessera/Dialect/Tessera/ShortTypeBoundary.h"

using namespace mlir;
using namespace tessera;

std::optional<ElementType> tessera::elementTypeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape())
      return std::nullopt;
    type = tensor.getElementType();
  }
  return type.isIndex() ? ElementType::I64 : getStoredType(type);
}

/// The slot of an argument or result with this type and these attributes.
static FailureOr<TensorSlot> makeSlot(Location loc, Type type,
                                      DictionaryAttr attributes) {
  TensorSlot slot;
  if (attributes)
    if (auto global =
            attributes.getAs<TypeAttr>(TesseraDialect::kGlobalTypeAttr))
      type = global.getValue();
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<ElementType> element = elementTypeOf(type);
  if (!tensor || !element)
    return emitError(loc) << "expected a tensor of static shape whose elements "
                             "are i1 to i64, f16, bf16, f32 or f64 at the "
                             "boundary of @main, got "
                          << type;
  slot.type = *element;
  slot.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  slot.shortType = "";
  if (!attributes)
    return slot;
  if (auto shortType = attributes.getAs<StringAttr>(kShortTypeAttr))
    slot.shortType = shortType.str();
  if (attributes.contains(TesseraDialect::kUnsignedAttr))
    slot.type = toUnsigned(slot.type);
  if (auto name = attributes.getAs<StringAttr>(TesseraDialect::kNameAttr))
    slot.name = name.str();
  if (auto result = attributes.getAs<IntegerAttr>(TesseraDialect::kDonatedAttr))
    slot.donatedResult = result.getInt();
  slot.isInitiallyZero = attributes.contains(kInitiallyZeroAttr);
  return slot;
}

static ShardingAttr shardingIn(DictionaryAttr attributes) {
  return attributes
             ? attributes.getAs<ShardingAttr>(TesseraDialect::kShardingAttr)
             : ShardingAttr();
}

static bool hasRankPrograms(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return function->hasAttr(pipe::PipeDialect::kRankAttr);
  });
}

FailureOr<Boundary> Boundary::of(ModuleOp module) {
  Boundary boundary;
  boundary.main = module.lookupSymbol<func::FuncOp>("main");
  if (!boundary.main ||
      (boundary.main.isExternal() && !hasRankPrograms(module)))
    return module.emitError("expected a function @main with a body");
  func::FuncOp main = boundary.main;
  for (auto [i, type] : llvm::enumerate(main.getArgumentTypes())) {
    DictionaryAttr attributes = main.getArgAttrDict(i);
    Location loc =
        main.isExternal() ? main.getLoc() : main.getArgument(i).getLoc();
    FailureOr<TensorSlot> slot = makeSlot(loc, type, attributes);
    if (failed(slot))
      return failure();
    boundary.arguments.push_back(*slot);
    boundary.argumentShardings.push_back(shardingIn(attributes));
  }
  for (auto [i, type] : llvm::enumerate(main.getResultTypes())) {
    DictionaryAttr attributes = main.getResultAttrDict(i);
    FailureOr<TensorSlot> slot = makeSlot(main.getLoc(), type, attributes);
    if (failed(slot))
      return failure();
    boundary.results.push_back(*slot);
    boundary.resultShardings.push_back(shardingIn(attributes));
  }
  return boundary;
}

Mesh Boundary::meshOfArgument(unsigned number, const Mesh &mesh) const {
  return meshAtBoundary(func::FuncOp(main).getArgAttrDict(number), mesh);
}

Mesh Boundary::meshOfResult(unsigned number, const Mesh &mesh) const {
  return meshAtBoundary(func::FuncOp(main).getResultAttrDict(number), mesh);
}

std::vector<HostTensor> Boundary::randomInputs(uint64_t seed) const {
  std::vector<HostTensor> inputs;
  for (const auto &[i, slot] : llvm::enumerate(arguments))
    inputs.push_back(slot.isInitiallyZero
                         ? HostTensor(slot.type, slot.shape)
                         : randomTensor(slot.type, slot.shape, seed, i));
  return inputs;
}
