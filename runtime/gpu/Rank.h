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

#include "../core/CallNumbers.h"
#include "CollectiveNotes.h"
#include "Communicators.h"
#include "FloatExtremes.h"
#include "KernelCode.h"
#include "LibraryProducts.h"
#include "LibraryTransforms.h"

#include <chrono>
#include <deque>

namespace tessera::gpu {

/// What ranks call. The tables must outlive them.
struct Libraries {
  const CudaDriver &driver;
  const Nccl &nccl;
  CublasLtLoader cublasLt;
  CufftLoader cufft;
};

/// What a step does with the program.
enum class StepMode { Execute, Record, Replay };

/// A rank of this process. Functions that return int32_t have failed the job
/// when it is not 0.
class Rank {
public:
  /// `timeout` is that of TesseraWorldOptions.
  Rank(int32_t rank, std::unique_ptr<Device> device, const Libraries &libraries,
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
  /// As TesseraDevices::routine.
  int32_t routine(const char *name, const TesseraCallFrame &frame,
                  const TesseraSite &site, int32_t &taken);
  int32_t copy(const void *source, void *target, int64_t bytes);
  int32_t read(const void *source, void *target, int64_t bytes);
  int32_t write(const void *source, void *target, int64_t bytes);
  int32_t collective(const TesseraCollective &call);
  /// Lets the compute stream wait for the collective with that future.
  int32_t wait(int32_t future);
  int32_t send(const TesseraMessage &message, const void *data);
  int32_t receive(const TesseraMessage &message, void *data);

  /// Makes the channels, pairs of source and target, that this rank has a part
  /// in; called by the rank's thread before the first step.
  int32_t openChannels(std::span<const int32_t> pairs);

  /// Everything in between, on the compute stream, is one task; nothing unless
  /// events are recorded.
  void beginTask(const TesseraSite &site);
  void endTask();
  /// What the device did in the last step, in the order of the beginnings.
  std::span<const TesseraEvent> events() const { return recorded; }

private:
  /// Something with a beginning and an end on a stream.
  struct Timed {
    Operation operation;
    int64_t bytes;
    CudaEvent begin, end;
    bool isBackground = false; ///< Not on the compute stream.
  };

  /// A stream for communication. Number n of its operations in a step writes
  /// 2n - 1 to `progress`, on the device, when it begins and 2n when it ends.
  struct Lane {
    CudaStream stream = nullptr;
    CudaAddress progress = 0;
    std::vector<Operation> operations;
    /// The number that the host has seen last, and since when.
    uint32_t seen = 0;
    std::chrono::steady_clock::time_point since;
  };

  /// Device memory that a message waits in.
  struct Buffer {
    CudaAddress address = 0;
    int64_t bytes = 0;
  };

  /// What goes with a message, from host to host, in the order of sending.
  struct Header {
    int64_t tag, bytes;
    char name[120], location[240];
  };

  /// A message that has been asked for before its turn.
  struct Parked {
    Header header;
    CudaAddress address;
    int64_t number = 0; ///< As in TesseraEvent.
  };

  /// One direction between two ranks. The n-th message of a step that has to
  /// wait does so in buffer n, in every step.
  struct Channel {
    Lane lane;
    std::vector<Buffer> buffers;
    size_t buffersUsed = 0;
    std::deque<Parked> parked;
  };

  Fallible<void> launchGrid(const KernelCode::Step &step, void *const *buffers);
  int32_t fail(const std::string &what);
  int32_t check(CudaResult result, const char *what);
  /// `kind 'name' at location: what`.
  int32_t fail(const Operation &operation, const std::string &what);
  int32_t prepareToWait();
  Fallible<CudaStream> makeStream();
  Fallible<void> makeLane(Lane &lane);

  /// Everything asked of `later` from now on waits for all that was asked of
  /// `earlier`.
  int32_t order(CudaStream earlier, CudaStream later);
  /// Runs `ask`, which asks for the operation on the stream.
  int32_t perform(const Operation &operation, int64_t bytes, CudaStream stream,
                  const std::function<Fallible<void>()> &ask);
  /// Runs `ask` for a communication on a lane, behind what the compute stream
  /// has been asked for.
  int32_t communicate(const Operation &operation, int64_t bytes, Lane &lane,
                      const std::function<Fallible<void>()> &ask);
  /// A call, or a part of one, that is done in one way.
  int32_t execute(const TesseraCollective &call, const Operation &operation);
  int32_t collectiveByParts(const TesseraCollective &call,
                            const Operation &operation);
  /// A reduction that NCCL does not have: the host does it, and waits.
  int32_t reduceOnHost(const TesseraCollective &call,
                       const Operation &operation, int64_t bytes);
  int32_t startFuture(int32_t future, const Operation &operation);
  /// Runs `ask`, which lets the compute stream wait for the operation.
  int32_t await(Operation operation, const std::function<int32_t()> &ask);
  CudaAddress nextBuffer(Channel &channel, int64_t bytes);
  static Header headerOf(const TesseraMessage &message);
  int32_t sendToItself(const TesseraMessage &message, const void *data);
  int32_t takeHeader(const TesseraMessage &message, Header &header);
  int32_t checkBytes(const TesseraMessage &message, const Header &header);
  /// Lets the compute stream wait for all that is sent and received.
  int32_t joinChannels();
  int32_t execute(const std::function<int32_t()> &program);
  int32_t recordGraph(const std::function<int32_t()> &program);
  /// Gives the device work for some tens of microseconds.
  void occupyDevice();
  CudaEvent timingEvent();
  void collectEvents();

  /// Waits until everything asked of the compute stream is done; watches
  /// for errors of NCCL, failures of other ranks, and that communication gets
  /// on.
  int32_t waitForDevice();
  /// Fails the job if the lane hangs.
  void checkProgress(Lane &lane);
  void watchFromNow();
  /// Ends what the device does, which may hang.
  void abandon();
  std::vector<Lane *> lanes();
  /// How far the lane is.
  uint32_t readProgress(const Lane &lane);

  int32_t rank;
  std::unique_ptr<Device> device;
  const CudaDriver &driver;
  RankHost &host;
  double timeout;
  bool record;
  std::unique_ptr<KernelCode> code;
  LibraryProducts products;
  LibraryTransforms transforms;
  Communicators communicators;
  FloatExtremes extremes; ///< On the communication stream.

  CudaStream compute = nullptr, watching = nullptr;
  Lane communication;
  std::map<int32_t, Channel> outgoing, incoming; ///< By peer.
  /// A collective that has been started, and the event that marks its end.
  struct Future {
    CudaEvent event;
    Operation operation;
  };
  std::map<int32_t, Future> futures; ///< By number; of those under way.
  std::vector<CudaEvent> freeFutures;
  CudaEvent orderEvent = nullptr, doneEvent = nullptr, watchEvent = nullptr;
  CudaGraphExec graph = nullptr;
  bool readFromDevice = false, inStep = false;
  bool recording = false; ///< A graph.
  /// Where the host reads the progress of a lane to.
  uint32_t *progressCopy = nullptr;
  /// For reductions on the host, and for `occupyDevice`.
  Buffer gathered, busy;
  /// In the first step, where ranks' collectives have to be compared.
  std::optional<CollectiveNotes> notes;

  runtime::CallNumbers numbers;
  std::vector<Timed> timed;
  std::vector<CudaEvent> timingEvents;
  size_t timingEventsUsed = 0;
  /// The task in progress, or -1.
  int64_t task = -1;
  CudaEvent stepBegin = nullptr;
  int64_t stepBeginTime = 0;
  std::vector<TesseraEvent> recorded;
};

} // namespace tessera::gpu

#endif // TESSERA_RUNTIME_GPU_RANK_H
