/*===- runtime.h - The C ABI of the Tessera runtime -----------------------===*\
|*
|* Two audiences share this header. Programs that embed the runtime
|* (tessera-run, the Python package) load a compiled model and run it: part 1.
|* Compiled models call back into the runtime to launch kernels and to
|* communicate: part 2; no other code may call those functions.
|*
|* Ownership: whatever a `_create` or `_load` function returns is destroyed by
|* the matching `_destroy`; every other pointer that is returned belongs to the
|* object it was asked of and dies with it. Pointers that are passed in are only
|* read or written during the call, unless said otherwise.
|*
|* Threads: one object must not be used by two threads at a time; different jobs
|* are independent of each other.
|*
|* Errors: functions return a TesseraStatus. After one that is not TESSERA_OK,
|* tessera_error_message() on the same thread gives one line of text, lower case
|* and without a full stop. Nothing is thrown across this interface.
|*
|* Sizes are in bytes, times in nanoseconds of a monotonic clock unless said
|* otherwise.
|*
\*===----------------------------------------------------------------------===*/

#ifndef TESSERA_RUNTIME_H
#define TESSERA_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_EXPORT __attribute__((visibility("default")))

/** The version of this interface. A model compiled for another one is refused.
 */
#define TESSERA_ABI_VERSION 7

/** How a call ended. The values are the exit status that a tool gives. */
typedef int32_t TesseraStatus;
enum {
  TESSERA_OK = 0,
  /** The request or the model is wrong; nothing has run. */
  TESSERA_INVALID = 1,
  /** A rank or the system failed while running. */
  TESSERA_FAILED = 4,
};

/** Element types of tensors; integers of the outside world are signed or not.
 */
enum {
  TESSERA_I1 = 0, /* one byte, 0 or 1 */
  TESSERA_I8 = 1,
  TESSERA_I16 = 2,
  TESSERA_I32 = 3,
  TESSERA_I64 = 4,
  TESSERA_U8 = 5,
  TESSERA_U16 = 6,
  TESSERA_U32 = 7,
  TESSERA_U64 = 8,
  TESSERA_F16 = 9,
  TESSERA_BF16 = 10,
  TESSERA_F32 = 11,
  TESSERA_F64 = 12,
};

/** Reductions. Minimum and maximum of floats give NaN when any operand is one;
    and, or, xor are for integers and i1. Integer sums and products wrap around,
    those of i1 modulo 2. */
enum {
  TESSERA_SUM = 0,
  TESSERA_PRODUCT = 1,
  TESSERA_MIN = 2,
  TESSERA_MAX = 3,
  TESSERA_AND = 4,
  TESSERA_OR = 5,
  TESSERA_XOR = 6,
};

/** Where in the model something comes from; static data of the compiled model.
 */
typedef struct TesseraSite {
  const char *name;     /* "dot_general.3" */
  const char *location; /* "model.py:41:8" */
} TesseraSite;

/*===----------------------------------------------------------------------===*\
|* Part 1: loading and running a model
\*===----------------------------------------------------------------------===*/

/** A loaded model.tsx. */
typedef struct TesseraProgram TesseraProgram;

/** The ranks that execute one program, with their memory. */
typedef struct TesseraJob TesseraJob;

/** TESSERA_ABI_VERSION of the library, as opposed to that of this header. */
TESSERA_EXPORT int32_t tessera_abi_version(void);

/** The release, as "0.1.0". */
TESSERA_EXPORT const char *tessera_version(void);

/** Why the last call on this thread failed; valid until this thread's next
 * call. */
TESSERA_EXPORT const char *tessera_error_message(void);

/** An argument or result as the outside world sees it: a global tensor. */
typedef struct TesseraTensor {
  /** The name in the model; "" where it has none. */
  const char *name;
  int32_t dtype;
  int32_t rank;
  const int64_t *shape; /* rank sizes */
  /** Bytes of the whole dense row-major tensor. */
  int64_t bytes;
  /** Arguments: the result that reuses this argument's memory, -1 for none.
      Results: the argument whose memory this result reuses, -1 for none. */
  int32_t donation;
  /** The sharding in words, for people. */
  const char *sharding;
} TesseraTensor;

/** Reads and checks the manifest of the file at `path`, then loads its code.
    Fails with TESSERA_INVALID, having executed nothing of it, when the file is
    not a compiled model, was compiled for another ABI version, or needs a CPU
    feature that this machine lacks. */
TESSERA_EXPORT TesseraStatus tessera_program_load(const char *path,
                                                  TesseraProgram **program);

/** No job of the program may be left. */
TESSERA_EXPORT void tessera_program_destroy(TesseraProgram *program);

/** The manifest's JSON text. */
TESSERA_EXPORT const char *tessera_program_manifest(const TesseraProgram *);

/** How many ranks run the program: the devices of its mesh, times its pipeline
    ranks. Rank number = pipeline rank x devices of the mesh + device in it. */
TESSERA_EXPORT int32_t tessera_program_ranks(const TesseraProgram *);

/** The mesh in words: "data=2,model=4", or "one device"; with several pipeline
    ranks "4 x data=2,model=4". */
TESSERA_EXPORT const char *tessera_program_mesh(const TesseraProgram *);

TESSERA_EXPORT int32_t tessera_program_argument_count(const TesseraProgram *);
TESSERA_EXPORT int32_t tessera_program_result_count(const TesseraProgram *);

/** Describes argument or result `index`; the index must be in range. */
TESSERA_EXPORT const TesseraTensor *
tessera_program_argument(const TesseraProgram *, int32_t index);
TESSERA_EXPORT const TesseraTensor *
tessera_program_result(const TesseraProgram *, int32_t index);

/** The entry points of the program, at least one: "main" where there is only
    one. What the functions above tell of a program with several is true of the
    first. */
TESSERA_EXPORT int32_t tessera_program_entry_count(const TesseraProgram *);
TESSERA_EXPORT const char *tessera_program_entry_name(const TesseraProgram *,
                                                      int32_t index);

/** The program of one entry point, which belongs to `program`; the index must
    be in range. A job of it runs that one only. */
TESSERA_EXPORT const TesseraProgram *
tessera_program_entry(const TesseraProgram *program, int32_t index);

/** Links of a level of the network, or along one mesh axis. */
typedef struct TesseraLinks {
  const char *name; /* of the axis */
  /** Of a level: how many devices, with consecutive numbers, a group has; 0 for
      all. The device of a rank has its number. */
  int64_t devices;
  /** Seconds until the first byte of a message arrives, and bytes per second
      that one link sends. */
  double latency, bandwidth;
  /** What docs/cluster.md calls launch (seconds), half-saturation (bytes),
      copy-bandwidth (bytes per second) and links; 0 for nothing of the kind. */
  double launch, half_saturation, copy_bandwidth;
  int64_t links;
} TesseraLinks;

/** How long a kernel takes on the machine. */
typedef struct TesseraKernelTime {
  const char *name; /* of its site */
  double seconds;
} TesseraKernelTime;

/** A machine that the ranks pretend to be (docs/cluster.md). */
typedef struct TesseraMachine {
  /** From the innermost out; the devices of each divide those of the next, and
      the last one holds all. */
  const TesseraLinks *levels;
  int32_t level_count;
  /** The links along mesh axes, whatever the levels say; those of the axis
      `stage` are between pipeline ranks, unless the mesh has such an axis. */
  int32_t axis_count;
  const TesseraLinks *axes;
  /** Whether ranks have clocks of their own, which kernels move by `kernels`
      (others take no time) and messages by the links. Nothing is then computed
      or copied, memory is only reserved, and values mean nothing. */
  int32_t is_virtual;
  /** Whether everything is late at random, by 0 to 10 times the time that it
      takes, and what was started is moved at once or when it is awaited: values
      must not depend on it. */
  int32_t has_delays;
  const TesseraKernelTime *kernels;
  int64_t kernel_count;
  uint64_t delay_seed;
  /** The link to the memory of the host: seconds until the first byte arrives,
      and bytes per second in each direction; 0 for no such link. */
  double host_latency, host_bandwidth;
} TesseraMachine;

/** How to run. Zero-initialise it, set `size` and what you need. */
typedef struct TesseraJobOptions {
  /** sizeof(TesseraJobOptions) of the caller, so that fields can be added. */
  size_t size;
  /** The back end's name; NULL means "local". */
  const char *backend;
  /** The number of ranks, which must be the program's; 0 means the program's.
   */
  int32_t ranks;
  /** Threads that compute for each rank; 0 divides the machine's cores. */
  int32_t threads;
  /** Seconds that a rank waits in a collective for the others, or for a
     message, before the job fails; 0 means 60 (for ever where
     a GPU is emulated), a negative number for ever. */
  double timeout;
  /** Whether to keep an event for each task, kernel, collective and message. */
  int32_t record_events;
  /** Whether to check, at every kernel, collective, message and copy, that what
      it reads is as it was written and that it writes nothing but its results;
      slow. Needs a back end whose ranks are threads of this machine ("local").
      A step that breaks the rule ends with TESSERA_FAILED. */
  int32_t guards;
  /** The machine on which messages take time; NULL for none. Read while the job
      is created. Needs the back end "local". */
  const TesseraMachine *machine;
  /** Whether the ranks' memory for an argument or result is allocated when a
      step first needs it; for jobs whose calls bring their own memory. */
  int32_t allocate_on_demand;
  int32_t reserved;
  /** Unless NULL, called with `interrupted_data` some ten times a second on the
      thread that waits for a step, and when that thread gets a signal. Where
     the result is not 0, the step ends with TESSERA_FAILED as soon as every
     rank has come to its next kernel, collective or message. Back ends whose
     ranks are not threads of this process do not call it. */
  int32_t (*interrupted)(void *interrupted_data);
  void *interrupted_data;
} TesseraJobOptions;

/** Starts the ranks and allocates their memory. The program must outlive the
    job. TESSERA_INVALID if the back end is absent or the options do not fit the
    program. */
TESSERA_EXPORT TesseraStatus tessera_job_create(const TesseraProgram *,
                                                const TesseraJobOptions *,
                                                TesseraJob **job);
TESSERA_EXPORT void tessera_job_destroy(TesseraJob *job);

/** The calls that follow are about entry point `index` of the program; before
    the first such call, about 0. Arguments of one name are one tensor in all
    entry points, and so is a result without a donated argument that has the
    name of another entry point's argument; what a step of one entry point has
    left there the others find. TESSERA_INVALID if there is no such entry point.
    */
TESSERA_EXPORT TesseraStatus tessera_job_enter(TesseraJob *, int32_t index);

/** Copies the global tensor at `data` to the shards of argument `index`, on
   every pipeline rank that holds it. */
TESSERA_EXPORT TesseraStatus tessera_job_set_argument(TesseraJob *,
                                                      int32_t index,
                                                      const void *data);

/** Copies the shards of argument `index`, as they are now, to the global tensor
   at `data`; zeros, if nobody has set it. TESSERA_INVALID if the ranks hold
   parts of a sum. */
TESSERA_EXPORT TesseraStatus tessera_job_get_argument(TesseraJob *,
                                                      int32_t index,
                                                      void *data);

/** Runs the program once on every rank and waits for all of them. Afterwards an
    argument that is donated holds its result, ready for the next step; the
    others are unchanged. After TESSERA_FAILED the job can only be destroyed. */
TESSERA_EXPORT TesseraStatus tessera_job_step(TesseraJob *);

/** Copies the shards of result `index` to the global tensor at `data`; of
    replicas, the one on the lowest rank of the lowest pipeline rank counts.
   Needs one step of the entry point to have run. */
TESSERA_EXPORT TesseraStatus tessera_job_get_result(TesseraJob *, int32_t index,
                                                    void *data);

/** Who calls functions of a host language for a program that has calls of them
    (JAX's pure_callback, io_callback, debug.print). */
typedef struct TesseraHostCallbacks {
  /** Answers one call, on the thread of a rank, by several at a time: reads
      operands and writes results in `frame`, a TesseraCallFrame (call_frame.h).
      NULL, or an error that the frame's table has made. */
  void *(*call)(void *data, void *frame);
  void *data;
} TesseraHostCallbacks;

/** Where tensors of a call are, in memory of the caller's, dense and row-major.
    Each list may be NULL, and so may each pointer in it. Regions do not
   overlap, but a donated argument may be at the same place as its result. */
typedef struct TesseraCall {
  /** sizeof(TesseraCall) of the caller, so that fields can be added. */
  size_t size;
  /** By argument: the global tensor. */
  const void *const *arguments;
  /** By argument and rank, argument_shards[i * ranks + r]: the rank's shard,
      padding included, in place of the global tensor. */
  const void *const *argument_shards;
  /** By result, and by result and rank, in the same way. The shards of all
      replicas are written. */
  void *const *results;
  void *const *result_shards;
  /** For programs that call functions of a host language, else NULL. */
  const TesseraHostCallbacks *host_callbacks;
} TesseraCall;

/** Runs the program once on arguments and results in the caller's memory. Ranks
    read and write shards where they are if they begin at a multiple of 64
    bytes, and global tensors too, if the rank's shard is one piece of them;
    others they copy, each rank its own. Arguments are only read: a donated one
    is copied to its result before, unless they are one place. What the call has
    no memory for stays in the job's, as with tessera_job_step; the job's memory
    for everything else has undefined content afterwards. Shards need a back end
    whose ranks compute on the host and a program of one pipeline rank; else
    TESSERA_INVALID. */
TESSERA_EXPORT TesseraStatus tessera_job_call(TesseraJob *,
                                              const TesseraCall *call);

/** A program that compiled code of XLA calls. */
typedef struct TesseraXlaCalls TesseraXlaCalls;

/** Takes the program over. A job starts with the first call, and with the next
    one after a failure; the back end's ranks are in this process. */
TESSERA_EXPORT TesseraStatus tessera_xla_calls_create(TesseraProgram *,
                                                      const TesseraJobOptions *,
                                                      TesseraXlaCalls **calls);
/** Lets go of it; compiled code that calls it keeps it until it is gone. */
TESSERA_EXPORT void tessera_xla_calls_destroy(TesseraXlaCalls *);

/** For the registration of the type of the state that the handler keeps in
    compiled code: part 0 is where XLA writes its number (XLA_FFI_TypeId), part
    1 its XLA_FFI_TypeInfo. */
TESSERA_EXPORT const void *tessera_xla_state_type(int32_t part);

/** The handler for XLA's foreign function interface (version 0.3) on the CPU,
    for the stages "instantiate" and "execute": `frame` is an XLA_FFI_CallFrame,
    the result an XLA_FFI_Error, NULL for success. Its one attribute (u64) is
    the address of a TesseraXlaCalls. The first operand is not read, the others
    are the arguments, results the results: global tensors. A donated argument
    may be in the memory of its result. */
TESSERA_EXPORT void *tessera_xla_call(void *frame);

/** Whether rank 0 runs in this process. A back end may spread the ranks over
    several processes, in each of which the program that embeds the runtime does
    the same: it loads the same model, makes the job, sets arguments, steps and
    gets results in the same order. Results then arrive in this one only; in
    the others, tessera_job_get_result leaves `data` as it is. */
TESSERA_EXPORT int32_t tessera_job_leads(const TesseraJob *);

/** Sets `value`, in all processes, to what it is in the one that leads; all of
    them call it. For an exit status on which all agree. */
TESSERA_EXPORT TesseraStatus tessera_job_agree(TesseraJob *, int32_t *value);

/** Sets `value`, in all processes, to the greatest that any has; all of them
    call it. For what any may find, as damage in a file that it reads. */
TESSERA_EXPORT TesseraStatus tessera_job_greatest(TesseraJob *, int32_t *value);

/** Ends the job for this reason, in all processes, unless it has failed: for a
    process that cannot go on while others do. */
TESSERA_EXPORT void tessera_job_fail(TesseraJob *, const char *message);

/** How many processes a launcher (mpirun, srun, torchrun, ...) has started for
   a back end whose ranks are processes of the host: 1 if there was none, so
   that all ranks would be threads of this process, which may start one for each
    rank instead, as a launcher does. 0 for other back ends. */
TESSERA_EXPORT TesseraStatus tessera_launched_processes(const char *backend,
                                                        int32_t *count);

/** One kernel, collective, message or task that a rank executed. What the rank
    itself did is one event after another, all within tasks where there are
    such; events in the background went on beside it. */
typedef struct TesseraEvent {
  const char *name;     /* the site's */
  const char *location; /* the site's */
  /** "kernel"; the collective: "all_reduce", "all_gather", ..., from its start
     until it is complete; "send" and "recv"; "start" while the rank started a
     collective, and "wait" while it waited for communication in the background,
     both with its name; "task" around the events of a task, whose name is as
     "2F5". */
  const char *kind;
  int64_t begin, end;
  /** Bytes that the collective's operand has on this rank, or the message; 0
     for others. */
  int64_t bytes;
  /** Of a collective, its start and its wait: the communicator, and which of
     its groups; else -1. */
  int32_t communicator, group;
  /** Of a message and its wait: the other rank; else -1. */
  int32_t peer;
  /** Whether it went on beside what the rank did: a collective that was only
     started, and all communication of devices. */
  int32_t background;
  int64_t tag; /* of a message; else 0 */
  /** Of what ranks do together: how many collectives of the group, or messages
     between the two ranks with this tag, came before it in the job. The same
     number on all ranks. */
  int64_t number;
  /** For how long of `end - begin` the rank's thread had a core, which it gives
     away while it waits for others; -1 where that is not known. */
  int64_t busy;
} TesseraEvent;

/** The events of one rank so far, in order of their beginning; valid until the
    job's next step. None unless they were asked for in the options. The process
    of rank 0 has those of all ranks, by its own clock. */
TESSERA_EXPORT void tessera_job_events(const TesseraJob *, int32_t rank,
                                       const TesseraEvent **events,
                                       int64_t *count);

/** The monotonic clock of the events, unless their time is virtual. */
TESSERA_EXPORT int64_t tessera_clock(void);

/** The time of the job's events between its steps: tessera_clock, or that of
    the machine which the ranks pretend to be. */
TESSERA_EXPORT int64_t tessera_job_clock(const TesseraJob *);

/** Writes what the calling thread is executing, as "rank 3 is in kernel 'dot.1'
   at model.py:41:8", into the buffer, zero-terminated; the empty string for a
    thread that executes no rank. May be called from a signal handler. */
TESSERA_EXPORT void tessera_describe_thread(char *buffer, size_t size);

/*===----------------------------------------------------------------------===*\
|* Part 2: what compiled models call, and what they export
|*
|* A model exports one entry per pipeline rank, which its manifest names:
|* `tessera_main`, or `tessera_main_0` and so on. The runtime calls it once per
|* step on each rank with pointers to the rank's local shards, dense row-major
|* and 64-byte aligned, of the arguments and results that live on its pipeline
|* rank, in the manifest's order. Where an argument is donated to a result, both
|* have the same pointer. `arena` is scratch memory of the size in the manifest,
|* 64-byte aligned, with undefined content. The model returns 0, or at once the
|* status of a call below that was not 0.
|*
|* The threads that run a model round to nearest and, on x86, flush denormal
|* numbers to zero, as those of XLA do: they cost a hundred times as much as
|* others and mean nothing in a model.
|*
|* Collectives are called by all members of a group in the same order with the
|* same counts, types and site. A group's order is the communicator's; all its
|* members belong to one pipeline rank. Input and output do not overlap, except
|* where said otherwise.
\*===----------------------------------------------------------------------===*/

/** What a rank needs to run; handed to each call. */
typedef struct TesseraContext TesseraContext;

/** A model's entry. */
typedef int32_t (*TesseraMain)(TesseraContext *context, void *const *arguments,
                               void *const *results, void *arena);

/** Computes iterations [begin, end) of a kernel, reading and writing `buffers`.
    Iterations are independent; a kernel neither blocks nor calls the runtime.
 */
typedef void (*TesseraKernel)(void *const *buffers, int64_t begin, int64_t end);

/** Computes iterations [0, extent) of a kernel on the rank's threads, in ranges
    that begin at multiples of `grain` (at least 1). Returns when all are done.
 */
TESSERA_EXPORT int32_t tessera_rt_launch(TesseraContext *, TesseraKernel kernel,
                                         void *const *buffers, int64_t extent,
                                         int64_t grain, const TesseraSite *);

/** Calls a routine of a library on the rank's own thread, with this memory of
    its operands and results. `description`, static data of the model, names the
    routine and says what it gets: a line of JSON. */
TESSERA_EXPORT int32_t tessera_rt_call_routine(TesseraContext *,
                                               const char *description,
                                               void *const *buffers,
                                               const TesseraSite *);

/** The `dtype` of a tensor map of F32 whose copies round elements to tf32, as
    tensor cores take them. */
#define TESSERA_MAP_TF32 64

/** A tile that asynchronous copies of a GPU kernel move: `box` elements of a
    buffer that has `sizes` elements along each dimension, the innermost first.
    CUDA's tensor map; elements outside of the buffer read as zero. */
typedef struct TesseraTensorMap {
  int32_t buffer; /* number of the launch's buffer */
  int32_t dtype;  /* of the buffer's elements, or TESSERA_MAP_TF32 */
  int32_t rank;
  int32_t swizzle;        /* 0, 32, 64 or 128 bytes */
  const int64_t *sizes;   /* rank */
  const int64_t *strides; /* rank - 1: bytes, of all but the innermost */
  const int64_t *box;     /* rank */
} TesseraTensorMap;

/** A batch of matrices in a buffer of a launch: element (i, j) of matrix b lies
    `offset` bytes and b * batch + i * row + j elements behind the buffer's
    start; if they are transposed, j * row + i. */
typedef struct TesseraMatrix {
  int32_t buffer; /* number of the launch's buffer */
  int32_t dtype;
  int32_t transposed;
  int32_t reserved;
  int64_t offset;
  int64_t row;
  int64_t batch;
} TesseraMatrix;

/** Products that a library (cuBLASLt) computes: for each of `batches`, result =
    left (m x k) x right (k x n), plus a row in each row if there is a bias. The
    operands have one type, F16, BF16 or F32; the result, which is not
    transposed, has it too, or F32. Sums are those of f32. */
typedef struct TesseraLibraryStep {
  int64_t batches, m, n, k;
  TesseraMatrix left, right, result;
  /** The buffer of the n elements that are added to every row, of the result's
      type; -1 for none. */
  int32_t bias;
  /** Whether f32 may be multiplied as tf32. */
  int32_t tf32;
  /** A buffer that the library may overwrite. */
  int32_t workspace;
  int32_t reserved;
  int64_t workspace_bytes;
} TesseraLibraryStep;

/** One grid of thread blocks. The function's parameters are pointers to the
    launch's buffers with the numbers `buffers`. Behind them come the tensor
    maps, one for each of `maps`, by value: 128 bytes, 64-byte aligned. A step
    that is a library's has `library`, and nothing else. */
typedef struct TesseraGridStep {
  const char *symbol;
  int32_t grid[3];
  int32_t block;  /* threads */
  int32_t shared; /* bytes of dynamic shared memory of each block */
  int32_t buffer_count;
  const int32_t *buffers;
  const TesseraTensorMap *maps;
  int32_t map_count;
  int32_t reserved;
  const TesseraLibraryStep *library;
} TesseraGridStep;

/** A kernel's code for one architecture: steps that run one after another. */
typedef struct TesseraGpuVariant {
  /** 80: for every GPU of compute capability 8.0 or more; 90: for those of 9.0
      only (sm_90a), which prefer it. */
  int32_t arch;
  /** The number of the image that has the functions. */
  int32_t module;
  const TesseraGridStep *steps;
  int32_t step_count;
  int32_t reserved;
} TesseraGpuVariant;

/** A GPU kernel; static data of the compiled model. */
typedef struct TesseraGpuKernel {
  const TesseraGpuVariant *variants;
  int32_t variant_count;
  int32_t reserved;
} TesseraGpuKernel;

/** The code of one module of kernels for one architecture. A model for GPUs
    exports `const TesseraGpuImage tessera_gpu_images[]` and `const int64_t
    tessera_gpu_image_count`. */
typedef struct TesseraGpuImage {
  int32_t module;
  int32_t arch; /* as in TesseraGpuVariant */
  /** PTX text, zero-terminated. */
  const char *ptx;
  /** An ELF file for exactly this architecture; NULL where none was made. */
  const void *cubin;
  int64_t cubin_bytes;
} TesseraGpuImage;

/** Starts the steps of a kernel on the rank's GPU, behind everything started
    before, and returns. */
TESSERA_EXPORT int32_t tessera_rt_launch_grid(TesseraContext *,
                                              const TesseraGpuKernel *kernel,
                                              void *const *buffers,
                                              const TesseraSite *);

/** Copies between tensors of the rank that do not overlap; on a GPU in order
    with its kernels. */
TESSERA_EXPORT int32_t tessera_rt_copy(TesseraContext *, const void *source,
                                       void *target, int64_t bytes,
                                       const TesseraSite *);

/** Waits for everything started before and copies from the GPU to the host. */
TESSERA_EXPORT int32_t tessera_rt_read(TesseraContext *, const void *source,
                                       void *host, int64_t bytes);

/** Copies at most 8 bytes of the host to a tensor; on a GPU in order with its
    kernels. `host` may change as soon as this returns. */
TESSERA_EXPORT int32_t tessera_rt_write(TesseraContext *, const void *host,
                                        void *target, int64_t bytes);

/** Copy between tensors of the rank and the arena that it has on the host, of
    the size in the manifest, from byte `offset` of it on. With a future other
    than -1 the copy may be under way until tessera_rt_wait of that number, as a
    collective: until then the source must keep its value, and the target must
    not be touched. */
TESSERA_EXPORT int32_t tessera_rt_offload(TesseraContext *, const void *source,
                                          int64_t offset, int64_t bytes,
                                          int32_t future, const TesseraSite *);
TESSERA_EXPORT int32_t tessera_rt_reload(TesseraContext *, int64_t offset,
                                         void *target, int64_t bytes,
                                         int32_t future, const TesseraSite *);

/* Each collective takes the number of a future before the site: a small one, or
   -1. With -1 it is complete when the call returns. Else it may be under way
   until tessera_rt_wait of that number, which must follow within the step;
   until then `in` must keep its value and `out` must not be touched. */

/** Reduces `count` elements over the group into `out`, which may equal `in`.
    Every member gets the same bits; f16 and bf16 are accumulated in f32. */
TESSERA_EXPORT int32_t tessera_rt_all_reduce(TesseraContext *, const void *in,
                                             void *out, int64_t count,
                                             int32_t dtype, int32_t reduction,
                                             int32_t communicator,
                                             int32_t future,
                                             const TesseraSite *);

/** Concatenates every member's `bytes` bytes into `out`. */
TESSERA_EXPORT int32_t tessera_rt_all_gather(TesseraContext *, const void *in,
                                             void *out, int64_t bytes,
                                             int32_t communicator,
                                             int32_t future,
                                             const TesseraSite *);

/** `in` has one chunk of `count` elements for each member; member i gets the
    reduction over the group of all chunks i. */
TESSERA_EXPORT int32_t tessera_rt_reduce_scatter(
    TesseraContext *, const void *in, void *out, int64_t count, int32_t dtype,
    int32_t reduction, int32_t communicator, int32_t future,
    const TesseraSite *);

/** `in` has one chunk of `bytes` bytes for each member; chunk i of `out` is the
    chunk that member i had for this one. */
TESSERA_EXPORT int32_t tessera_rt_all_to_all(TesseraContext *, const void *in,
                                             void *out, int64_t bytes,
                                             int32_t communicator,
                                             int32_t future,
                                             const TesseraSite *);

/** Sends `bytes` bytes from member i to member targets[i], or to nobody where
    that is -1; a member that nobody sends to gets zeros. No target occurs
    twice; all members pass the same targets, one per member. */
TESSERA_EXPORT int32_t tessera_rt_permute(TesseraContext *, const void *in,
                                          void *out, int64_t bytes,
                                          const int32_t *targets,
                                          int32_t communicator, int32_t future,
                                          const TesseraSite *);

/** Copies `bytes` bytes of member `root` to every member. */
TESSERA_EXPORT int32_t tessera_rt_broadcast(TesseraContext *, const void *in,
                                            void *out, int64_t bytes,
                                            int32_t root, int32_t communicator,
                                            int32_t future,
                                            const TesseraSite *);

/** The collectives from here to tessera_rt_end_combined are the parts of one
    call: they are of one kind and on one communicator, their futures are -1,
   and none of them begins before the end. */
TESSERA_EXPORT int32_t tessera_rt_begin_combined(TesseraContext *);

/** Does the parts since tessera_rt_begin_combined, as one collective with this
    future: with -1 they are complete when the call returns. A part's input does
    not overlap another's output, nor outputs each other. */
TESSERA_EXPORT int32_t tessera_rt_end_combined(TesseraContext *, int32_t future,
                                               const TesseraSite *);

/** Waits until the collective that was started with this future's number is
    complete on this rank; the number is free afterwards. The site is the
    collective's. On a GPU it is the device that waits: what is started on it
    later comes after the collective. */
TESSERA_EXPORT int32_t tessera_rt_wait(TesseraContext *, int32_t future,
                                       const TesseraSite *);

/** The calling rank's position in its group of the communicator; -1 if the
   model has no such communicator. */
TESSERA_EXPORT int64_t tessera_rt_axis_index(TesseraContext *,
                                             int32_t communicator);

/** Sends `bytes` bytes to the same device of pipeline rank `rank`: copies them
   and returns, without waiting for the receiver. Messages with the same tag
   arrive in the order in which they were sent. What nobody has received when
   the step ends fails the job. */
TESSERA_EXPORT int32_t tessera_rt_send(TesseraContext *, const void *in,
                                       int64_t bytes, int32_t rank, int64_t tag,
                                       const TesseraSite *);

/** Waits for a message of `bytes` bytes from the same device of pipeline rank
    `rank`. */
TESSERA_EXPORT int32_t tessera_rt_recv(TesseraContext *, void *out,
                                       int64_t bytes, int32_t rank, int64_t tag,
                                       const TesseraSite *);

/** What the rank executes from here to tessera_rt_end_task is the task that the
    site names. Tasks do not nest. */
TESSERA_EXPORT int32_t tessera_rt_begin_task(TesseraContext *,
                                             const TesseraSite *);
TESSERA_EXPORT int32_t tessera_rt_end_task(TesseraContext *);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_RUNTIME_H */
