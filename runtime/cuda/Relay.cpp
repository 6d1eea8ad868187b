//===- Relay.cpp ----------------------------------------------------------===//

#include "Relay.h"

#include <chrono>
#include <cstdio>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cuda;
using Clock = std::chrono::steady_clock;

Relay::Relay(int listener, int32_t size, double seconds)
    : listener(listener), size(size), seconds(seconds), connections(size),
      acceptor([this] { acceptAll(); }) {}

Relay::~Relay() {
  acceptor.join();
  for (std::thread &server : servers)
    server.join();
  ::close(listener);
}

std::string Relay::missing() const {
  std::string list;
  for (int32_t rank = 0; rank < size; ++rank)
    if (!connections[rank])
      list += (list.empty() ? "rank " : ", ") + std::to_string(rank);
  return list;
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
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (present < size && !hasFailed) {
    pollfd waiting = {listener, POLLIN, 0};
    int ready = poll(&waiting, 1, 100);
    if (ready > 0) {
      int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0)
        admit(std::make_unique<Connection>(socket));
    }
    if (present < size && Clock::now() > end) {
      char waited[48];
      std::snprintf(waited, sizeof waited, "waited %g s for ", seconds);
      failAll(waited + missing() + " to start");
    }
  }
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
      return;
    default:
      break;
    }
  }
  failAll("the process of rank " + std::to_string(rank) + " has ended");
}
