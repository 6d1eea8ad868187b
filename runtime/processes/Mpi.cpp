//===- Mpi.cpp ------------------------------------------------------------===//

#include "Mpi.h"

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::processes;

/// MPI_COMM_WORLD and MPI_BYTE of MPICH's interface.
static constexpr int mpichWorld = 0x44000000, mpichByte = 0x4c00010d;

static std::string hostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

Mpi::MeetingPoint Mpi::meetingPointHere(uint16_t port) {
  MeetingPoint point = {};
  std::snprintf(point.host, sizeof point.host, "%s", hostName().c_str());
  point.port = port;
  return point;
}

std::string Mpi::MeetingPoint::address() const {
  return host == hostName() ? "127.0.0.1" : host;
}

template <typename Function> Function *Mpi::look(const char *symbol) const {
  return reinterpret_cast<Function *>(dlsym(library, symbol));
}

/// The library of the launcher, Open MPI, or MPICH and its relatives (under two
/// names). Its parts find each other only if its symbols are global.
static void *loadLibrary() {
  bool isOpenMpi = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  const char *file = isOpenMpi ? "libmpi.so.40" : "libmpi.so.12";
  if (void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL))
    return library;
  return isOpenMpi ? nullptr : dlopen("libmpich.so.12", RTLD_NOW | RTLD_GLOBAL);
}

std::unique_ptr<Mpi> Mpi::open(int32_t rank, int32_t size) {
  void *library = loadLibrary();
  if (!library)
    return nullptr;
  std::unique_ptr<Mpi> mpi(new Mpi(library));
  for (const char *symbol :
       {"MPI_Initialized", "MPI_Finalized", "MPI_Init", "MPI_Finalize",
        "MPI_Bcast", "MPI_Comm_rank", "MPI_Comm_size"})
    if (!mpi->look<void>(symbol))
      return nullptr;
  mpi->world = dlsym(library, "ompi_mpi_comm_world");
  mpi->byte = dlsym(library, "ompi_mpi_byte");
  int begun = 0, ended = 0;
  mpi->look<int(int *)>("MPI_Initialized")(&begun);
  mpi->look<int(int *)>("MPI_Finalized")(&ended);
  if (ended)
    return nullptr;
  if (!begun)
    mpi->isOurs =
        mpi->look<int(int *, char ***)>("MPI_Init")(nullptr, nullptr) == 0;
  if (!begun && !mpi->isOurs)
    return nullptr;
  bool isLaunchers =
      mpi->ask("MPI_Comm_rank") == rank && mpi->ask("MPI_Comm_size") == size;
  return isLaunchers ? std::move(mpi) : nullptr;
}

Mpi::~Mpi() {
  if (isOurs)
    look<int()>("MPI_Finalize")();
}

int32_t Mpi::ask(const char *function) {
  int number = -1;
  if (world)
    look<int(void *, int *)>(function)(world, &number);
  else
    look<int(int, int *)>(function)(mpichWorld, &number);
  return number;
}

void Mpi::broadcast(MeetingPoint &point) {
  constexpr int bytes = sizeof point, root = 0;
  if (world)
    look<int(void *, int, void *, int, void *)>("MPI_Bcast")(&point, bytes,
                                                             byte, root, world);
  else
    look<int(void *, int, int, int, int)>("MPI_Bcast")(&point, bytes, mpichByte,
                                                       root, mpichWorld);
}
