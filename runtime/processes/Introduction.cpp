//===- Introduction.cpp ---------------------------------------------------===//

#include "Introduction.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

using namespace tessera;
using namespace tessera::processes;

/// Copies the variable to a text of that size; fails if it is too long.
static Fallible<void> copyVariable(const char *name, char *text, size_t size) {
  const char *value = std::getenv(name);
  if (!value)
    return {};
  if (std::strlen(value) >= size)
    return Failure{std::string(name) + ": expected at most " +
                   std::to_string(size - 1) + " characters, got " +
                   std::to_string(std::strlen(value))};
  std::strcpy(text, value);
  return {};
}

Fallible<Introduction> Introduction::ofThisProcess(uint64_t program) {
  Introduction mine;
  mine.program = program;
  if (auto copied =
          copyVariable("TESSERA_JOB_SECRET", mine.secret, sizeof mine.secret);
      !copied)
    return copied.failure();
  if (auto copied = copyVariable("TESSERA_JOB_ID", mine.job, sizeof mine.job);
      !copied)
    return copied.failure();
  if (const char *text = std::getenv("TESSERA_JOB_GENERATION")) {
    const char *last = text + std::strlen(text);
    auto [end, error] = std::from_chars(text, last, mine.generation);
    if (error != std::errc() || end != last)
      return Failure{"TESSERA_JOB_GENERATION: expected a number, got '" +
                     std::string(text) + "'"};
  }
  return mine;
}

bool Introduction::trusts(const Introduction &other) const {
  unsigned char difference = 0;
  for (size_t i = 0; i < sizeof secret; ++i)
    difference |= secret[i] ^ other.secret[i];
  return difference == 0;
}

static std::string describeJob(const Introduction &process) {
  return "'" +
         std::string(process.job, strnlen(process.job, sizeof process.job)) +
         "' (generation " + std::to_string(process.generation) + ")";
}

std::optional<std::string> Introduction::differsFrom(const Introduction &mine,
                                                     int32_t rank) const {
  if (std::memcmp(job, mine.job, sizeof job) == 0 &&
      generation == mine.generation)
    return std::nullopt;
  return "rank 0 is of job " + describeJob(mine) + ", rank " +
         std::to_string(rank) + " of job " + describeJob(*this);
}

std::optional<std::string> Introduction::runsOther(const Introduction &mine,
                                                   int32_t rank) const {
  if (program == mine.program)
    return std::nullopt;
  char text[160];
  std::snprintf(text, sizeof text,
                "the processes run different programs: rank 0 one with "
                "checksum %016llx, rank %d one with %016llx",
                static_cast<unsigned long long>(mine.program), rank,
                static_cast<unsigned long long>(program));
  return text;
}

std::string processes::randomDigits(int bytes) {
  std::random_device device;
  std::string digits;
  char pair[4];
  for (int i = 0; i < bytes; ++i) {
    std::snprintf(pair, sizeof pair, "%02x", device() & 255);
    digits += pair;
  }
  return digits;
}
