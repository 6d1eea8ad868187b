//===- Introduction.h - What a process says of itself at the door ---------===//

#ifndef TESSERA_RUNTIME_PROCESSES_INTRODUCTION_H
#define TESSERA_RUNTIME_PROCESSES_INTRODUCTION_H

#include "tessera/Support/Fallible.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera::processes {

/// What all processes of a job must agree on before they exchange anything,
/// besides their number: fixed sizes, so that it travels as it is.
struct Introduction {
  /// TESSERA_JOB_SECRET, which nobody else knows; empty if it is not set.
  char secret[64] = {};
  /// TESSERA_JOB_ID, and how often the job has been started before,
  /// TESSERA_JOB_GENERATION.
  char job[64] = {};
  int64_t generation = 0;
  /// A checksum of the program.
  uint64_t program = 0;

  /// Of this process; fails if a variable makes no sense.
  static Fallible<Introduction> ofThisProcess(uint64_t program);

  /// Whether the other one knows the secret; takes as long either way.
  bool trusts(const Introduction &other) const;
  /// Why a process of rank `rank` with the same secret is not one of this job,
  /// `mine` being that of rank 0; nothing if it is.
  std::optional<std::string> differsFrom(const Introduction &mine,
                                         int32_t rank) const;
  /// The same, where all are of one job, but run different programs.
  std::optional<std::string> runsOther(const Introduction &mine,
                                       int32_t rank) const;
};

/// Bytes that nobody can guess, as hexadecimal digits.
std::string randomDigits(int bytes);

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_INTRODUCTION_H
