//===- SocketTransport.h - Parcels over streams and rings -----------------===//

#ifndef TESSERA_RUNTIME_SOCKETS_SOCKETTRANSPORT_H
#define TESSERA_RUNTIME_SOCKETS_SOCKETTRANSPORT_H

#include "../processes/Transport.h"
#include "PeerConnections.h"

#include <deque>

namespace tessera::sockets {

/// A parcel is its header and its bytes behind each other, on a stream of bytes
/// to each rank: a socket, or a ring in shared memory. A rank that sleeps waits
/// for its sockets, and for one byte on the socket of a ring whose other end
/// has done something.
class SocketTransport : public processes::Transport {
public:
  explicit SocketTransport(std::vector<PeerConnection> peers);
  ~SocketTransport() override;

  void send(processes::Parcel parcel) override;
  bool progress(processes::ParcelSink &sink) override;
  void sleep(std::chrono::nanoseconds limit) override;
  void wake() override;
  int32_t lostPeer() const override { return lost; }

private:
  /// Of a parcel under way: the header, then the pieces.
  struct Position {
    size_t piece = 0;
    int64_t offset = 0; ///< In the piece, or in the header before the first.
    bool inHeader = true;
  };
  struct Link {
    PeerConnection connection;
    bool isOpen = true;
    std::deque<processes::Parcel> outgoing;
    std::vector<processes::Piece> ownedPiece; ///< Of the first one's own bytes.
    Position sent;
    processes::ParcelHeader header;
    std::span<const processes::Piece> coming;
    Position got;
  };

  bool sendSome(Link &link);
  bool receiveSome(Link &link, int32_t peer, processes::ParcelSink &sink);
  int64_t write(Link &link, const std::byte *bytes, int64_t count);
  int64_t read(Link &link, std::byte *bytes, int64_t count);
  int64_t end(Link &link, int64_t count);
  void ring(Link &link);
  bool canMove(const Link &link) const;
  void drainBells();

  std::vector<Link> links; ///< By rank.
  int32_t lost = -1;
  int bell; ///< An eventfd.
  std::atomic<bool> isAsleep = false, isWoken = false;
};

} // namespace tessera::sockets

#endif // TESSERA_RUNTIME_SOCKETS_SOCKETTRANSPORT_H
