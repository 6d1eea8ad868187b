//===- Communicators.h - Collectives as calls of NCCL ---------------------===//

#ifndef TESSERA_RUNTIME_GPU_COMMUNICATORS_H
#define TESSERA_RUNTIME_GPU_COMMUNICATORS_H

#include "Nccl.h"
#include "Operation.h"
#include "tessera/Support/Fallible.h"

#include <map>
#include <optional>

namespace tessera::gpu {

/// `unhandled system error: <what NCCL says about it>`.
std::string describe(const Nccl &nccl, NcclResult result, NcclComm comm);

/// One rank's NCCL communicators: one for each communicator of the model, made
/// when its first collective is called, and one for each direction between two
/// ranks that send messages. All members come to the same calls in the same
/// order, so that making them takes turns as collectives do.
class Communicators {
public:
  Communicators(const CudaDriver &driver, const Nccl &nccl, RankHost &host,
                int32_t rank)
      : driver(driver), nccl(nccl), host(host), rank(rank) {}
  ~Communicators();

  /// Whether groups of one rank go through NCCL too, which has only to copy for
  /// them: TESSERA_NCCL_ALONE=1, to try NCCL on a machine with one GPU.
  static bool includeGroupsOfOne();

  /// Whether the group's collectives are NCCL's, not copies.
  bool usesNccl(const TesseraGroup &group) const {
    return group.size > 1 || groupsOfOne;
  }
  /// Whether it is one that `collective` does: all but some reductions.
  bool handles(const TesseraCollective &call) const;
  /// Asks for such a collective, or for one whose parts all are such, as one
  /// call on a stream.
  Fallible<void> collective(const TesseraCollective &call, CudaStream stream);

  /// Makes the communicator for messages from `source` to `target`, one of
  /// which is this rank. The ranks must go through their pairs in one order.
  Fallible<void> openChannel(int32_t source, int32_t target);
  /// One end of a message on a channel.
  Fallible<void> send(int32_t target, const void *data, int64_t bytes,
                      CudaStream stream);
  Fallible<void> receive(int32_t source, void *data, int64_t bytes,
                         CudaStream stream);

  /// What NCCL reports to have gone wrong in the background, if anything.
  std::optional<std::string> asynchronousError() const;
  /// Ends all communication at once, also what hangs on the device. Waits for
  /// the end of CUDA graphs with communication in them, which must have been
  /// destroyed.
  void abort();

private:
  /// Asks for one collective; within a group of NCCL's for a part of it.
  Fallible<void> part(const TesseraCollective &call, CudaStream stream);
  /// The communicator of the members; `number` tells it from those of the same
  /// members for other purposes.
  Fallible<NcclComm> make(int64_t number, const int32_t *members, int32_t size,
                          int32_t position, const TesseraSite &site);
  Fallible<NcclComm> find(const TesseraGroup &group, const TesseraSite &site);
  Fallible<void> check(NcclResult result, NcclComm comm) const;
  /// What a group of one does without NCCL.
  Fallible<void> copyAlone(const TesseraCollective &call, CudaStream stream);
  Fallible<void> allToAll(const TesseraCollective &call, NcclComm comm,
                          CudaStream stream);
  Fallible<void> permute(const TesseraCollective &call, NcclComm comm,
                         CudaStream stream);

  const CudaDriver &driver;
  const Nccl &nccl;
  RankHost &host;
  int32_t rank;
  bool groupsOfOne = includeGroupsOfOne();
  std::map<int32_t, NcclComm> groups; ///< By communicator.
  std::map<std::pair<int32_t, int32_t>, NcclComm> channels; ///< Source, target.
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_COMMUNICATORS_H
