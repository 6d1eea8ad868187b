//===- CheckedRanks.h - Ranks of a back end with devices, under test ------===//

#ifndef TESSERA_TEST_GPU_CHECKEDRANKS_H
#define TESSERA_TEST_GPU_CHECKEDRANKS_H

#include "CollectiveCalls.h"
#include "tessera/Support/Fallible.h"

#include <functional>
#include <memory>

namespace tessera::check {

/// The ranks of one job, which form one group, with a channel from each to the
/// next. Memory is that of their devices.
class CheckedRanks {
public:
  static Fallible<std::unique_ptr<CheckedRanks>>
  open(const TesseraBackend &backend, int32_t count);
  ~CheckedRanks();

  int32_t count() const { return static_cast<int32_t>(members.size()); }
  /// Those of this process.
  const std::vector<int32_t> &local() const { return here; }

  /// Memory of a rank with the content of a tensor.
  Fallible<void *> place(int32_t rank, const HostTensor &content);
  Fallible<void> upload(int32_t rank, const HostTensor &from, void *to);
  /// Fails if memory of the rank does not hold this.
  Fallible<void> compare(int32_t rank, const void *memory,
                         const HostTensor &expected);

  /// Runs the body, which gives 0 unless the job has failed, on the ranks of
  /// this process.
  Fallible<void> run(const std::function<int32_t(int32_t rank)> &body);

  // Within `run`. The call lives as long as the ranks.
  int32_t start(int32_t rank, const Call &call, const void *in, void *out,
                int32_t future);
  int32_t wait(int32_t rank, int32_t future);
  /// Sends to the next rank, or receives from the one before.
  int32_t send(int32_t rank, int64_t tag, const HostTensor &like, void *data);
  int32_t receive(int32_t rank, int64_t tag, const HostTensor &like,
                  void *data);

  /// Ends the job for this reason.
  void fail(const char *why);

private:
  explicit CheckedRanks(const TesseraBackend &backend) : backend(backend) {}
  Failure failure() const { return {backend.error(world)}; }

  const TesseraBackend &backend;
  TesseraWorld *world = nullptr;
  std::vector<int32_t> members, here;
  std::vector<TesseraGroup> groups; ///< By rank.
};

} // namespace tessera::check

#endif // TESSERA_TEST_GPU_CHECKEDRANKS_H
