//===- Backend.cpp - The `local` back end's entry -------------------------===//

#include "World.h"

#include <cstdio>

using namespace tessera::runtime;

/// Far more threads than make sense, and fewer than stop other processes.
static constexpr int32_t rankLimit = 4096;

static World *unwrap(TesseraWorld *world) {
  return reinterpret_cast<World *>(world);
}

static TesseraWorld *open(const TesseraWorldOptions *options, char *error,
                          size_t size) {
  if (options->ranks > rankLimit) {
    std::snprintf(error, size,
                  "the local back end runs at most %d ranks, got %d", rankLimit,
                  options->ranks);
    return nullptr;
  }
  TesseraWorldOptions complete = *options;
  if (complete.timeout == 0)
    complete.timeout = 60;
  auto world = std::make_unique<World>(complete);
  if (*world->error() == '\0')
    return reinterpret_cast<TesseraWorld *>(world.release());
  std::snprintf(error, size, "%s", world->error());
  return nullptr;
}

static void close(TesseraWorld *world) { delete unwrap(world); }

static int32_t isLocal(TesseraWorld *, int32_t) { return true; }

static TesseraStatus run(TesseraWorld *world, TesseraRankBody body,
                         void *data) {
  return unwrap(world)->run(body, data);
}

static int32_t collective(TesseraWorld *world, const TesseraCollective *call) {
  return unwrap(world)->collective(*call);
}

static int32_t wait(TesseraWorld *world, int32_t rank, int32_t future,
                    int64_t *completed) {
  return unwrap(world)->wait(rank, future, completed);
}

static int32_t send(TesseraWorld *world, const TesseraMessage *message,
                    const void *data) {
  return unwrap(world)->send(*message, data);
}

static int32_t recv(TesseraWorld *world, const TesseraMessage *message,
                    void *data) {
  return unwrap(world)->recv(*message, data);
}

static int64_t clock(TesseraWorld *world, int32_t rank) {
  return unwrap(world)->clock(rank);
}

static void compute(TesseraWorld *world, int32_t rank, int64_t nanoseconds) {
  unwrap(world)->compute(rank, nanoseconds);
}

static void fail(TesseraWorld *world, const char *message) {
  unwrap(world)->fail(message);
}

static const char *error(TesseraWorld *world) { return unwrap(world)->error(); }

extern "C" TESSERA_EXPORT const TesseraBackend *tessera_backend(void) {
  static const TesseraBackend backend = {TESSERA_BACKEND_VERSION,
                                         "local",
                                         open,
                                         close,
                                         isLocal,
                                         run,
                                         collective,
                                         wait,
                                         send,
                                         recv,
                                         fail,
                                         error,
                                         "cpu",
                                         nullptr,
                                         nullptr,
                                         clock,
                                         compute};
  return &backend;
}
