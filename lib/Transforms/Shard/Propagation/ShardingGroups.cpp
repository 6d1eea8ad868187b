//===- ShardingGroups.cpp - whose members contradict each other -----------===//

#include "Propagation/ShardingGroups.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

TensorSharding tessera::shard::annotatedSharding(ShardingAttr attribute,
                                                 const Mesh &mesh) {
  TensorSharding sharding = attribute.getValue();
  auto isTrivial = [&](AxisRef axis) { return axis.size(mesh) == 1; };
  for (DimSharding &dim : sharding.dims) {
    llvm::erase_if(dim.axes, isTrivial);
    dim.axes = mergeAdjacent(dim.axes, mesh);
  }
  llvm::erase_if(sharding.unreduced, isTrivial);
  return sharding;
}

bool tessera::shard::saysNothing(const TensorSharding &sharding) {
  return sharding.unreduced.empty() && sharding.replicated.empty() &&
         llvm::all_of(sharding.dims, [](const DimSharding &dim) {
           return dim.open && dim.axes.empty();
         });
}

/// What the user asks for `value`; null if nothing.
static ShardingAttr annotationOf(Value value) {
  if (auto constraint = value.getDefiningOp<ConstrainOp>())
    return constraint.getSharding();
  if (auto reshard = value.getDefiningOp<ReshardOp>())
    return reshard.getSharding();
  return getSharding(value);
}

GroupMembers tessera::shard::contradictingMembers(func::FuncOp function,
                                                  const Mesh &mesh) {
  GroupMembers apart;
  DenseMap<uint64_t, ShardingGroupOp> firsts;
  function.walk([&](ShardingGroupOp member) {
    ShardingAttr attribute = annotationOf(member.getOperand());
    if (!attribute || saysNothing(annotatedSharding(attribute, mesh)))
      return;
    auto [first, isNew] = firsts.try_emplace(member.getGroup(), member);
    ShardingAttr expected = annotationOf(first->second.getOperand());
    if (annotatedSharding(expected, mesh) == annotatedSharding(attribute, mesh))
      return;
    apart.insert(member);
    InFlightDiagnostic warning =
        member.emitWarning()
        << "expected one sharding for the values of group " << member.getGroup()
        << ", got " << expected << " and " << attribute
        << ", which is not in the group now";
    warning.attachNote(first->second.getLoc()) << "the first one is here";
  });
  return apart;
}
