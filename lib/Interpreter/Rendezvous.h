//===- Rendezvous.h - Where simulated devices meet ------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_RENDEZVOUS_H
#define TESSERA_LIB_INTERPRETER_RENDEZVOUS_H

#include "Executor.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace tessera {

/// The devices of a mesh, or of one copy of it per pipeline rank, each a
/// thread, that meet for collectives and send each other messages. The devices
/// of a pipeline rank are numbered one behind the other, rank after rank;
/// collectives stay within a rank, messages go to the device in the same place
/// of another.
///
/// A device that reaches a collective waits until all devices of its group wait
/// at the same one (same kind, axes, attributes and types; not necessarily the
/// same place in the program). The last one computes the results of all, in the
/// order of the group, so that they do not depend on the order of arrival. A
/// message waits for its receiver without holding up its sender.
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

  /// Waits with `operand` at `place` for the devices that differ along `axes`,
  /// and returns this device's result of `exchange`; failure when the meeting
  /// can never take place. All members give the same `exchange`.
  mlir::FailureOr<TensorRef> meet(int64_t device, mlir::Operation *place,
                                  llvm::ArrayRef<AxisRef> axes,
                                  TensorRef operand, Exchange exchange);

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
    /// Waiting: the operation; left: where it returned, null if it failed.
    mlir::Operation *place = nullptr;
    AxisList axes;
    /// Meeting: all devices of the group; receiving: the sender.
    llvm::SmallVector<int64_t> group;
    TensorRef operand, result;
    int64_t tag = 0;
    Message message;

    bool isWaiting() const { return state == Meeting || state == Receiving; }
  };

  /// The device in the place of `device` of pipeline rank `rank`.
  int64_t counterpart(int64_t device, int64_t rank) const {
    return rank * mesh.numDevices() + device % mesh.numDevices();
  }

  /// Whether `device` waits at a collective that is the same as `other`'s.
  bool waitsWith(const Device &device, const Device &other) const;
  void completeIfAllWait(int64_t device, Exchange exchange);
  void explainDeadlock();
  /// The first of `device`'s group that is not where `device` is.
  int64_t absentMember(const Device &device) const;
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

#endif // TESSERA_LIB_INTERPRETER_RENDEZVOUS_H
