//===- Messages.cpp - What pipeline ranks send each other -----------------===//

#include "OperationTable.h"
#include "Rendezvous.h"

#include "tessera/Dialect/Spmd/Spmd.h"

using namespace mlir;
using namespace tessera;

/// Checks that `in` runs on a pipeline rank, and that `rank` is another one.
static LogicalResult checkRank(const Invocation &in, int64_t rank) {
  const Rendezvous *rendezvous = in.executor.getRendezvous();
  if (!rendezvous || rendezvous->numRanks() == 1)
    return in.fail("expected a program of several pipeline ranks around it");
  if (rank < 0 || rank >= rendezvous->numRanks() ||
      rank == rendezvous->rankOf(in.executor.getDevice()))
    return in.fail("expected another pipeline rank from 0 to " +
                   Twine(rendezvous->numRanks() - 1) + ", got " + Twine(rank));
  return success();
}

static LogicalResult send(Invocation &in) {
  auto op = cast<spmd::SendOp>(in.op);
  if (failed(checkRank(in, op.getRank())))
    return failure();
  in.executor.getRendezvous()->send(in.executor.getDevice(), op.getRank(),
                                    op.getTag(), op, in.operands.front());
  in.executor.count(op, /*groupSize=*/2, in.operand(0).byteSize());
  return success();
}

static LogicalResult receive(Invocation &in) {
  auto op = cast<spmd::RecvOp>(in.op);
  if (failed(checkRank(in, op.getRank())))
    return failure();
  FailureOr<Rendezvous::Message> message = in.executor.getRendezvous()->receive(
      in.executor.getDevice(), op.getRank(), op.getTag(), op);
  if (failed(message))
    return failure();
  Type sent = message->place->getOperand(0).getType();
  if (sent != op.getType()) {
    std::string text;
    llvm::raw_string_ostream(text) << "'spmd.recv' op expected to receive "
                                   << op.getType() << ", got " << sent;
    return in.executor.fail(RunError{
        op.getLoc(), text, {{message->place->getLoc(), "it was sent here"}}});
  }
  return in.give(std::move(message->tensor));
}

void tessera::addMessages(OperationTable &table) {
  table.add("spmd.send", send);
  table.add("spmd.recv", receive);
}
