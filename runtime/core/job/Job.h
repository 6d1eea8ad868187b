//===- Job.h - The ranks of a program, with their memory ------------------===//

#ifndef TESSERA_RUNTIME_CORE_JOB_JOB_H
#define TESSERA_RUNTIME_CORE_JOB_JOB_H

#include "Context.h"
#include "program/Program.h"

#include <algorithm>
#include <barrier>
#include <memory>

namespace tessera::runtime {

/// What of a job can go wrong: the request (exit status 1) or the execution
/// (4).
struct JobFailure {
  TesseraStatus status;
  std::string message;

  /// Of a request that cannot be met.
  static JobFailure invalid(std::string message) {
    return {TESSERA_INVALID, std::move(message)};
  }
};
using JobStatus = std::optional<JobFailure>;

/// Runs a program step by step. Owns every rank's shards of arguments and
/// results and its arena; a donated argument and its result are one buffer, so
/// the results of a step feed the next one without any copy. With several
/// pipeline ranks, rank r is device r % n of the mesh (of n devices) on
/// pipeline rank r / n.
///
/// Where the program has several entry points, one of them is entered at a
/// time, and `program` is that one. Each has groups and, on each rank, a list
/// of the tensors that it takes; those that they share (SharedState.h) are in
/// both lists, and the arena serves all.
class Job {
public:
  /// See `tessera_job_create`; on failure `job` stays empty.
  static JobStatus create(const Program &program,
                          const TesseraJobOptions &options,
                          std::unique_ptr<Job> &job);
  ~Job();

  /// See `tessera_job_enter`.
  JobStatus enter(int32_t index);
  JobStatus setArgument(int32_t index, const std::byte *global);
  /// See `tessera_job_begin_argument` and those behind it.
  JobStatus beginArgument(int32_t index);
  bool needsBox(const TensorBox &box) const;
  JobStatus setBox(const TensorBox &box, const std::byte *data);
  JobStatus endArgument();
  /// Of the argument that was begun.
  size_t begunDimensions() const {
    return program->manifest()
        .arguments[filling ? filling->argument : 0]
        .layout.globalShape()
        .size();
  }
  JobStatus step();
  /// See `tessera_job_call`.
  JobStatus call(const TesseraCall &call);
  JobStatus getArgument(int32_t index, std::byte *global);
  JobStatus getResult(int32_t index, std::byte *global);

  /// Where a rank has an argument: `position` among those of its program.
  struct Holding {
    int32_t rank, position;
  };
  /// See TesseraPiece.
  struct Piece {
    int32_t argument;
    Holding holding;
    TensorBox box;
  };
  /// See `tessera_job_divide` and `tessera_job_get_piece`.
  JobStatus divide(std::span<const int32_t> arguments);
  const std::vector<Piece> &pieces() const { return division; }
  JobStatus getPiece(int64_t number, std::byte *data);
  bool hasRank(int32_t rank) const {
    return rank >= 0 && rank < static_cast<int32_t>(ranks.size()) &&
           ranks[rank];
  }

  /// See `tessera_job_leads` and the functions behind it.
  bool leads() const { return ranks[0] != nullptr; }
  JobStatus agree(int32_t &value);
  JobStatus greatest(int32_t &value);
  void fail(const char *message);

  /// See `tessera_job_clock`.
  int64_t clock() const {
    return backend->clock ? backend->clock(world, 0) : tessera_clock();
  }

  /// Of a rank; nothing for ranks that live in another process, unless rank 0
  /// lives in this one.
  const std::vector<TesseraEvent> *events(int32_t rank) const;

private:
  struct FreeMemory {
    void operator()(std::byte *pointer) const;
    /// The bytes of memory that is only reserved; else 0.
    size_t reserved = 0;
  };
  using Buffer = std::unique_ptr<std::byte, FreeMemory>;

  /// A rank of this process. Its memory is that of its device where the back
  /// end has such.
  struct Rank {
    explicit Rank(int32_t rank, int32_t threads, bool spin, bool record)
        : context(rank, threads, spin, record) {}
    TesseraContext context;
    std::vector<Buffer> owned;
    /// Each piece of memory in `owned`: what it is for, where it begins, how
    /// long it is.
    struct Block {
      std::string name;
      std::byte *begin;
      int64_t bytes;
    };
    std::vector<Block> blocks;
    /// What the main function of an entry point takes, in its order; null
    /// until it is needed where memory is allocated on demand.
    struct Tensors {
      std::vector<void *> arguments, results;
    };
    /// By entry point, with the groups behind each other.
    std::vector<Tensors> tensors;
    std::vector<TesseraGroup> groups;
    /// By number of the shared state; null as above.
    std::vector<void *> shared;
    void *arena = nullptr;
    /// How many of the context's events other processes have been told.
    size_t toldEvents = 0;
  };

  explicit Job(const Program &program);
  JobStatus chooseBackend(const TesseraJobOptions &options);
  JobStatus openWorld(const TesseraJobOptions &options);
  JobStatus describeNetwork(const TesseraMachine &machine,
                            const std::vector<int32_t> &channels);
  static Buffer reserveZeros(int64_t bytes);
  static Buffer allocateZeros(int64_t bytes);
  JobStatus checkMemory() const;
  JobStatus createRanks(const TesseraJobOptions &options);
  const ManifestProgram &programOf(int32_t rank) const {
    const Manifest &manifest = program->manifest();
    return manifest.programs[rank / manifest.mesh.ranks()];
  }
  /// What the rank has for the entry point that the job is in.
  Rank::Tensors &tensorsOf(Rank &rank) const { return rank.tensors[entered]; }
  void enterRank(Rank &rank) const;
  int32_t numberOfShared(const Rank &rank, int32_t position,
                         bool isResult) const;
  static JobStatus notEnoughMemory(int32_t rank);
  double memoryOf(int32_t rank) const;
  bool allocate(Rank &rank);
  JobStatus allocateRanks();
  void *allocateBlock(Rank &rank, const std::string &name, int64_t bytes);
  void *ownArgument(Rank &rank, int32_t position);
  void *ownResult(Rank &rank, int32_t position);
  bool allocateTensors(Rank &rank);
  void setShared(Rank &rank, std::span<void *const> results) const;
  JobStatus addGuards();
  void fillShard(int32_t rank, const ManifestRows &rows,
                 const std::byte *global, std::byte *shard) const;
  JobStatus checkArgument(int32_t index) const;
  TensorBox shardBox(const Holding &holding) const;
  std::vector<Holding> holdingsOf(int32_t argument, bool onlyHere) const;
  void divideArgument(int32_t argument, std::vector<int64_t> &load);
  JobStatus collectShard(int32_t rank, int32_t position, bool isResult,
                         std::byte *global);
  JobStatus collectSummand(int32_t index, int32_t summand, bool isResult,
                           std::byte *global);
  void recordEvents(void (*eventsOf)(TesseraWorld *, int32_t,
                                     const TesseraEvent **, int64_t *));
  JobStatus shareEvents();
  void divideCores(const TesseraJobOptions &options, int32_t ranksHere);
  JobStatus run(TesseraRankBody body, void *data);
  int32_t runRank(Rank &rank, std::span<void *const> arguments,
                  std::span<void *const> results);

  /// A call, as the ranks' threads see it.
  struct CallInProgress {
    Job &job;
    const TesseraCall &call;
    /// Where ranks wait until all have copied their arguments; none if no rank
    /// writes where another one reads.
    std::optional<std::barrier<>> taken;
  };
  bool donatesInPlace(const TesseraCall &call) const;
  /// Whether ranks, or their memory, are elsewhere.
  bool isRemote() const {
    return backend->devices ||
           !std::ranges::all_of(ranks,
                                [](const auto &rank) { return bool(rank); });
  }
  JobStatus callByCopies(const TesseraCall &call);
  bool canUseInPlace(const void *memory) const;
  void *addressOf(const Rank &rank, const ManifestRows &rows,
                  const ManifestTensor &tensor, const void *shard,
                  const void *global) const;
  bool bringArgument(Rank &rank, int32_t position, const TesseraCall &call,
                     void *result, void *&address);
  bool placeResult(Rank &rank, int32_t position, const TesseraCall &call,
                   void *&address);
  void takeResult(const Rank &rank, int32_t position, const TesseraCall &call,
                  const void *address) const;
  bool isGatheredByRanks(int32_t result) const;
  int32_t callRank(Rank &rank, CallInProgress &progress);

  /// An argument that boxes are brought to.
  struct Filling {
    int32_t argument;
    struct Shard {
      Holding holding;
      TensorBox box;                 ///< Where it lies, with its padding.
      TensorBox filled = {};         ///< What boxes bring.
      std::vector<std::byte> staged; ///< For devices, all of it.
      std::byte *data = nullptr;
      bool isNeutral = false; ///< A summand that changes nothing.
    };
    std::vector<Shard> shards;
  };
  std::optional<Filling> filling;
  std::vector<Piece> division;

  /// The entry points, and the one that the job is in.
  std::vector<const Program *> entryPoints;
  const SharedState &state;
  size_t entered = 0;
  const Program *program;
  /// For guards, by entry point.
  std::vector<KernelTable> kernels;
  bool hasGuards = false;
  /// Of a described machine, while the world is opened.
  std::vector<TesseraLink> groupLinks, channelLinks;
  /// Nothing unless time is virtual.
  std::optional<KernelTimes> kernelTimes;
  /// By communicator, those of each entry point behind those of the one before;
  /// the ranks' groups point into it.
  std::vector<GroupTable> groups;
  const TesseraBackend *backend = nullptr;
  TesseraWorld *world = nullptr;
  /// By rank; empty for ranks of other processes.
  std::vector<std::unique_ptr<Rank>> ranks;
  /// By rank: what devices did, and ranks of other processes.
  std::vector<std::vector<TesseraEvent>> remoteEvents;
  bool recordsEvents = false;
  bool spin = false, allocatesOnDemand = false;
  std::vector<bool> hasRun; ///< By entry point.
  /// Whether the only rank runs on the thread that waits for the step.
  bool runsOnCaller = false;
  /// What the options say, and whether it has said so.
  int32_t (*interrupted)(void *) = nullptr;
  void *interruptedData = nullptr;
  std::atomic<bool> isInterrupted = false;
  int32_t threads = 1;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_JOB_JOB_H
