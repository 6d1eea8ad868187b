//===- Relay.cpp ----------------------------------------------------------===//

#include "Relay.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cuda;

Relay::Relay(int listener, int32_t size, Patience patience)
    : listener(listener), size(size), patience(std::move(patience)),
      connections(size), acceptor([this] { acceptAll(); }) {}

Relay::~Relay() {
  acceptor.join();
  for (std::thread &server : servers)
    server.join();
}

std::vector<int32_t> Relay::missing() const {
  std::vector<int32_t> ranks;
  for (int32_t rank = 0; rank < size; ++rank)
    if (!connections[rank])
      ranks.push_back(rank);
  return ranks;
}

void Relay::failAll(const std::string &message) {
  std::lock_guard lock(mutex);
  if (hasFailed)
    return;
  hasFailed = true;
  FrameHeader header = {.kind = FrameKind::Failure};
  header.bytes = static_cast<int64_t>(message.size());
  for (const std::unique_ptr<Connection> &connection : connections)
    if (connection)
      connection->write(header, message.data(), nullptr);
}

void Relay::admit(std::unique_ptr<Connection> connection) {
  Frame hello;
  if (!connection->read(hello) || hello.header.kind != FrameKind::Hello)
    return; // A stranger.
  int32_t rank = hello.header.source, theirs = hello.header.target;
  std::string why;
  if (theirs != size || rank < 0 || rank >= size)
    why = "the processes disagree: rank 0 is one of " + std::to_string(size) +
          ", rank " + std::to_string(rank) + " one of " +
          std::to_string(theirs);
  else if (connections[rank])
    why = "two processes say that they are rank " + std::to_string(rank);
  if (!why.empty()) {
    FrameHeader header = {.kind = FrameKind::Failure};
    header.bytes = static_cast<int64_t>(why.size());
    connection->write(header, why.data(), nullptr);
    return failAll(why);
  }
  std::lock_guard lock(mutex);
  connections[rank] = std::move(connection);
  ++present;
}

void Relay::acceptAll() {
  while (present < size && !hasFailed) {
    pollfd waiting = {listener, POLLIN, 0};
    int ready = poll(&waiting, 1, 100);
    if (ready > 0) {
      int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0)
        admit(std::make_unique<Connection>(socket));
    }
    if (present == size)
      break;
    if (std::optional<std::string> failure = patience.check(missing()))
      failAll(*failure);
  }
  // Whoever is here already may come to the next job's door before it is open,
  // and must not find this one.
  ::close(listener);
  if (hasFailed)
    return;
  for (int32_t rank = 0; rank < size; ++rank)
    connections[rank]->write({.kind = FrameKind::Go}, nullptr, nullptr);
  for (int32_t rank = 0; rank < size; ++rank)
    servers.emplace_back([this, rank] { serve(rank); });
}

void Relay::serve(int32_t rank) {
  Frame frame;
  while (connections[rank]->read(frame)) {
    const FrameHeader &header = frame.header;
    switch (header.kind) {
    case FrameKind::Note:
      if (header.target >= 0 && header.target < size)
        connections[header.target]->write(header, frame.bytes.data(),
                                          frame.site.data());
      break;
    case FrameKind::Failure:
      failAll({frame.bytes.data(), frame.bytes.size()});
      break;
    case FrameKind::Goodbye:
      // Behind its last note: whoever waits for one more waits in vain.
      for (const std::unique_ptr<Connection> &connection : connections)
        if (connection != connections[rank])
          connection->write(header, nullptr, nullptr);
      return;
    default:
      break;
    }
  }
  failAll("the process of rank " + std::to_string(rank) + " has ended");
}
