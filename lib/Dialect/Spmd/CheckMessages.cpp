//===- CheckMessages.cpp - do all messages arrive? ------------------------===//

#include "tessera/Dialect/Spmd/CheckMessages.h"

#include "tessera/Dialect/Spmd/Spmd.h"

#include <deque>
#include <map>

using namespace mlir;
using namespace tessera;

namespace {

/// Runs the messages of all ranks.
class MessageReplay {
public:
  explicit MessageReplay(ArrayRef<RankProgram> programs)
      : programs(programs), waiting(programs.size()) {}

  LogicalResult run();

private:
  LogicalResult collect(int64_t rank);
  FailureOr<bool> advance(int64_t rank);
  LogicalResult explainStuck(int64_t rank);
  LogicalResult checkAllReceived();

  ArrayRef<RankProgram> programs;
  /// What each rank has still to do, in order.
  std::vector<std::deque<Operation *>> waiting;
  /// What is on its way, by sender, receiver and tag.
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::deque<spmd::SendOp>>
      sent;
};

} // namespace

/// Lists the messages of `rank` in order.
LogicalResult MessageReplay::collect(int64_t rank) {
  func::FuncOp function = programs[rank].function;
  for (Operation &op : function.getOps()) {
    int64_t other;
    if (auto send = dyn_cast<spmd::SendOp>(op))
      other = send.getRank();
    else if (auto receive = dyn_cast<spmd::RecvOp>(op))
      other = receive.getRank();
    else
      continue;
    if (other == rank || other < 0 || other >= int64_t(programs.size()))
      return op.emitOpError() << "expected another pipeline rank from 0 to "
                              << programs.size() - 1 << ", got " << other;
    waiting[rank].push_back(&op);
  }
  return success();
}

/// Goes on with `rank` until it waits or ends; whether it got anywhere.
FailureOr<bool> MessageReplay::advance(int64_t rank) {
  bool moved = false;
  std::deque<Operation *> &operations = waiting[rank];
  for (; !operations.empty(); operations.pop_front(), moved = true) {
    if (auto send = dyn_cast<spmd::SendOp>(operations.front())) {
      sent[{rank, send.getRank(), send.getTag()}].push_back(send);
      continue;
    }
    auto receive = cast<spmd::RecvOp>(operations.front());
    auto queue = sent.find({receive.getRank(), rank, receive.getTag()});
    if (queue == sent.end() || queue->second.empty())
      break;
    spmd::SendOp send = queue->second.front();
    queue->second.pop_front();
    Type type = send.getOperand().getType();
    if (type == receive.getType())
      continue;
    InFlightDiagnostic diagnostic = receive.emitOpError()
                                    << "expected to receive "
                                    << receive.getType() << ", got " << type;
    diagnostic.attachNote(send.getLoc()) << "it is sent here";
    return diagnostic;
  }
  return moved;
}

/// Says what `rank`, which cannot go on, waits for.
LogicalResult MessageReplay::explainStuck(int64_t rank) {
  auto receive = cast<spmd::RecvOp>(waiting[rank].front());
  int64_t other = receive.getRank();
  InFlightDiagnostic diagnostic = receive.emitOpError()
                                  << "waits for a message with tag "
                                  << receive.getTag() << " that pipeline rank "
                                  << other << " never sends";
  if (waiting[other].empty()) {
    func::FuncOp function = programs[other].function;
    diagnostic.attachNote(function.getBody().front().getTerminator()->getLoc())
        << "pipeline rank " << other << " ends here";
  } else {
    diagnostic.attachNote(waiting[other].front()->getLoc())
        << "pipeline rank " << other << " waits here";
  }
  return diagnostic;
}

LogicalResult MessageReplay::checkAllReceived() {
  for (auto &[key, queue] : sent)
    if (!queue.empty())
      return queue.front().emitOpError()
             << "sends what pipeline rank " << std::get<1>(key)
             << " never receives";
  return success();
}

LogicalResult MessageReplay::run() {
  int64_t n = programs.size();
  for (int64_t rank = 0; rank < n; ++rank)
    if (failed(collect(rank)))
      return failure();
  for (bool moved = true; moved;) {
    moved = false;
    for (int64_t rank = 0; rank < n; ++rank) {
      FailureOr<bool> advanced = advance(rank);
      if (failed(advanced))
        return failure();
      moved |= *advanced;
    }
  }
  for (int64_t rank = 0; rank < n; ++rank)
    if (!waiting[rank].empty())
      return explainStuck(rank);
  return checkAllReceived();
}

LogicalResult spmd::checkMessages(ArrayRef<RankProgram> programs) {
  return MessageReplay(programs).run();
}
