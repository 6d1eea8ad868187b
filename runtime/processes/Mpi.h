//===- Mpi.h - Where to meet, by MPI --------------------------------------===//
//
// Processes of an MPI launcher can tell each other where rank 0 listens without
// anybody's help: by one broadcast. Nothing else goes through MPI. Its library
// is that of the launcher, loaded at run time; the two binary interfaces that
// there are (Open MPI's, and that of MPICH, Intel MPI and MVAPICH) are told
// apart by what it exports.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_MPI_H
#define TESSERA_RUNTIME_PROCESSES_MPI_H

#include <cstdint>
#include <memory>
#include <string>

namespace tessera::processes {

/// MPI, from its initialisation to its finalisation; left as it is where the
/// program uses it too.
class Mpi {
public:
  /// Where rank 0 listens; no port if it cannot.
  struct MeetingPoint {
    char host[256];
    uint16_t port;

    /// The host, or 127.0.0.1 on it.
    std::string address() const;
  };
  static MeetingPoint meetingPointHere(uint16_t port);

  /// Null if there is no library, it is finalised, or it counts the processes
  /// in another way: not the launcher's. All processes call it.
  static std::unique_ptr<Mpi> open(int32_t rank, int32_t size);
  ~Mpi();
  Mpi(const Mpi &) = delete;

  /// Gives every process what rank 0 has.
  void broadcast(MeetingPoint &point);

private:
  explicit Mpi(void *library) : library(library) {}
  template <typename Function> Function *look(const char *symbol) const;
  /// The number that a function says of MPI_COMM_WORLD.
  int32_t ask(const char *function);

  void *library;
  /// Of Open MPI, whose handles are addresses; null in MPICH's, where they are
  /// numbers.
  void *world = nullptr, *byte = nullptr;
  bool isOurs = false;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_MPI_H
