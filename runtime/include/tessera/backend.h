/*===- backend.h - What a back end of the runtime implements --------------===*\
|*
|* A back end decides what ranks are (threads, processes) and moves data between
|* them. It is a shared object `libtessera_backend_<name>.so` beside
|* libtessera_runtime.so that exports one function, `tessera_backend`. The
|* runtime does the rest: loading, sharding, worker threads, events, names of
|* errors.
|*
\*===----------------------------------------------------------------------===*/

#ifndef TESSERA_BACKEND_H
#define TESSERA_BACKEND_H

#include "tessera/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this table; a back end of another version is refused. */
#define TESSERA_BACKEND_VERSION 10

/** The kinds of collectives. */
enum {
  TESSERA_ALL_REDUCE = 0,
  TESSERA_ALL_GATHER = 1,
  TESSERA_REDUCE_SCATTER = 2,
  TESSERA_ALL_TO_ALL = 3,
  TESSERA_PERMUTE = 4,
  TESSERA_BROADCAST = 5,
};

/** Ranks that communicate with each other. */
typedef struct TesseraGroup {
  /** The number of the communicator in the model. */
  int32_t communicator;
  /** Which of the communicator's groups, the same number on each member. */
  int32_t index;
  int32_t size;
  const int32_t *members; /* `size` ranks, in the group's order */
  /** The calling rank's place in `members`. */
  int32_t position;
} TesseraGroup;

/** One call of a collective, by one member; or of several of one kind that
   begin and complete together, its parts. */
typedef struct TesseraCollective {
  int32_t kind;
  const TesseraGroup *group;
  const void *in;
  void *out;
  /** Elements of one chunk: what `count` or `bytes` is in runtime.h. */
  int64_t count;
  int32_t dtype;          /* TESSERA_U8 where only bytes move */
  int32_t reduction;      /* all_reduce and reduce_scatter, else 0 */
  int32_t root;           /* broadcast, else 0 */
  const int32_t *targets; /* permute, else NULL */
  /** -1: complete when the call returns; else the number of the future, not
      below 0 and not in use by another collective of this rank. */
  int32_t future;
  const TesseraSite *site;
  /** The parts, whose group and kind are the call's, and whose future is -1; of
      the call itself only these, the future and the site count. 0 parts: the
      call is one collective. */
  int32_t part_count;
  const struct TesseraCollective *parts;
} TesseraCollective;

/** One end of a message from one rank to another. */
typedef struct TesseraMessage {
  /** The ranks of sender and receiver; the caller is one of them. */
  int32_t source, target;
  /** Messages between two ranks with the same tag arrive in the order in which
      they were sent; those with different tags are independent. */
  int64_t tag;
  int64_t bytes;
  const TesseraSite *site;
} TesseraMessage;

/** What messages between some ranks go over on a described machine. */
typedef struct TesseraLink {
  /** Which of the links that a rank sends over: one for each level of the
      network and each axis with links of its own. */
  int32_t link_class;
  /** Seconds until the first byte arrives, and bytes per second that a rank
      sends: to ranks anywhere, in a collective round rings of all ranks, and in
      one in which it sends each of them as much. */
  double latency, bandwidth, ring_bandwidth, exchange_bandwidth;
  /** Seconds before anything begins; those of a chunk to the next place of a
      ring, and round all places, whatever its size; bytes per second of a
      member's own chunk, 0 where that takes no time. */
  double launch, hop, round, copy_bandwidth;
} TesseraLink;

/** The network of a described machine, on which messages take time. */
typedef struct TesseraNetwork {
  /** Of the group of each rank, by communicator: group_links[c * ranks + r]. */
  const TesseraLink *group_links;
  /** By channel, in the order of the world's options. */
  const TesseraLink *channel_links;
  /** As in TesseraMachine. */
  int32_t is_virtual, has_delays;
  uint64_t delay_seed;
} TesseraNetwork;

/** The ranks of one job, as the back end knows them. */
typedef struct TesseraWorld TesseraWorld;

typedef struct TesseraWorldOptions {
  int32_t ranks;
  /** As in TesseraJobOptions; 0: what the back end has for it. */
  double timeout;
  /** Whether waiting threads may spin, because there is a core for each. */
  int32_t spin;
  /** Cores of this machine that no thread of a rank has, for communication. */
  int32_t spare_cores;
  /** The communicators' groups, so that nothing is allocated while running:
      group_sizes[c] is the size of the groups of communicator c. */
  int32_t communicators;
  const int32_t *group_sizes;
  /** The pairs of ranks, source and target in turn, between which messages are
      sent. */
  int32_t channel_count;
  const int32_t *channels;
  /** Whether to keep events of what the devices do; see TesseraDevices. */
  int32_t record_events;
  /** The machine on which messages take time; NULL for none. The back end
      copies it. */
  const TesseraNetwork *network;
  /** Writes what `rank` is doing, for a message: "in kernel 'x' at f.py:1:2".
   */
  void (*describe)(void *data, int32_t rank, char *buffer, size_t size);
  /** Unless NULL, to be called some ten times a second by the thread that waits
      in `run`, where ranks are threads: not 0 ends the job. */
  int32_t (*interrupted)(void *data);
  void *data;
  /** Whether the only rank may run on the thread that calls `run`, which saves
      waking another one; that rank asks itself whether it is interrupted. */
  int32_t may_run_on_caller;
  /** A checksum of the program, which all processes of a job must share. */
  uint64_t program;
} TesseraWorldOptions;

/** What ranks of a back end have whose memory and kernels are those of a
   device. Memory of a rank is then that of its device, whose addresses the host
   must not follow; so are the operands of collectives and messages. Work on a
   device is only asked for: whoever reads memory waits for what was asked
   before. All functions but `load` are called for ranks of this process only,
   one thread at a time for each rank; a status that is not 0 says that the job
   has failed. */
typedef struct TesseraDevices {
  /** Takes the program's code, which lives longer than the world; called once,
      before everything else. On failure writes why. */
  TesseraStatus (*load)(TesseraWorld *, const TesseraGpuImage *images,
                        int64_t count, char *error, size_t size);

  /** Zeros, aligned to 256 bytes, that live as long as the world; NULL if there
      is no memory left. */
  void *(*allocate)(TesseraWorld *, int32_t rank, int64_t bytes);

  /** Copies between host and device and waits for it; within `run` only for the
      rank of the calling thread. */
  int32_t (*upload)(TesseraWorld *, int32_t rank, const void *host,
                    void *target, int64_t bytes);
  int32_t (*download)(TesseraWorld *, int32_t rank, const void *source,
                      void *host, int64_t bytes);

  /** What tessera_rt_launch_grid, copy, read and write do; within `run`. */
  int32_t (*launch)(TesseraWorld *, int32_t rank, const TesseraGpuKernel *,
                    void *const *buffers, const TesseraSite *);
  /** Asks the device for what the routine `name` makes of `frame`, whose arrays
      are memory of the device; within `run`. `taken` becomes whether it has
      been: 0 leaves the routine to the host. */
  int32_t (*routine)(TesseraWorld *, int32_t rank, const char *name,
                     const struct TesseraCallFrame *frame, const TesseraSite *,
                     int32_t *taken);
  int32_t (*copy)(TesseraWorld *, int32_t rank, const void *source,
                  void *target, int64_t bytes);
  int32_t (*read)(TesseraWorld *, int32_t rank, const void *source, void *host,
                  int64_t bytes);
  int32_t (*write)(TesseraWorld *, int32_t rank, const void *host, void *target,
                   int64_t bytes);

  /** What tessera_rt_begin_task and tessera_rt_end_task do, within `run`, if
      events are kept. */
  void (*begin_task)(TesseraWorld *, int32_t rank, const TesseraSite *);
  void (*end_task)(TesseraWorld *, int32_t rank);

  /** What the device of `rank`, which may live in another process, did in the
      last `run`, in the order of the beginnings, by this process's
      tessera_clock; valid until the next one, the texts as long as the world.
      Nothing unless the options asked for it, and nothing of other processes'
      ranks but in that of rank 0. */
  void (*events)(TesseraWorld *, int32_t rank, const TesseraEvent **events,
                 int64_t *count);
} TesseraDevices;

/** What a back end has whose ranks may live in several processes. */
typedef struct TesseraProcesses {
  /** Copies memory of `rank` to the process of rank 0, which has it in `host`
      afterwards. All processes call it, in the same order, outside of `run`;
      `source` counts in that of `rank` only, `host` in that of rank 0. */
  int32_t (*gather)(TesseraWorld *, int32_t rank, const void *source,
                    void *host, int64_t bytes);
  /** Gives all processes the value of the process of rank 0; called like
      `gather`. */
  int32_t (*agree)(TesseraWorld *, int32_t *value);
  /** Gives all processes the greatest value of all; called like `gather`. */
  int32_t (*greatest)(TesseraWorld *, int32_t *value);

  /** For how many ranks the cores that this process may use are, those of other
      processes of this machine too; NULL where ranks compute on devices. */
  int32_t (*sharing_ranks)(TesseraWorld *);

  /** Brings the events of the last `run` to the process of rank 0: by rank,
      those of this process's ranks, and NULL for others. All processes call it,
      outside of `run`. NULL where devices have the events. */
  int32_t (*share_events)(TesseraWorld *, const TesseraEvent *const *events,
                          const int64_t *counts);
  /** What `share_events` has brought of a rank of another process, by this
      process's tessera_clock; valid until the next one, the texts as long as
     the world. NULL as above. */
  void (*events)(TesseraWorld *, int32_t rank, const TesseraEvent **events,
                 int64_t *count);

  /** How many processes a launcher has started, this one among them; 1 for none
      where ranks are then threads of this one, and 0, with why in `error`,
     where what the launcher says makes no sense. */
  int32_t (*launched)(char *error, size_t size);
} TesseraProcesses;

/** What a rank runs; its result is the rank's status. */
typedef int32_t (*TesseraRankBody)(void *data, int32_t rank);

typedef struct TesseraBackend {
  int32_t version; /* TESSERA_BACKEND_VERSION */
  const char *name;

  /** Starts the ranks. On failure returns NULL and writes why. */
  TesseraWorld *(*open)(const TesseraWorldOptions *options, char *error,
                        size_t size);
  void (*close)(TesseraWorld *);

  /** Whether `rank` lives in this process. */
  int32_t (*is_local)(TesseraWorld *, int32_t rank);

  /** Calls body(data, rank) for each rank of this process, all at the same
     time, and returns when every one has returned: TESSERA_OK if all did with
     0. The first rank that fails, in any process, ends the job: ranks in a
     collective return from it with an error, and every later call fails. A back
     end with devices may have recorded what an earlier call of the same body
     asked them for, and do that again instead of calling it. */
  TesseraStatus (*run)(TesseraWorld *, TesseraRankBody body, void *data);

  /** Executes a collective, or starts it if it has a future; called by the
     ranks' threads within `run`. Not 0 when the job has failed. Groups, sites
     and targets stay valid until the collective is complete; the struct does
     not. */
  int32_t (*collective)(TesseraWorld *, const TesseraCollective *);

  /** Waits for the collective that `rank` has started with this future, and
      frees the number; called like `collective`. The runtime has checked that
      there is such a one. `completed`, unless NULL, becomes the time when the
      collective was complete, of tessera_clock. */
  int32_t (*wait)(TesseraWorld *, int32_t rank, int32_t future,
                  int64_t *completed);

  /** Copies a message's bytes out of `data` and returns without waiting for the
      receiver; called like `collective`. */
  int32_t (*send)(TesseraWorld *, const TesseraMessage *, const void *data);

  /** Waits for a message and copies its bytes to `data`; called like
      `collective`. A message of another size fails the job, and so does one
      that nobody has received at the end of `run`. */
  int32_t (*recv)(TesseraWorld *, const TesseraMessage *, void *data);

  /** Ends the job for this reason, unless it has failed already. */
  void (*fail)(TesseraWorld *, const char *message);

  /** Why the job failed, in one line; "" while it has not. */
  const char *(*error)(TesseraWorld *);

  /** The target that programs for this back end are compiled for: "cpu" or
      "cuda". */
  const char *target;

  /** NULL for ranks that compute on the host. */
  const TesseraDevices *devices;

  /** NULL for a back end whose ranks are always in this process. */
  const TesseraProcesses *processes;

  /** The time of `rank`, between two runs of all, where the options have a
      network; NULL for a back end that knows no such. */
  int64_t (*clock)(TesseraWorld *, int32_t rank);

  /** `rank` computes for so many nanoseconds; within `run`, for a network with
      virtual time. */
  void (*compute)(TesseraWorld *, int32_t rank, int64_t nanoseconds);
} TesseraBackend;

/** The one symbol that a back end exports. */
typedef const TesseraBackend *(*TesseraBackendEntry)(void);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_BACKEND_H */
