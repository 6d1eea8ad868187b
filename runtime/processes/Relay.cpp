//===- Relay.cpp ----------------------------------------------------------===//

#include "Relay.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::processes;

/// How long who connects may take to say who it is.
static constexpr int helloSeconds = 5;

/// For how many turns, of a tenth of a second or a process, those who come
/// after a failure are told.
static constexpr int lateTurns = 20;

/// How long ranks may take to say good-bye after a failure.
static constexpr std::chrono::seconds farewellTime(2);

/// How long ranks may take to explain why one has ended.
static constexpr std::chrono::milliseconds explanationTime(300);

Relay::Relay(int listener, int32_t size, const Introduction &introduction,
             Patience patience)
    : listener(listener), size(size), introduction(introduction),
      patience(std::move(patience)), connections(size),
      acceptor([this] { acceptAll(); }) {}

Relay::~Relay() {
  acceptor.join();
  // After a failure some may never say good-bye: they are stopped, or hang.
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end;
  while (serving > 0 && (!end || Clock::now() < *end)) {
    if (hasFailed && !end)
      end = Clock::now() + farewellTime;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (serving > 0)
    for (const std::unique_ptr<Connection> &connection : connections)
      connection->shutDown();
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
  failure = message;
  hasFailed = true;
  FrameHeader header = {.kind = FrameKind::Failure};
  header.bytes = static_cast<int64_t>(message.size());
  for (const std::unique_ptr<Connection> &connection : connections)
    if (connection)
      connection->write(header, message.data(), nullptr);
}

static void tell(Connection &connection, const std::string &why) {
  FrameHeader header = {.kind = FrameKind::Failure};
  header.bytes = static_cast<int64_t>(why.size());
  connection.write(header, why.data(), nullptr);
}

void Relay::admit(std::unique_ptr<Connection> connection) {
  limitReads(connection->descriptor(), helloSeconds);
  FrameHeader hello;
  Introduction theirs;
  if (!connection->read(hello, &theirs, sizeof theirs) ||
      hello.kind != FrameKind::Hello || !introduction.trusts(theirs)) {
    std::string who = addressOf(connection->descriptor(), /*ofPeer=*/true);
    std::fprintf(stderr,
                 "%s: refused %s, which does not know the job's secret\n",
                 program_invocation_short_name, who.c_str());
    return tell(*connection, "rank 0 refuses this process: it does not know "
                             "the job's secret, TESSERA_JOB_SECRET");
  }
  limitReads(connection->descriptor(), 0);
  int32_t rank = hello.source, count = hello.target;
  if (auto other = theirs.differsFrom(introduction, rank))
    return tell(*connection, *other);
  std::optional<std::string> why = theirs.runsOther(introduction, rank);
  if (count != size || rank < 0 || rank >= size)
    why = "the processes disagree: rank 0 is one of " + std::to_string(size) +
          ", rank " + std::to_string(rank) + " one of " + std::to_string(count);
  else if (connections[rank])
    why = "two processes say that they are rank " + std::to_string(rank);
  if (why) {
    ++refused;
    tell(*connection, *why);
    return failAll(*why);
  }
  std::lock_guard lock(mutex);
  if (hasFailed)
    tell(*connection, failure);
  connections[rank] = std::move(connection);
  ++present;
}

/// Takes in ranks until all are there, or the job has failed; then tells them
/// to go, and serves them.
void Relay::acceptAll() {
  // After a failure, too, for a moment: who comes is told, rank 0 among them,
  // which says so to the user.
  int waits = 0;
  while (present + refused < size) {
    pollfd waiting = {listener, POLLIN, 0};
    int ready = poll(&waiting, 1, 100);
    if (ready > 0) {
      int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0)
        admit(std::make_unique<Connection>(socket));
      else if (lacksDescriptors())
        failAll("rank 0 cannot connect to all others: " +
                std::string(std::strerror(errno)));
    }
    if (hasFailed && ++waits > lateTurns)
      break;
    if (hasFailed || present + refused == size)
      continue;
    if (std::optional<std::string> failure = patience.check(missing()))
      failAll(*failure);
  }
  // Whoever is here already may come to the next job's door before it is open,
  // and must not find this one.
  ::close(listener);
  if (hasFailed)
    return;
  std::string token = randomDigits(16);
  FrameHeader go = {.kind = FrameKind::Go};
  go.bytes = static_cast<int64_t>(token.size());
  for (int32_t rank = 0; rank < size; ++rank)
    connections[rank]->write(go, token.data(), nullptr);
  serving = size;
  for (int32_t rank = 0; rank < size; ++rank)
    servers.emplace_back([this, rank] {
      serve(rank);
      --serving;
    });
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
  lose(rank);
}

void Relay::lose(int32_t rank) {
  auto end = std::chrono::steady_clock::now() + explanationTime;
  while (!hasFailed && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  failAll("the process of rank " + std::to_string(rank) + " has ended");
}
