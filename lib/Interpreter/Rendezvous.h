//===- Rendezvous.h - Where simulated devices meet ------------------------===//

#ifndef TESSERA_INTERPRETER_RENDEZVOUS_H
#define TESSERA_INTERPRETER_RENDEZVOUS_H

#include "Executor.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace tessera {

/// What a device has left at a collective.
struct CollectiveCall {
  mlir::Operation *place;
  AxisList axes;
  /// All devices of the group.
  llvm::SmallVector<int64_t> group;
  TensorRef operand;
  /// Null until the collective has taken place.
  TensorRef result;
};

/// The devices of a mesh, or of one copy of it per pipeline rank, each a
/// thread, that meet for collectives and send each other messages. The devices
/// of a pipeline rank are numbered one behind the other, rank after rank;
/// collectives stay within a rank, messages go to the device in the same place
/// of another.
///
/// A device that reaches a collective leaves its operand there, and goes on or
/// waits; a group's collectives take place in the order in which its devices
/// reach them. Once all devices of the group have reached the same one (same
/// kind, axes, attributes and types; not necessarily the same place in the
/// program), the last one computes the results of all, in the order of the
/// group, so that they do not depend on the order of arrival. A message waits
/// for its receiver without holding up its sender.
///
/// Each device's behaviour depends only on its inputs and on the results of its
/// collectives and receives, therefore so does the state in which nobody can go
/// on any more. Errors are looked for in that state only, and are thus the same
/// in every run.
class Rendezvous {
public:
  explicit Rendezvous(const Mesh &mesh, int64_t numRanks = 1);

  int64_t numDevices() const { return devices.size(); }
  int64_t numRanks() const { return numDevices() / mesh.numDevices(); }
  const Mesh &getMesh() const { return mesh; }
  /// The pipeline rank of `device`.
  int64_t rankOf(int64_t device) const { return device / mesh.numDevices(); }

  /// The devices that differ from `device` only along `axes`, itself included,
  /// by their position along the axes.
  llvm::SmallVector<int64_t> groupOf(int64_t device,
                                     llvm::ArrayRef<AxisRef> axes) const;
  /// The position of `device` in that group.
  int64_t positionInGroup(int64_t device, llvm::ArrayRef<AxisRef> axes) const;

  /// What a meeting computes: from the operands of a group's members their
  /// results, both in the order of the group.
  using Exchange = llvm::function_ref<Fallible<std::vector<TensorRef>>(
      llvm::ArrayRef<TensorRef>)>;

  using Ticket = std::shared_ptr<CollectiveCall>;

  /// Leaves `operand` at `place` for the devices that differ along `axes`. All
  /// members give the same `exchange`.
  Ticket start(int64_t device, mlir::Operation *place,
               llvm::ArrayRef<AxisRef> axes, TensorRef operand,
               Exchange exchange);
  /// Waits until what `device` has started has taken place, and returns its
  /// result of the exchange; failure when it never can.
  mlir::FailureOr<TensorRef> wait(int64_t device, Ticket call);

  /// Both at once.
  mlir::FailureOr<TensorRef> meet(int64_t device, mlir::Operation *place,
                                  llvm::ArrayRef<AxisRef> axes,
                                  TensorRef operand, Exchange exchange) {
    return wait(device,
                start(device, place, axes, std::move(operand), exchange));
  }

  /// What one device has sent and no other received.
  struct Message {
    mlir::Operation *place = nullptr;
    TensorRef tensor;
  };

  /// Sends `tensor` at `place` to the device in the place of `device` of
  /// another pipeline rank. Does not wait.
  void send(int64_t device, int64_t rank, int64_t tag, mlir::Operation *place,
            TensorRef tensor);

  /// Waits at `place` for the next message with this tag that the device in the
  /// place of `device` of pipeline rank `rank` sends; failure when it never
  /// does.
  mlir::FailureOr<Message> receive(int64_t device, int64_t rank, int64_t tag,
                                   mlir::Operation *place);

  /// `device` takes part no longer: it returned at `where`, or, when `where` is
  /// null, failed.
  void leave(int64_t device, mlir::Operation *where);

  /// The first error: one of a collective by itself, else why the lowest
  /// waiting device waits in vain, else which message nobody has received. To
  /// be asked when all devices have left.
  const std::optional<RunError> &error();

private:
  struct Device {
    enum { Running, Meeting, Receiving, Left } state = Running;
    /// What it has started and has not taken place, in order.
    std::deque<Ticket> open;
    /// Meeting: what it waits for.
    Ticket awaited;
    /// Receiving: the operation; left: where it returned, null if it failed.
    mlir::Operation *place = nullptr;
    /// Receiving: the device and the tag of the message.
    int64_t sender = 0, tag = 0;
    Message message;

    bool isWaiting() const { return state == Meeting || state == Receiving; }
  };

  /// The device in the place of `device` of pipeline rank `rank`.
  int64_t counterpart(int64_t device, int64_t rank) const {
    return rank * mesh.numDevices() + device % mesh.numDevices();
  }

  /// The next collective of that group for `device`; null if it has not reached
  /// it.
  static Ticket nextCall(const Device &device, llvm::ArrayRef<int64_t> group);
  /// Whether the next collective of the group for `device` is the same as
  /// `call`.
  static bool hasReached(const Device &device, const CollectiveCall &call);
  void completeIfAllReached(const CollectiveCall &call, Exchange exchange);
  void explainDeadlock();
  /// The first of the group that has not reached `call`.
  int64_t absentMember(const CollectiveCall &call) const;
  void explainUnreceived();

  const Mesh &mesh;
  std::vector<Device> devices;
  /// What is on its way, by sender, receiver and tag.
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::deque<Message>> messages;
  int64_t running;
  /// Nobody can go on: those who still wait must give up.
  bool stuck = false;
  std::optional<RunError> firstError;
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace tessera

#endif // TESSERA_INTERPRETER_RENDEZVOUS_H
