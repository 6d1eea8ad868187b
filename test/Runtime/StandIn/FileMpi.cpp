//===- FileMpi.cpp - MPI between processes, over a file -------------------===//
//
// What of MPI the back end `cuda` calls, with the binary interface of MPICH, as
// libmpi.so.12: a broadcast leaves the bytes of rank 0 in a file. Variables are
// TESSERA_STANDIN_FOLDER, those of PMI, and
//
//   TESSERA_STANDIN_MPI_SIZE  how many processes it counts (PMI_SIZE)
//
//===----------------------------------------------------------------------===//

#include "tessera/runtime.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

static bool begun = false, ended = false;

/// The number that a variable holds.
static int numberIn(const char *variable) {
  const char *text = std::getenv(variable);
  return text ? std::atoi(text) : -1;
}

static std::string path() {
  return std::string(std::getenv("TESSERA_STANDIN_FOLDER")) + "/broadcast";
}

extern "C" {

TESSERA_EXPORT int MPI_Initialized(int *flag) { return *flag = begun, 0; }
TESSERA_EXPORT int MPI_Finalized(int *flag) { return *flag = ended, 0; }
TESSERA_EXPORT int MPI_Init(int *, char ***) { return begun = true, 0; }
TESSERA_EXPORT int MPI_Finalize() {
  std::ofstream(path() + ".ended" + std::to_string(numberIn("PMI_RANK")));
  return ended = true, 0;
}

TESSERA_EXPORT int MPI_Comm_rank(int world, int *rank) {
  *rank = numberIn("PMI_RANK");
  return world == 0x44000000 ? 0 : 5; // MPI_ERR_COMM
}

TESSERA_EXPORT int MPI_Comm_size(int world, int *size) {
  bool isTold = std::getenv("TESSERA_STANDIN_MPI_SIZE") != nullptr;
  *size = numberIn(isTold ? "TESSERA_STANDIN_MPI_SIZE" : "PMI_SIZE");
  return world == 0x44000000 ? 0 : 5;
}

TESSERA_EXPORT int MPI_Bcast(void *data, int count, int type, int root,
                             int world) {
  if (type != 0x4c00010d || root != 0 || world != 0x44000000)
    return 3; // MPI_ERR_TYPE
  auto *bytes = static_cast<char *>(data);
  if (numberIn("PMI_RANK") == 0) {
    std::ofstream(path() + ".part", std::ios::binary).write(bytes, count);
    std::filesystem::rename(path() + ".part", path());
    return 0;
  }
  while (!std::filesystem::exists(path()))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::ifstream(path(), std::ios::binary).read(bytes, count);
  return 0;
}

} // extern "C"
