//===- Api.cpp - The C interface for programs that embed the runtime ------===//

#include "job/BackendLoader.h"
#include "job/Job.h"
#include "tessera/pieces.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tessera;
using namespace tessera::runtime;

static thread_local std::string lastError;

static TesseraStatus report(TesseraStatus status, const std::string &message) {
  lastError = message;
  return status;
}

static TesseraStatus report(const JobStatus &failure) {
  return failure ? report(failure->status, failure->message) : TESSERA_OK;
}

static const Program &unwrap(const TesseraProgram *program) {
  return *reinterpret_cast<const Program *>(program);
}

static Job &unwrap(TesseraJob *job) { return *reinterpret_cast<Job *>(job); }

extern "C" {

int32_t tessera_abi_version(void) { return TESSERA_ABI_VERSION; }

const char *tessera_version(void) { return TESSERA_VERSION; }

const char *tessera_error_message(void) { return lastError.c_str(); }

TesseraStatus tessera_program_load(const char *path, TesseraProgram **program) {
  Fallible<std::unique_ptr<Program>> loaded = Program::load(path);
  if (!loaded)
    return report(TESSERA_INVALID, loaded.message());
  *program = reinterpret_cast<TesseraProgram *>(loaded->release());
  return TESSERA_OK;
}

void tessera_program_destroy(TesseraProgram *program) {
  delete reinterpret_cast<Program *>(program);
}

const char *tessera_program_manifest(const TesseraProgram *program) {
  return unwrap(program).manifest().text.c_str();
}

int32_t tessera_program_ranks(const TesseraProgram *program) {
  return unwrap(program).manifest().ranks();
}

const char *tessera_program_mesh(const TesseraProgram *program) {
  return unwrap(program).meshText().c_str();
}

int32_t tessera_program_argument_count(const TesseraProgram *program) {
  return static_cast<int32_t>(unwrap(program).arguments().size());
}

int32_t tessera_program_result_count(const TesseraProgram *program) {
  return static_cast<int32_t>(unwrap(program).results().size());
}

const TesseraTensor *tessera_program_argument(const TesseraProgram *program,
                                              int32_t index) {
  return &unwrap(program).arguments()[index];
}

const TesseraTensor *tessera_program_result(const TesseraProgram *program,
                                            int32_t index) {
  return &unwrap(program).results()[index];
}

int32_t tessera_program_entry_count(const TesseraProgram *program) {
  return static_cast<int32_t>(unwrap(program).entryPoints().size());
}

const char *tessera_program_entry_name(const TesseraProgram *program,
                                       int32_t index) {
  return unwrap(program).entryPoints()[index]->manifest().entryPoint.c_str();
}

const TesseraProgram *tessera_program_entry(const TesseraProgram *program,
                                            int32_t index) {
  return reinterpret_cast<const TesseraProgram *>(
      unwrap(program).entryPoints()[index]);
}

TesseraStatus tessera_job_create(const TesseraProgram *program,
                                 const TesseraJobOptions *options,
                                 TesseraJob **job) {
  // A caller built with another header may know fewer fields, or more.
  TesseraJobOptions known = {};
  std::memcpy(&known, options, std::min(options->size, sizeof known));
  std::unique_ptr<Job> made;
  if (JobStatus failure = Job::create(unwrap(program), known, made))
    return report(failure);
  *job = reinterpret_cast<TesseraJob *>(made.release());
  return TESSERA_OK;
}

void tessera_job_destroy(TesseraJob *job) {
  delete reinterpret_cast<Job *>(job);
}

TesseraStatus tessera_job_enter(TesseraJob *job, int32_t index) {
  return report(unwrap(job).enter(index));
}

TesseraStatus tessera_job_set_argument(TesseraJob *job, int32_t index,
                                       const void *data) {
  return report(
      unwrap(job).setArgument(index, static_cast<const std::byte *>(data)));
}

TesseraStatus tessera_job_get_argument(TesseraJob *job, int32_t index,
                                       void *data) {
  return report(unwrap(job).getArgument(index, static_cast<std::byte *>(data)));
}

TesseraStatus tessera_job_divide(TesseraJob *job, const int32_t *arguments,
                                 int32_t argument_count,
                                 const TesseraPiece **pieces,
                                 int64_t *piece_count) {
  static thread_local std::vector<TesseraPiece> views;
  views.clear();
  if (JobStatus failure =
          unwrap(job).divide({arguments, static_cast<size_t>(argument_count)}))
    return report(failure);
  for (const Job::Piece &piece : unwrap(job).pieces())
    views.push_back({piece.argument, piece.holding.rank, piece.box.begin.data(),
                     piece.box.size.data()});
  *pieces = views.data();
  *piece_count = static_cast<int64_t>(views.size());
  return TESSERA_OK;
}

int32_t tessera_job_has_rank(const TesseraJob *job, int32_t rank) {
  return reinterpret_cast<const Job *>(job)->hasRank(rank);
}

TesseraStatus tessera_job_get_piece(TesseraJob *job, int64_t number,
                                    void *data) {
  return report(unwrap(job).getPiece(number, static_cast<std::byte *>(data)));
}

TesseraStatus tessera_job_begin_argument(TesseraJob *job, int32_t index) {
  return report(unwrap(job).beginArgument(index));
}

/// A box of the argument that was begun.
static TensorBox boxFor(const Job &job, const int64_t *begin,
                        const int64_t *size) {
  size_t dims = job.begunDimensions();
  return {Shape(begin, begin + dims), Shape(size, size + dims)};
}

int32_t tessera_job_needs_box(const TesseraJob *job, const int64_t *begin,
                              const int64_t *size) {
  const Job &known = *reinterpret_cast<const Job *>(job);
  return known.needsBox(boxFor(known, begin, size));
}

TesseraStatus tessera_job_set_box(TesseraJob *job, const int64_t *begin,
                                  const int64_t *size, const void *data) {
  return report(unwrap(job).setBox(boxFor(unwrap(job), begin, size),
                                   static_cast<const std::byte *>(data)));
}

TesseraStatus tessera_job_end_argument(TesseraJob *job) {
  return report(unwrap(job).endArgument());
}

TesseraStatus tessera_job_step(TesseraJob *job) {
  return report(unwrap(job).step());
}

TesseraStatus tessera_job_call(TesseraJob *job, const TesseraCall *call) {
  TesseraCall known = {};
  std::memcpy(&known, call, std::min(call->size, sizeof known));
  return report(unwrap(job).call(known));
}

TesseraStatus tessera_job_get_result(TesseraJob *job, int32_t index,
                                     void *data) {
  return report(unwrap(job).getResult(index, static_cast<std::byte *>(data)));
}

int32_t tessera_job_leads(const TesseraJob *job) {
  return reinterpret_cast<const Job *>(job)->leads();
}

TesseraStatus tessera_job_agree(TesseraJob *job, int32_t *value) {
  return report(unwrap(job).agree(*value));
}

TesseraStatus tessera_job_greatest(TesseraJob *job, int32_t *value) {
  return report(unwrap(job).greatest(*value));
}

void tessera_job_fail(TesseraJob *job, const char *message) {
  unwrap(job).fail(message);
}

TesseraStatus tessera_launched_processes(const char *name, int32_t *count) {
  auto backend = loadBackend(name);
  if (!backend)
    return report(JobFailure::invalid(backend.message()));
  *count = 0;
  if (!(*backend)->processes || !(*backend)->processes->launched)
    return TESSERA_OK;
  char error[512] = "";
  *count = (*backend)->processes->launched(error, sizeof error);
  return *count > 0 ? TESSERA_OK : report(JobFailure::invalid(error));
}

int64_t tessera_job_clock(const TesseraJob *job) {
  return reinterpret_cast<const Job *>(job)->clock();
}

void tessera_job_events(const TesseraJob *job, int32_t rank,
                        const TesseraEvent **events, int64_t *count) {
  const std::vector<TesseraEvent> *list =
      reinterpret_cast<const Job *>(job)->events(rank);
  *events = list ? list->data() : nullptr;
  *count = list ? static_cast<int64_t>(list->size()) : 0;
}

void tessera_describe_thread(char *buffer, size_t size) {
  const TesseraContext *context = contextOfThread();
  if (size == 0)
    return;
  buffer[0] = '\0';
  if (!context)
    return;
  int length = std::snprintf(buffer, size, "rank %d ", context->rank);
  if (length > 0 && static_cast<size_t>(length) < size)
    context->describe(buffer + length, size - length);
}

} // extern "C"
