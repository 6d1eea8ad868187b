//===- SocketTransport.cpp ------------------------------------------------===//

#include "SocketTransport.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::sockets;
using namespace tessera::processes;

/// Bytes to and from one rank before others have their turn.
static constexpr int64_t turnBytes = 1 << 20;

/// More than any parcel has.
static constexpr int64_t parcelLimit = int64_t(1) << 40;

SocketTransport::SocketTransport(std::vector<PeerConnection> peers)
    : links(peers.size()), bell(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  for (size_t i = 0; i < peers.size(); ++i) {
    links[i].connection = std::move(peers[i]);
    links[i].isOpen = links[i].connection.socket >= 0;
  }
}

SocketTransport::~SocketTransport() {
  for (Link &link : links)
    if (link.connection.socket >= 0)
      ::close(link.connection.socket);
  ::close(bell);
}

void SocketTransport::send(Parcel parcel) {
  links[parcel.peer].outgoing.push_back(std::move(parcel));
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// What a call of the system has moved, 0 for nothing now.
int64_t SocketTransport::end(Link &link, int64_t count) {
  if (count > 0)
    return count;
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return 0;
  link.isOpen = false;
  if (lost < 0)
    lost = static_cast<int32_t>(&link - links.data());
  return 0;
}

/// Wakes the other side, if it sleeps. A full stream has enough bells in it.
void SocketTransport::ring(Link &link) {
  char one = 1;
  if (link.connection.rings->mustWakeOther())
    (void)::send(link.connection.socket, &one, 1, MSG_NOSIGNAL);
}

int64_t SocketTransport::write(Link &link, const std::byte *bytes,
                               int64_t count) {
  if (!link.isOpen)
    return 0;
  if (!link.connection.rings)
    return end(link,
               ::send(link.connection.socket, bytes, count, MSG_NOSIGNAL));
  return link.connection.rings->write(bytes, count);
}

int64_t SocketTransport::read(Link &link, std::byte *bytes, int64_t count) {
  // What a rank has written before it ended stays in the ring.
  if (link.connection.rings)
    return link.connection.rings->read(bytes, count);
  if (!link.isOpen)
    return 0;
  return end(link, ::recv(link.connection.socket, bytes, count, 0));
}

//===----------------------------------------------------------------------===//
// Parcels
//===----------------------------------------------------------------------===//

/// Writes what can be written of the parcels to a rank, in their order: of each
/// its header, then its pieces. Whether anything was.
bool SocketTransport::sendSome(Link &link) {
  int64_t moved = 0;
  while (!link.outgoing.empty() && moved < turnBytes) {
    Parcel &parcel = link.outgoing.front();
    Position &at = link.sent;
    Piece next = {reinterpret_cast<std::byte *>(&parcel.header),
                  sizeof parcel.header};
    if (!at.inHeader) {
      std::span<const Piece> pieces = parcel.pieces;
      link.ownedPiece.clear();
      if (!parcel.owned.empty()) {
        link.ownedPiece.push_back(
            {parcel.owned.data(), static_cast<int64_t>(parcel.owned.size())});
        pieces = link.ownedPiece;
      }
      if (at.piece == pieces.size()) {
        if (parcel.pending)
          --*parcel.pending;
        link.outgoing.pop_front();
        at = {};
        ++moved;
        continue;
      }
      next = pieces[at.piece];
    }
    int64_t count = write(link, next.data + at.offset, next.bytes - at.offset);
    if (count == 0)
      break;
    moved += count;
    at.offset += count;
    if (at.offset < next.bytes)
      continue;
    at.offset = 0;
    at.piece += !at.inHeader;
    at.inHeader = false;
  }
  return moved > 0;
}

/// Reads what is there of the parcels from a rank; the sink says with each
/// header where the bytes go. Whether anything was.
bool SocketTransport::receiveSome(Link &link, int32_t peer, ParcelSink &sink) {
  int64_t moved = 0;
  while (moved < turnBytes) {
    Position &at = link.got;
    Piece next = {reinterpret_cast<std::byte *>(&link.header),
                  sizeof link.header};
    if (!at.inHeader) {
      if (at.piece == link.coming.size()) {
        at = {};
        ++moved;
        sink.received(peer, link.header);
        continue;
      }
      next = link.coming[at.piece];
    }
    int64_t count = read(link, next.data + at.offset, next.bytes - at.offset);
    if (count == 0)
      break;
    moved += count;
    at.offset += count;
    if (at.offset < next.bytes)
      continue;
    at.offset = 0;
    at.piece += !at.inHeader;
    if (at.inHeader) {
      link.header.bytes =
          std::clamp<int64_t>(link.header.bytes, 0, parcelLimit);
      link.coming = sink.receiving(peer, link.header);
    }
    at.inHeader = false;
  }
  return moved > 0;
}

bool SocketTransport::progress(ParcelSink &sink) {
  bool moved = false;
  for (size_t i = 0; i < links.size(); ++i) {
    Link &link = links[i];
    if (link.connection.socket < 0)
      continue;
    bool now = sendSome(link);
    now |= receiveSome(link, static_cast<int32_t>(i), sink);
    if (now && link.connection.rings)
      ring(link);
    moved |= now;
  }
  return moved;
}

//===----------------------------------------------------------------------===//
// Sleeping
//===----------------------------------------------------------------------===//

void SocketTransport::wake() {
  isWoken = true;
  uint64_t one = 1;
  if (isAsleep && ::write(bell, &one, sizeof one) < 0)
    return; // It is full: nobody sleeps.
}

bool SocketTransport::canMove(const Link &link) const {
  const RingPair &rings = *link.connection.rings;
  return rings.canRead() || (!link.outgoing.empty() && rings.canWrite());
}

/// Takes the bytes that only said that there is something in a ring.
void SocketTransport::drainBells() {
  char bytes[256];
  for (Link &link : links)
    if (link.connection.rings && link.isOpen)
      while (end(link, ::recv(link.connection.socket, bytes, sizeof bytes,
                              0)) == sizeof bytes) {
      }
  uint64_t count;
  if (::read(bell, &count, sizeof count) < 0)
    return; // Nobody has rung.
}

void SocketTransport::sleep(std::chrono::nanoseconds limit) {
  isAsleep = true;
  bool hasWork = isWoken.exchange(false);
  std::vector<pollfd> waiting = {{bell, POLLIN, 0}};
  for (Link &link : links) {
    if (!link.isOpen)
      continue;
    short events = POLLIN;
    if (link.connection.rings) {
      link.connection.rings->setAsleep(true);
      hasWork |= canMove(link);
    } else if (!link.outgoing.empty()) {
      events |= POLLOUT;
    }
    waiting.push_back({link.connection.socket, events, 0});
  }
  timespec time = {limit.count() / 1'000'000'000,
                   limit.count() % 1'000'000'000};
  if (!hasWork)
    ppoll(waiting.data(), waiting.size(), &time, nullptr);
  isAsleep = false;
  isWoken = false;
  for (Link &link : links)
    if (link.connection.rings)
      link.connection.rings->setAsleep(false);
  drainBells();
}
