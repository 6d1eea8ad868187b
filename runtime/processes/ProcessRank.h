//===- ProcessRank.h - Which of a job's processes this one is -------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_PROCESSRANK_H
#define TESSERA_RUNTIME_PROCESSES_PROCESSRANK_H

#include "tessera/Support/Fallible.h"

#include <cstdint>
#include <functional>
#include <string>

namespace tessera::processes {

/// What the launcher has told this process.
struct ProcessRank {
  int32_t rank = 0, size = 1;
  /// The process's number on its machine, -1 if unknown.
  int32_t localRank = -1;
  /// Where rank 0 listens; an empty address if the variables do not say.
  std::string address = "127.0.0.1";
  uint16_t port = 0;
  /// Whether an MPI launcher has started the processes, and nobody has said
  /// where they are to meet: MPI itself may tell them.
  bool mayAskMpi = false;
  /// A socket that listens there already, which rank 0 has been given; else -1.
  int listener = -1;
};

/// The value of an environment variable; null if it is not set.
using Environment = std::function<const char *(const char *name)>;

/// Reads the variables of the launchers that we know, the first that is there:
/// RANK and WORLD_SIZE (torchrun, Kubernetes operators), Open MPI's, those of
/// PMI (MPICH, Intel MPI), Slurm's, the index of a Kubernetes job with
/// WORLD_SIZE. MASTER_ADDR, MASTER_PORT and LOCAL_RANK
/// count with all of them. Without any, this is the only process.
Fallible<ProcessRank> findProcessRank(const Environment &environment);

/// The first host of a Slurm node list: `a1` of `a[1-3,7],b2`, `n01` of
/// `n[01-16]`.
std::string firstNode(const std::string &list);

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_PROCESSRANK_H
