//===- Context.h - One rank while it runs ---------------------------------===//

#ifndef TESSERA_RUNTIME_CORE_CONTEXT_H
#define TESSERA_RUNTIME_CORE_CONTEXT_H

#include "CallNumbers.h"
#include "MemoryGuards.h"
#include "WorkerPool.h"
#include "tessera/Support/RoutineCall.h"
#include "tessera/backend.h"

#include <csignal>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// By the name of a kernel, the nanoseconds that it takes on a described
/// machine.
using KernelTimes = std::map<std::string, int64_t, std::less<>>;

/// What compiled code hands to each call of the runtime. Only the rank's own
/// thread uses it, except for what `describe` reads.
struct TesseraContext {
public:
  TesseraContext(int32_t rank, int32_t threads, bool spin, bool record)
      : rank(rank), record(record), sharesCores(!spin && threads == 1),
        pool(threads, spin, [this] { enterThread(); }) {}

  /// Forgets what the rank did in the last step.
  void beginStep() {
    activity = Activity::NotBegun;
    site = nullptr;
    futures.clear();
    combined.reset();
    if (guards)
      guards->beginStep();
  }
  /// The end of the model's program on this rank, which has given `results`:
  /// fails the job if a collective was started and not waited for, or guards
  /// find something.
  int32_t endStep(std::span<void *const> results);

  /// Prepares the calling thread for running the model: its floating-point
  /// mode, and that a crash is blamed on this context.
  void enterThread();

  /// While it lives, runs the model on a thread that is not the runtime's, and
  /// leaves that as it was.
  class Visit {
  public:
    explicit Visit(TesseraContext &context);
    ~Visit();

  private:
    const TesseraContext *formerContext;
    stack_t formerStack = {};
    uint32_t formerMode;
  };

  /// Writes what the rank is doing, as a clause: `is in kernel 'x' at
  /// f.py:1:2`, `has finished`. Any thread may ask, signal handlers too.
  void describe(char *buffer, size_t size) const;

  int32_t launch(TesseraKernel kernel, void *const *buffers, int64_t extent,
                 int64_t grain, const TesseraSite *site);

  /// Calls the routine that `description`, static data, is about.
  int32_t callRoutine(const char *description, void *const *buffers,
                      const TesseraSite *site);

  /// Only on back ends with devices.
  int32_t launchGrid(const TesseraGpuKernel *kernel, void *const *buffers,
                     const TesseraSite *site);

  /// Completes the call's group and site and hands it to the back end; within
  /// a combined call, keeps it for that.
  int32_t collective(TesseraCollective call, int32_t communicator,
                     const TesseraSite *site);
  /// The collectives in between are the parts of one call.
  int32_t beginCombined();
  int32_t endCombined(int32_t future, const TesseraSite *site);
  /// Waits for the collective that was started with this future.
  int32_t wait(int32_t future, const TesseraSite *site);

  /// Copies between this rank's memory and the host's arena, from byte `offset`
  /// of it on; with a future other than -1 until `wait`.
  int32_t offload(const void *source, int64_t offset, int64_t bytes,
                  int32_t future, const TesseraSite *site);
  int32_t reload(int64_t offset, void *target, int64_t bytes, int32_t future,
                 const TesseraSite *site);

  /// Messages to and from the same device of another pipeline rank.
  int32_t send(const void *in, int64_t bytes, int32_t peer, int64_t tag,
               const TesseraSite *site);
  int32_t recv(void *out, int64_t bytes, int32_t peer, int64_t tag,
               const TesseraSite *site);

  /// Copies between tensors of this rank, where they do not overlap.
  int32_t copy(const void *source, void *target, int64_t bytes,
               const TesseraSite *site);
  /// Sets at most 8 bytes of this rank's memory.
  int32_t write(const void *host, void *target, int64_t bytes);

  /// Everything in between is one task.
  void beginTask(const TesseraSite *site);
  void endTask();

  const int32_t rank;
  const bool record;

  // Set when the job is made.
  const TesseraBackend *backend = nullptr;
  TesseraWorld *world = nullptr;
  /// By communicator of the entry point: this rank's group.
  std::span<const TesseraGroup> groups;
  /// Null unless the job is to be guarded.
  std::unique_ptr<tessera::runtime::MemoryGuards> guards;
  /// By name, the nanoseconds of kernels that take virtual time instead of
  /// being computed; null unless the job has that.
  const KernelTimes *kernelTimes = nullptr;
  /// How many pipeline ranks there are, and how many ranks each has.
  int32_t pipelineRanks = 1, meshRanks = 1;
  /// The arena on the host, and the link to it: seconds and bytes per second of
  /// a described machine; 0 where copies take the time that they take.
  std::byte *hostArena = nullptr;
  int64_t hostBytes = 0;
  double hostLatency = 0, hostBandwidth = 0;
  /// Whether the job has been interrupted, so that nothing more is to begin.
  const std::atomic<bool> *isInterrupted = nullptr;
  /// Asks whether it is to be; null unless the rank itself has to, some ten
  /// times a second.
  void (*askInterrupted)(void *data) = nullptr;
  void *interruptedData = nullptr;
  /// Who answers for functions of a host language in this step; null for
  /// nobody.
  const TesseraHostCallbacks *hostCallbacks = nullptr;

  /// What happened since the job began, if it is recorded.
  std::vector<TesseraEvent> events;

  /// The latest kernel, collective or message, and whether it or the whole step
  /// is over.
  enum class Activity { NotBegun, Kernel, Communication, Between, Finished };
  std::atomic<Activity> activity = Activity::NotBegun;

private:
  /// A copy to the host or back.
  struct HostCopy {
    const void *source;
    void *target;
    int64_t bytes = 0;
    int64_t end = 0; ///< When it ends on a described machine.
    bool isPending = false;

    void move();
  };
  /// A collective or copy that was started; `kind` is null where there is none.
  struct Future {
    const char *kind = nullptr;
    const TesseraSite *site = nullptr;
    size_t event = 0; ///< The number of its event, if events are recorded.
    std::vector<TesseraCollective> parts; ///< Of a combined call.
    std::optional<HostCopy> copy;
  };

  /// Whether to keep events here: what a device does when is for its back end
  /// to say.
  bool recordsHere() const { return record && !backend->devices; }
  /// Whether nothing more is to begin.
  bool mustStop();
  /// The time of events.
  int64_t clock() const {
    return backend->clock ? backend->clock(world, rank) : tessera_clock();
  }
  /// An event of this kind that no other rank has a part in.
  static TesseraEvent eventOf(const char *kind, int64_t bytes = 0);
  /// Runs `body` as the present activity; `event` has what is known of it
  /// before.
  template <typename Body>
  int32_t perform(Activity what, const char *kind, const TesseraSite *site,
                  TesseraEvent event, Body body);
  /// The future of that number; null if the number makes no sense.
  Future *findFuture(int32_t number);

  using Range = tessera::runtime::MemoryGuards::Range;
  /// `body`, which reads and writes these ranges at `where`, between the checks
  /// of the guards, if there are any.
  template <typename Body>
  int32_t guarded(const char *kind, const TesseraSite &where,
                  std::vector<Range> read, std::vector<Range> written,
                  Body body);
  /// Fails the job at `where` if there is a problem.
  int32_t judge(const tessera::runtime::MemoryGuards::Problem &problem,
                const char *kind, const TesseraSite &where);
  /// Gives the call its group; what is wrong with that, or nothing.
  std::string setGroup(TesseraCollective &call, int32_t communicator) const;
  /// Does or starts a call that is complete but for its site; if there is a
  /// `mistake`, fails because of it.
  int32_t communicate(TesseraCollective &call, const std::string &mistake,
                      const TesseraSite *site);
  /// A collective that is whole or, if it has a future, started.
  int32_t guardedCollective(const TesseraCollective &call, const char *name);

  /// The present activity becomes this communication; false if nothing more is
  /// to begin.
  bool beginCommunication(const char *name, const TesseraSite *where);
  int64_t reserveHostLink(bool isThere, int64_t bytes);
  /// `copy` has no end on the host yet, which is byte `offset` of the arena.
  int32_t copyToHostOrBack(const char *name, HostCopy copy, int64_t offset,
                           int32_t number, const TesseraSite *where);
  /// Returns when the copy is made and, on a described machine, its time over.
  void awaitHostCopy(HostCopy &copy);
  int32_t finishHostCopy(int32_t number, Future started,
                         const TesseraSite *where);

  /// Asks this rank's device for what the routine does, or else calls it.
  int32_t callByDevice(const tessera::RoutineCall &routine,
                       void *const *buffers, const TesseraSite &where);
  /// Calls the routine on copies of this rank's memory, which is a device's.
  int32_t callOnHost(const tessera::RoutineCall &routine, void *const *buffers,
                     const TesseraSite &where);
  /// Runs `body`, which computes on these buffers, as a kernel of this site.
  template <typename Body>
  int32_t kernel(void *const *buffers, const TesseraSite *site, Body body);
  /// Sends or receives `message`, whose other end is the same device of
  /// pipeline rank `peer`.
  template <typename Body>
  int32_t message(const char *kind, int32_t peer, TesseraMessage message,
                  Body body);
  /// Ends the job: `rank 0: send 'x' at f.py:1:2: <what>`.
  int32_t fail(const char *kind, const TesseraSite &site,
               const std::string &what);

  /// Whether there are more ranks than cores, each with one thread: then its
  /// kernels take longer than they compute.
  const bool sharesCores;
  /// The calls of routines that there were, by their descriptions.
  std::map<const char *, std::unique_ptr<tessera::RoutineCall>> routines;
  /// When the link to the host is free, from it and to it; copies so far.
  int64_t hostFree[2] = {}, hostCopies = 0;
  /// By number.
  std::vector<Future> futures;
  /// The parts of the combined call in progress, if there is one.
  std::optional<std::vector<TesseraCollective>> combined;
  tessera::runtime::CallNumbers numbers;
  /// When it was last asked whether the job is interrupted.
  int64_t asked = 0;
  /// The event of the task in progress, or -1.
  int64_t task = -1;
  std::atomic<const TesseraSite *> site = nullptr;
  std::atomic<const char *> kind = "";
  tessera::runtime::WorkerPool pool;
};

namespace tessera::runtime {

/// The context whose work the calling thread does, if any.
const TesseraContext *contextOfThread();

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_CONTEXT_H
