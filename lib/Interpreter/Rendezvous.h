//===- Rendezvous.h - Where simulated devices meet ------------------------===//

#ifndef TESSERA_LIB_INTERPRETER_RENDEZVOUS_H
#define TESSERA_LIB_INTERPRETER_RENDEZVOUS_H

#include "Executor.h"

#include <condition_variable>
#include <mutex>

namespace tessera {

/// The devices of a mesh, each a thread, that meet for collectives.
///
/// A device that reaches a collective waits until all devices of its group wait
/// at the same one (same kind, axes, attributes and types; not necessarily the
/// same place in the program). The last one computes the results of all, in the
/// order of the group, so that they do not depend on the order of arrival.
///
/// Each device's behaviour depends only on its inputs and on the results of its
/// collectives, therefore so does the state in which nobody can go on any more.
/// Errors are looked for in that state only, and are thus the same in every
/// run.
class Rendezvous {
public:
  explicit Rendezvous(const Mesh &mesh);

  int64_t numDevices() const { return devices.size(); }
  const Mesh &getMesh() const { return mesh; }

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

  /// `device` takes part no longer: it returned at `where`, or, when `where` is
  /// null, failed.
  void leave(int64_t device, mlir::Operation *where);

  /// The first error: one of a collective by itself, else why the lowest
  /// waiting device waits in vain. To be asked when all devices have left.
  const std::optional<RunError> &error() const { return firstError; }

private:
  struct Device {
    enum { Running, Waiting, Left } state = Running;
    /// Waiting: the collective; left: where it returned, null if it failed.
    mlir::Operation *place = nullptr;
    AxisList axes;
    llvm::SmallVector<int64_t> group;
    TensorRef operand, result;
  };

  /// Whether `device` waits at a collective that is the same as `other`'s.
  bool waitsWith(const Device &device, const Device &other) const;
  void completeIfAllWait(int64_t device, Exchange exchange);
  void explainDeadlock();
  /// The first of `device`'s group that is not where `device` is.
  int64_t absentMember(const Device &device) const;

  const Mesh &mesh;
  std::vector<Device> devices;
  int64_t running;
  /// Nobody can go on: those who still wait must give up.
  bool stuck = false;
  std::optional<RunError> firstError;
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace tessera

#endif // TESSERA_LIB_INTERPRETER_RENDEZVOUS_H
