//===- Streams.h - Streams that run as late as they may -------------------===//
//
// What is asked of a stream only has to be done when somebody waits for it. The
// emulator does it exactly then, and nothing else: a program that forgot to
// wait for an event reads what was there before, reliably, where a GPU would be
// right most of the time.
//
// To wait for a marker is to execute its stream up to it; where the stream
// waits for another marker, that one first. Work that waits for other ranks (a
// collective, the receiving end of a message) is preceded by all messages that
// can be sent without waiting, wherever they stand, as a GPU would have sent
// them by then.
//
// Which work is ordered before which follows from how it was asked for alone
// (vector clocks over streams, and the host), so that two accesses to one
// memory range that nothing orders are a fault whether or not the order of
// execution happened to be right.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_DEVICE_STREAMS_H
#define TESSERA_RUNTIME_EMULATED_DEVICE_STREAMS_H

#include "checks/PtxFootprint.h"

#include "../gpu/Operation.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::emulated {

/// How executing work went.
struct WorkResult {
  /// What went wrong, if anything.
  std::optional<std::string> fault;
  /// It has to wait for another process; to be tried again later.
  bool isPending = false;
};

/// Something for a device to do.
struct Work {
  gpu::Operation operation;
  std::function<WorkResult()> execute;
  /// What it accesses, as far as that is known before it runs; those of a
  /// kernel are found while it runs: it asks for `hazards` and tells `access`.
  std::vector<MemoryRange> accesses;
  /// Whether it may have to wait for other ranks, and whether others may wait
  /// for it.
  bool waits = false, sends = false;
};

/// For every stream (by number) how much of its work happened before.
using StreamClock = std::vector<uint32_t>;

/// A place in a stream: an event, as it was recorded.
struct Marker {
  struct Stream *stream = nullptr;
  StreamClock clock;
  /// The graph that it is recorded in, if it is.
  struct Graph *graph = nullptr;
  bool isDone = false;
  /// When it was reached, in nanoseconds.
  int64_t time = 0;
};
using MarkerPtr = std::shared_ptr<Marker>;

/// One thing in a stream's queue: work, a place to mark, or a place to wait
/// for.
struct Node {
  std::shared_ptr<const Work> work;
  MarkerPtr marks, awaits;
  /// Everything that happened before the work, and the work itself.
  StreamClock clock;
};

/// A recorded graph: the nodes of all streams that took part, in the order in
/// which they were asked for.
struct Graph {
  struct Item {
    struct Stream *stream;
    Node node;
  };
  Stream *origin = nullptr;
  std::vector<Item> items;
};

struct Stream {
  /// An access of work that has been executed.
  struct Past {
    std::shared_ptr<const Work> work;
    uint32_t time;
    /// Ascending and disjoint.
    std::vector<MemoryRange> ranges;
  };

  uint32_t number;
  /// What happened before whatever is asked next.
  StreamClock clock;
  std::deque<Node> queue;
  /// By time; emptied when the host has waited for everything.
  std::vector<Past> past;
  /// The graph that is being recorded on the stream.
  Graph *recording = nullptr;
};

/// The streams of one device. One thread at a time.
class StreamSet {
public:
  Stream *create();
  /// Work that nobody waited for is lost.
  void destroy(Stream *stream);

  /// Asks the stream for work.
  void add(Stream &stream, std::shared_ptr<const Work> work);
  /// Marks the present end of the stream.
  MarkerPtr mark(Stream &stream);
  /// What is asked of the stream from now on waits for the marker. A stream
  /// that waits for a marker in a graph is recorded there from now on. Fails if
  /// one is in a graph where the other is not and cannot be.
  bool wait(Stream &stream, const MarkerPtr &marker);

  /// Executes what must happen before the marker. What is asked for later
  /// happens after it.
  WorkResult reach(const MarkerPtr &marker);

  /// What is asked of the stream goes to a graph; false if it does already.
  bool beginRecording(Stream &stream);
  /// The graph; null if none was begun on this stream, or the stream does not
  /// wait for everything on the streams that were drawn into it.
  std::unique_ptr<Graph> endRecording(Stream &stream);
  /// Asks the stream for everything in the graph. `replayStreams` belong to the
  /// graph and are filled the first time.
  void replay(Stream &stream, const Graph &graph,
              std::vector<Stream *> &replayStreams);

  /// Executes everything: for a host that is going to wait for other ranks,
  /// which may wait for what this one has been asked for.
  WorkResult executeAll();

  /// Tells what the work that is being executed accesses; what makes it a race,
  /// if it is one.
  std::optional<std::string> access(std::vector<MemoryRange> ranges);
  /// What work accessed that has been executed and is not ordered before the
  /// one that is being executed.
  std::vector<Hazard> hazards() const;

  /// What is being executed, or was last; no site at the beginning.
  std::pair<const char *, const TesseraSite *> latest() const {
    return {latestKind, latestSite};
  }
  bool isExecuting() const { return inWork; }

private:
  WorkResult executeUntil(Stream &stream, const Marker &marker);
  WorkResult executeWork(Stream &stream, const Node &node);
  void append(Stream &stream, Node node);
  /// Executes all messages that can be sent without waiting for other ranks.
  WorkResult sendWhatCanBeSent();
  /// Whether executing the stream up to there would wait for other ranks.
  bool wouldWait(const Stream &stream, const Work *until,
                 const Marker *marker) const;
  void forgetPast();
  /// Calls `visit` with the past work that the one being executed is not
  /// ordered behind, until it returns false.
  template <typename Visit> void forEachConcurrent(Visit visit) const;

  std::vector<std::unique_ptr<Stream>> streams;
  std::unique_ptr<Graph> recorded;
  uint32_t created = 0;
  /// What the host has waited for.
  StreamClock host;
  Stream *executingStream = nullptr;
  const Node *executingNode = nullptr;
  bool isSending = false;
  // Read by other threads.
  std::atomic<const char *> latestKind = "";
  std::atomic<const TesseraSite *> latestSite = nullptr;
  std::atomic<bool> inWork = false;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_DEVICE_STREAMS_H
