//===- XlaCalls.cpp - Steps that compiled code of XLA asks for ------------===//
//
// XLA calls a handler with the memory of global tensors on one of its devices.
// Compiled code may outlive what Python knows of it, and be at work when that
// is gone: it holds the program by a state that XLA destroys with the code.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/CallFrame.h"
#include "tessera/runtime.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

/// A program with its job. Steps follow each other.
struct TesseraXlaCalls {
  /// Its own.
  TesseraProgram *program = nullptr;
  TesseraJobOptions options = {};
  std::string backend;
  /// Of who made it, and of compiled code.
  std::atomic<int> references = 1;

  std::mutex mutex;
  /// Null before the first step, and after one that has failed.
  TesseraJob *job = nullptr;

  std::string step(const TesseraCallFrame &frame);
  void release();
};

void TesseraXlaCalls::release() {
  if (--references > 0)
    return;
  if (job)
    tessera_job_destroy(job);
  tessera_program_destroy(program);
  delete this;
}

/// Does a step on the memory of `frame`. Returns the message of what has
/// failed.
std::string TesseraXlaCalls::step(const TesseraCallFrame &frame) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!job && tessera_job_create(program, &options, &job) != TESSERA_OK)
    return tessera_error_message();
  std::vector<const void *> read;
  for (int64_t i = 1; i < frame.operands.size; ++i)
    read.push_back(frame.operands.buffers[i]->data);
  std::vector<void *> written;
  for (int64_t i = 0; i < frame.results.size; ++i)
    written.push_back(frame.results.buffers[i]->data);
  TesseraCall call = {};
  call.size = sizeof call;
  call.arguments = read.data();
  call.results = written.data();
  TesseraStatus status = tessera_job_call(job, &call);
  if (status == TESSERA_OK)
    return {};
  std::string message = tessera_error_message();
  if (status == TESSERA_FAILED) {
    tessera_job_destroy(job);
    job = nullptr;
  }
  return message;
}

/// What XLA knows the state of compiled code by: it writes the number here when
/// the type is registered.
static int64_t stateType = 0;
/// The stage of a frame at which compiled code is made.
static constexpr int32_t kInstantiate = 0;

namespace {

/// What XLA asks of a handler when it is registered: extension 1 of the frame.
struct Metadata {
  size_t structSize;
  size_t versionSize;
  void *versionExtension;
  int32_t major, minor;
  uint32_t traits;
  int64_t stateType;
};
struct MetadataExtension {
  size_t structSize;
  int32_t type;
  MetadataExtension *next;
  Metadata *metadata;
};

struct StateArguments {
  size_t structSize;
  void *extension, *context;
  int32_t stage;
  int64_t *type;
  void *state;
};

/// XLA_FFI_TypeInfo.
struct TypeInfo {
  size_t structSize;
  void *extension;
  void (*destroy)(void *);
};

} // namespace

/// The place of XLA_FFI_State_Set in the table of a frame.
static constexpr size_t kSetState = 6;

/// Keeps `calls` for as long as the code that `frame` belongs to. Returns an
/// error of XLA, null for success.
static TesseraRoutineError *hold(const TesseraCallFrame &frame,
                                 TesseraXlaCalls &calls) {
  StateArguments arguments = {sizeof arguments, nullptr,    frame.context,
                              frame.stage,      &stateType, &calls};
  ++calls.references;
  auto *error = reinterpret_cast<TesseraRoutineError *(*)(StateArguments *)>(
      frame.api->others[kSetState])(&arguments);
  if (error)
    calls.release();
  return error;
}

/// The object that the parameter of `frame` is the address of.
static TesseraXlaCalls &callsOf(const TesseraCallFrame &frame) {
  uint64_t address = 0;
  std::memcpy(
      &address,
      static_cast<const TesseraCallScalar *>(frame.parameters.values[0])->value,
      sizeof address);
  return *reinterpret_cast<TesseraXlaCalls *>(address);
}

//===----------------------------------------------------------------------===//
// The C interface
//===----------------------------------------------------------------------===//

TesseraStatus tessera_xla_calls_create(TesseraProgram *program,
                                       const TesseraJobOptions *options,
                                       TesseraXlaCalls **calls) {
  auto *made = new TesseraXlaCalls;
  made->program = program;
  std::memcpy(&made->options, options,
              std::min(options->size, sizeof made->options));
  made->options.size = sizeof made->options;
  if (options->backend) {
    made->backend = options->backend;
    made->options.backend = made->backend.c_str();
  }
  *calls = made;
  return TESSERA_OK;
}

void tessera_xla_calls_destroy(TesseraXlaCalls *calls) { calls->release(); }

const void *tessera_xla_state_type(int32_t part) {
  static const TypeInfo info = {
      sizeof info, nullptr,
      [](void *state) { static_cast<TesseraXlaCalls *>(state)->release(); }};
  return part == 0 ? static_cast<const void *>(&stateType) : &info;
}

void *tessera_xla_call(void *data) {
  const auto &frame = *static_cast<const TesseraCallFrame *>(data);
  for (auto *extension = static_cast<MetadataExtension *>(frame.extension);
       extension; extension = extension->next)
    if (extension->type == 1) {
      Metadata &metadata = *extension->metadata;
      metadata.major = 0;
      metadata.minor = 3;
      if (metadata.structSize >= sizeof metadata && frame.stage == kInstantiate)
        metadata.stateType = stateType;
      return nullptr;
    }
  if (frame.stage == kInstantiate)
    return hold(frame, callsOf(frame));
  std::string message = callsOf(frame).step(frame);
  if (message.empty())
    return nullptr;
  TesseraRoutineErrorArguments arguments = {sizeof arguments, nullptr,
                                            message.c_str(), /*code=*/13};
  return frame.api->create_error(&arguments);
}
