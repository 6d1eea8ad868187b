//===- ExchangeBoundary.cpp - arguments and results on other devices ------===//
//
// The program has one order of the devices. Where an argument or result lies on
// them in another one (see `UnifyMeshes.cpp`), each device has the part of
// another one when the program begins, or must have it when it ends: one
// permute per tensor, in which only those take part who lack something.
//
//===----------------------------------------------------------------------===//

#include "tessera/Dialect/Spmd/Spmd.h"
#include "tessera/Dialect/Tessera/DeviceOrder.h"
#include "tessera/Dialect/Tessera/Provenance.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Sharding/Algebra/DeviceGroups.h"
#include "tessera/Sharding/Algebra/MeshTranslation.h"
#include "tessera/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/DebugLog.h"

namespace tessera::partition {
#define GEN_PASS_DEF_EXCHANGEBOUNDARY
#include "tessera/Transforms/Partition/Passes.h.inc"
} // namespace tessera::partition

#define DEBUG_TYPE "tessera-exchange-boundary"

using namespace mlir;
using namespace tessera;
using namespace tessera::partition;

namespace {

/// Inserts the exchanges of one function.
class BoundaryExchange {
public:
  BoundaryExchange(func::FuncOp function, MeshOp mesh)
      : function(function), meshName(FlatSymbolRefAttr::get(mesh)),
        mesh(mesh.getMesh().getMesh()), builder(function.getContext()) {}

  void run();

private:
  /// Where the parts of one tensor are and where they should be.
  struct Exchange {
    ShardingAttr sharding;
    Mesh from, to;
    PlaceAttr place;
    bool isResult;
  };
  Value permuted(Value value, Location loc, const Exchange &exchange);
  Location why(Location loc, const Exchange &exchange);
  PlaceAttr place(StringRef what, unsigned number, DictionaryAttr attributes,
                  Location loc) const {
    return PlaceAttr::get(loc.getContext(),
                          boundaryName(what, number, attributes),
                          withoutProvenance(loc));
  }

  func::FuncOp function;
  FlatSymbolRefAttr meshName;
  const Mesh &mesh;
  OpBuilder builder;
};

} // namespace

/// `[3, 0, 1, 2]`: the devices by position.
static std::string describeOrder(MLIRContext *context, const Mesh &mesh) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(deviceOrderOf(context, mesh).asArrayRef(), os);
  os << ']';
  return text;
}

/// `loc` with the reason of the exchange: the annotation that asks for it.
Location BoundaryExchange::why(Location loc, const Exchange &exchange) {
  MLIRContext *context = function.getContext();
  StringRef side = exchange.isResult ? "consumer" : "producer";
  SmallVector<OriginAttr> origins;
  for (const AxisRef &axis : exchange.sharding.getValue().usedAxes()) {
    auto origin = OriginAttr::get(context, axis.name.str(), side,
                                  exchange.place, exchange.sharding, {}, 0);
    if (!llvm::is_contained(origins, origin))
      origins.push_back(origin);
  }
  std::string conflict =
      "devices hold its parts in the order " +
      describeOrder(context, exchange.from) +
      (exchange.isResult ? " and should hold them in the order "
                         : " and the program takes them in the order ") +
      describeOrder(context, exchange.to);
  auto reason = ProvenanceAttr::get(context, "device order", exchange.sharding,
                                    exchange.sharding, exchange.place,
                                    PlaceAttr(), conflict, origins);
  return withProvenance(withoutProvenance(loc), reason);
}

/// `value`, a device's part of a tensor, on the device that it belongs to.
Value BoundaryExchange::permuted(Value value, Location loc,
                                 const Exchange &exchange) {
  const TensorSharding &sharding = exchange.sharding.getValue();
  SmallVector<int32_t, 0> targets =
      exchangeTargets(sharding, exchange.from, sharding, exchange.to);
  if (targets.empty())
    return value;
  LDBG() << describePlace(exchange.place) << ": exchanged, "
         << describeOrder(function.getContext(), exchange.from) << " to "
         << describeOrder(function.getContext(), exchange.to);
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [source, target] : llvm::enumerate(targets))
    pairs.push_back({exchange.from.deviceAtPosition(source),
                     exchange.from.deviceAtPosition(target)});
  std::optional<GroupPermutation> permutation = permutationOfPairs(pairs, mesh);
  assert(permutation && "each device sends and receives once");
  return spmd::PermuteOp::create(
      builder, why(loc, exchange), value.getType(), value,
      AxesAttr::get(builder.getContext(), meshName, permutation->axes),
      builder.getDenseI32ArrayAttr(permutation->target));
}

/// Permutes the parts of arguments behind their beginning, and those of results
/// in front of the end.
void BoundaryExchange::run() {
  StringRef name = TesseraDialect::kShardingAttr;
  builder.setInsertionPointToStart(&function.getBody().front());
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    DictionaryAttr attributes = function.getArgAttrDict(number);
    Mesh outside = meshAtBoundary(attributes, mesh);
    if (outside == mesh || argument.use_empty())
      continue;
    Location loc = argument.getLoc();
    Value inside = permuted(
        argument, loc,
        {function.getArgAttrOfType<ShardingAttr>(number, name), outside, mesh,
         place("argument", number, attributes, loc), /*isResult=*/false});
    if (inside != argument)
      argument.replaceAllUsesExcept(inside, inside.getDefiningOp());
  }
  Operation *end = function.getBody().front().getTerminator();
  builder.setInsertionPoint(end);
  for (OpOperand &operand : end->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    DictionaryAttr attributes = function.getResultAttrDict(number);
    Mesh outside = meshAtBoundary(attributes, mesh);
    if (outside == mesh)
      continue;
    operand.set(permuted(
        operand.get(), end->getLoc(),
        {function.getResultAttrOfType<ShardingAttr>(number, name), mesh,
         outside, place("result", number, attributes, end->getLoc()),
         /*isResult=*/true}));
  }
}

namespace {
struct ExchangeBoundary
    : tessera::partition::impl::ExchangeBoundaryBase<ExchangeBoundary> {
  void runOnOperation() override {
    FailureOr<MeshOp> mesh = getOnlyMesh(getOperation());
    if (failed(mesh))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        BoundaryExchange(function, *mesh).run();
  }
};
} // namespace
