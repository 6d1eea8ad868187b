//===- Transport.h - What carries parcels between processes ---------------===//
//
// The door for back ends whose ranks are processes and compute on the CPU. A
// transport moves parcels: a header of fixed size, and bytes that lie in
// several pieces at either end. It knows nothing of collectives; it must
//
//   - keep the order of the parcels between two ranks,
//   - never wait: what cannot be moved now is moved by a later `progress`,
//   - take a parcel whether or not the receiver expects it: its sink says where
//     the bytes go when the header has come.
//
// Only one thread, the rank's communication thread, calls it, except for
// `wake`.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_TRANSPORT_H
#define TESSERA_RUNTIME_PROCESSES_TRANSPORT_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::processes {

/// Some bytes of a parcel. To be sent, they are only read.
struct Piece {
  std::byte *data = nullptr;
  int64_t bytes = 0;
};

/// What a parcel is for.
enum class ParcelKind : int32_t {
  Collective,  ///< What one member of a group has for another one.
  Message,     ///< From a pipeline rank to another one.
  Description, ///< What a collective or message is, before the first of it.
  State,       ///< To rank 0: the rank waits, or has finished.
  Over,        ///< From rank 0: all have finished.
  Question,    ///< What does the receiver do?
  Answer,      ///< Its text.
};

/// What precedes the bytes. All machines have one byte order.
struct ParcelHeader {
  ParcelKind kind = ParcelKind::Collective;
  /// Of a collective: which of its exchanges this is.
  int32_t phase = 0;
  int32_t communicator = 0;
  int32_t reserved = 0;
  /// Which collective of the communicator; of a message, its tag; else the run.
  int64_t number = 0;
  /// Tells calls and sites apart; see CallRecord.h.
  uint64_t record = 0;
  int64_t bytes = 0;
};

/// What is to be sent.
struct Parcel {
  int32_t peer = 0;
  ParcelHeader header = {};
  /// The bytes, or else `pieces` of memory that stays until `*pending`, unless
  /// it is null, has been decreased by one.
  std::vector<std::byte> owned = {};
  std::span<const Piece> pieces = {};
  int64_t *pending = nullptr;
};

/// Who takes parcels.
class ParcelSink {
public:
  virtual ~ParcelSink() = default;
  /// Where the bytes of the parcel go that begins to come from this rank:
  /// pieces with as many bytes in all, valid until `received`, or until the
  /// transport is gone.
  virtual std::span<const Piece> receiving(int32_t peer,
                                           const ParcelHeader &header) = 0;
  /// All its bytes are there.
  virtual void received(int32_t peer, const ParcelHeader &header) = 0;
};

class Transport {
public:
  virtual ~Transport() = default;

  /// Sends the parcel, now or later.
  virtual void send(Parcel parcel) = 0;
  /// Moves what can be moved without waiting; whether anything was.
  virtual bool progress(ParcelSink &sink) = 0;
  /// Returns when something may be moved, `wake` has been called since the last
  /// call, the time is over, or for no reason.
  virtual void sleep(std::chrono::nanoseconds limit) = 0;
  /// Ends `sleep`; any thread may call it.
  virtual void wake() = 0;
  /// A rank that cannot be reached any more; -1 if there is none.
  virtual int32_t lostPeer() const = 0;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_TRANSPORT_H
