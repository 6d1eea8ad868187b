//===- Collectives.cpp - What collectives compute -------------------------===//

#include "Monoid.h"
#include "OperationTable.h"
#include "Rendezvous.h"
#include "StridedCopy.h"

#include "tessera/Dialect/Spmd/Spmd.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::spmd;

using Tensors = std::vector<TensorRef>;

/// One tensor for every member of a group.
static Tensors repeat(HostTensor tensor, size_t count) {
  return Tensors(count, std::make_shared<const HostTensor>(std::move(tensor)));
}

/// The reduction of all operands, in their order.
static Fallible<HostTensor> reduceAll(ReductionKind kind,
                                      ArrayRef<TensorRef> operands) {
  if (!isDefined(kind, operands.front()->type()))
    return Failure{"expected integers under '" + stringify(kind).str() +
                   "', got " + operands.front()->describeType()};
  HostTensor total = *operands.front();
  for (const TensorRef &operand : operands.drop_front())
    combineInto(kind, total, *operand);
  return total;
}

/// The operands one behind the other along dimension `dim`.
static HostTensor join(ArrayRef<TensorRef> operands, int64_t dim) {
  Shape shape = operands.front()->shape();
  shape[dim] *= operands.size();
  HostTensor whole(operands.front()->type(), shape);
  Shape at(shape.size(), 0);
  for (const TensorRef &operand : operands) {
    writeBox(*operand, whole, at);
    at[dim] += operand->shape()[dim];
  }
  return whole;
}

/// Part number `i` of `n` equal parts along dimension `dim`.
static HostTensor part(const HostTensor &whole, int64_t dim, int64_t i,
                       int64_t n) {
  Shape shape = whole.shape(), at(shape.size(), 0);
  shape[dim] /= n;
  at[dim] = i * shape[dim];
  return readBox(whole, at, shape);
}

static Fallible<Tensors> allReduce(Operation *op,
                                   ArrayRef<TensorRef> operands) {
  ReductionKind kind = cast<AllReduceOp>(op).getKind().getKind();
  Fallible<HostTensor> total = reduceAll(kind, operands);
  if (!total)
    return total.failure();
  return repeat(std::move(*total), operands.size());
}

static Fallible<Tensors> allGather(Operation *op,
                                   ArrayRef<TensorRef> operands) {
  return repeat(join(operands, cast<AllGatherOp>(op).getDim()),
                operands.size());
}

static Fallible<Tensors> reduceScatter(Operation *op,
                                       ArrayRef<TensorRef> operands) {
  auto scatter = cast<ReduceScatterOp>(op);
  int64_t dim = scatter.getDim(), n = operands.size();
  Fallible<HostTensor> total = reduceAll(scatter.getKind().getKind(), operands);
  if (!total)
    return total.failure();
  Tensors results;
  for (int64_t i = 0; i < n; ++i)
    results.push_back(
        std::make_shared<const HostTensor>(part(*total, dim, i, n)));
  return results;
}

static Fallible<Tensors> allToAll(Operation *op, ArrayRef<TensorRef> operands) {
  auto exchange = cast<AllToAllOp>(op);
  int64_t split = exchange.getSplitDim(), concat = exchange.getConcatDim();
  int64_t n = operands.size();
  Tensors results;
  for (int64_t i = 0; i < n; ++i) {
    Tensors received;
    for (const TensorRef &operand : operands)
      received.push_back(
          std::make_shared<const HostTensor>(part(*operand, split, i, n)));
    results.push_back(
        std::make_shared<const HostTensor>(join(received, concat)));
  }
  return results;
}

static Fallible<Tensors> permute(Operation *op, ArrayRef<TensorRef> operands) {
  ArrayRef<int32_t> targets = cast<PermuteOp>(op).getTarget();
  const HostTensor &like = *operands.front();
  Tensors results =
      repeat(HostTensor(like.type(), like.shape()), targets.size());
  for (auto [i, target] : llvm::enumerate(targets))
    if (target >= 0)
      results[target] = operands[i];
  return results;
}

static Fallible<Tensors> broadcast(Operation *op,
                                   ArrayRef<TensorRef> operands) {
  return Tensors(operands.size(),
                 operands[cast<spmd::BroadcastOp>(op).getRoot()]);
}

static LogicalResult axisIndex(Invocation &in) {
  const Rendezvous *rendezvous = in.executor.getRendezvous();
  if (!rendezvous)
    return in.fail("expected a program of one device around it");
  ArrayRef<AxisRef> axes = cast<AxisIndexOp>(in.op).getAxes().getAxes();
  HostTensor result = in.makeResult();
  result.elements<int32_t>()[0] =
      rendezvous->positionInGroup(in.executor.getDevice(), axes);
  return in.give(std::move(result));
}

void tessera::addCollectives(OperationTable &table) {
  table.addCollective("spmd.all_reduce", allReduce);
  table.addCollective("spmd.all_gather", allGather);
  table.addCollective("spmd.reduce_scatter", reduceScatter);
  table.addCollective("spmd.all_to_all", allToAll);
  table.addCollective("spmd.permute", permute);
  table.addCollective("spmd.broadcast", broadcast);
  table.add("spmd.axis_index", axisIndex);
}
