//===- EmulatedHost.h - Ranks that are threads, each with a device --------===//

#ifndef TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDHOST_H
#define TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDHOST_H

#include "../gpu/Operation.h"
#include "../local/World.h"

namespace tessera::emulated {

/// The threads of the back end `local`, its mailboxes, and its eye for
/// deadlocks. What a rank does is what its device executes, if it does.
class EmulatedHost : public gpu::RankHost {
public:
  explicit EmulatedHost(const TesseraWorldOptions &options);
  ~EmulatedHost() override;

  bool isLocal(int32_t) const override { return true; }
  int deviceOf(int32_t rank) const override { return firstDevice + rank; }
  TesseraStatus run(const std::function<int32_t(int32_t)> &body) override;
  int32_t send(const TesseraMessage &note, const void *data) override;
  int32_t recv(const TesseraMessage &note, void *data) override;
  bool take(const TesseraMessage &, void *) override { return false; }
  /// The emulated NCCL compares what ranks call.
  bool mayMismatch() const override { return false; }
  void fail(const std::string &message) override;
  const char *error() const override;

private:
  void describe(int32_t rank, char *buffer, size_t size) const;

  TesseraWorldOptions options;
  int firstDevice;
  std::unique_ptr<runtime::World> world;
};

/// The ranks that the calling thread, which is one of them, can meet; null
/// outside of `run`.
runtime::World *worldOfThread();
int32_t rankOfThread();

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_DEVICE_EMULATEDHOST_H
