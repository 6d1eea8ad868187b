//===- Rank.h - One rank that computes on a GPU ---------------------------===//
//
// What a compiled program asks for goes to two streams. Kernels and copies are
// on the *compute* stream, in the program's order. A collective is on the
// *communication* stream, behind all that the compute stream has been asked for
// before, and the compute stream goes on behind it: at once, or when the
// program waits for the collective's future. Every message between two ranks is
// on the stream of their channel in the same way. Events tie the streams; the
// host waits for nothing but reads and the end of the step.
//
// The host need not ask twice for the same: a program that never reads from the
// device does the same in every step. Its second step is recorded as a CUDA
// graph instead of being executed, and from then on a step is one call.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_GPU_RANK_H
#define TESSERA_RUNTIME_GPU_RANK_H

#include "Communicators.h"
#include "KernelCode.h"

#include <chrono>
#include <deque>

namespace tessera::gpu {

/// What a step does with the program.
enum class StepMode { Execute, Record, Replay };

/// A rank of this process. Functions that return int32_t have failed the job
/// when it is not 0.
class Rank {
public:
  /// `timeout` is that of TesseraWorldOptions.
  Rank(int32_t rank, std::unique_ptr<Device> device, const Nccl &nccl,
       RankHost &host, double timeout, bool record);
  ~Rank();

  /// Makes the streams and loads the program.
  Fallible<void> load(std::span<const TesseraGpuImage> images);

  /// See TesseraDevices.
  void *allocate(int64_t bytes);
  int32_t upload(const void *host, void *target, int64_t bytes);
  int32_t download(const void *source, void *host, int64_t bytes);

  /// Runs the program, or replays what it did when it was recorded, and waits
  /// for the device.
  int32_t step(StepMode mode, const std::function<int32_t()> &program);
  /// Whether the program has read from the device, so that it may do something
  /// else in the next step.
  bool hasRead() const { return readFromDevice; }

  // What the program calls.
  int32_t launch(const TesseraGpuKernel &kernel, void *const *buffers,
                 const TesseraSite &site);
  int32_t copy(const void *source, void *target, int64_t bytes);
  int32_t read(const void *source, void *target, int64_t bytes);
  int32_t write(const void *source, void *target, int64_t bytes);
  int32_t collective(const TesseraCollective &call);

  /// What the device did in the last step.
  std::span<const TesseraEvent> events() const { return recorded; }

private:
  /// Something with a beginning and an end on a stream.
  struct Timed {
    Operation operation;
    int64_t bytes;
    CudaEvent begin, end;
  };

  int32_t fail(const std::string &what);
  int32_t check(CudaResult result, const char *what);
  /// `kind 'name' at location: what`.
  int32_t fail(const Operation &operation, const std::string &what);
  Fallible<CudaStream> makeStream();

  /// Everything asked of `later` from now on waits for all that was asked of
  /// `earlier`.
  int32_t order(CudaStream earlier, CudaStream later);
  /// Runs `ask`, which asks for the operation on the stream, between marks that
  /// say how far the stream is.
  template <typename Ask>
  int32_t perform(const Operation &operation, int64_t bytes, CudaStream stream,
                  Ask ask);
  int32_t execute(const std::function<int32_t()> &program);
  int32_t recordGraph(const std::function<int32_t()> &program);
  CudaEvent timingEvent();
  void collectEvents();

  /// Waits until everything asked of the compute stream is done; watches
  /// for errors of NCCL, failures of other ranks, and that communication gets
  /// on.
  int32_t waitForDevice();
  /// Whether communication hangs, after failing the job if so.
  bool checkProgress();
  /// The number of the mark that the communication stream has reached.
  uint32_t readProgress();

  int32_t rank;
  std::unique_ptr<Device> device;
  const CudaDriver &driver;
  RankHost &host;
  double timeout;
  bool record;
  std::unique_ptr<KernelCode> code;
  Communicators communicators;

  CudaStream compute = nullptr, communication = nullptr, watching = nullptr;
  CudaEvent orderEvent = nullptr, doneEvent = nullptr, watchEvent = nullptr;
  CudaGraphExec graph = nullptr;
  bool readFromDevice = false;
  /// Whether the communication stream has work that the compute stream does not
  /// wait for.
  bool recording = false;

  /// The communications of a step. Their marks on the device count from 1: 2n -
  /// 1 while number n is under way, 2n after it.
  std::vector<Operation> communications;
  CudaAddress progress = 0;
  /// Where the host reads the mark to.
  uint32_t *progressCopy = nullptr;
  uint32_t lastProgress = 0;
  std::chrono::steady_clock::time_point progressSince;

  std::vector<Timed> timed;
  std::vector<CudaEvent> timingEvents;
  size_t timingEventsUsed = 0;
  CudaEvent stepBegin = nullptr;
  int64_t stepBeginTime = 0;
  std::vector<TesseraEvent> recorded;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_RANK_H
