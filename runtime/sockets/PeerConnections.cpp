//===- PeerConnections.cpp ------------------------------------------------===//

#include "PeerConnections.h"

#include "../processes/CoreSharing.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::sockets;
using namespace tessera::processes;

/// All rings of a machine together have about so many bytes, and one direction
/// between two ranks within these bounds.
static constexpr int64_t machineRings = 256 << 20, smallestRing = 64 << 10,
                         largestRing = 1 << 20;

/// How long to try to reach a rank that listens already, in seconds.
static constexpr double connectSeconds = 30;

/// How long who connects may take to say who it is, in seconds.
static constexpr int greetingSeconds = 5;

namespace {
/// What a rank says to the one that it connects to.
struct Greeting {
  char token[48] = {};
  int32_t rank = 0;
  int32_t hasRings = 0;
};

/// Where a rank can be reached.
struct Address {
  uint16_t port = 0;
  std::string host, machine;
};

/// A descriptor, closed with the object.
struct Descriptor {
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  Descriptor(const Descriptor &) = delete;
  int release() { return std::exchange(number, -1); }
  int number;
};

/// What the ranks do to find each other, of one of them.
class Meeting {
public:
  Meeting(ProcessHost &host, int32_t rank, int32_t ranks)
      : host(host), rank(rank), ranks(ranks), peers(ranks) {}
  Fallible<std::vector<PeerConnection>> meet();

private:
  Fallible<void> listen();
  Fallible<void> exchangeAddresses();
  bool isNear(int32_t other) const {
    return addresses[other].machine == addresses[rank].machine;
  }
  int64_t ringBytes() const;
  Fallible<int> reach(int32_t other);
  Fallible<void> connectTo(int32_t other);
  Fallible<void> accept();
  Fallible<bool> admit(int socket);
  Failure tooFewDescriptors(int code) const {
    return Failure{"rank " + std::to_string(rank) +
                   " cannot connect to all others: " + std::strerror(code)};
  }
  Failure broken(int32_t other, const std::string &why) const {
    return Failure{"rank " + std::to_string(rank) + " cannot reach rank " +
                   std::to_string(other) + " at " + addresses[other].host +
                   ":" + std::to_string(addresses[other].port) + ": " + why};
  }

  ProcessHost &host;
  int32_t rank, ranks;
  std::vector<PeerConnection> peers;
  std::vector<Address> addresses;
  Descriptor door{-1}, nearDoor{-1};
  uint16_t port = 0;
};
} // namespace

/// A name inside the machine and its network namespace, in no file system; the
/// size of the address.
static socklen_t nameAddress(const std::string &token, int32_t rank,
                             sockaddr_un &address) {
  address = {};
  address.sun_family = AF_UNIX;
  int length = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                             "tessera-%s-%d", token.c_str(), rank);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

static bool sharesMemory() {
  const char *value = std::getenv("TESSERA_SHARED_MEMORY");
  return !value || std::string_view(value) != "0";
}

Fallible<void> Meeting::listen() {
  Fallible<int> listener = listenAt(0);
  if (!listener)
    return listener.failure();
  door.number = *listener;
  port = portOf(door.number);
  sockaddr_un address;
  socklen_t size = nameAddress(host.token(), rank, address);
  nearDoor.number = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (nearDoor.number < 0 ||
      bind(nearDoor.number, reinterpret_cast<sockaddr *>(&address), size) ||
      ::listen(nearDoor.number, SOMAXCONN))
    return Failure{std::string("cannot listen inside the machine: ") +
                   std::strerror(errno)};
  return {};
}

Fallible<void> Meeting::exchangeAddresses() {
  // Who shares no memory is a machine of its own.
  std::string machine =
      sharesMemory() ? machineName() : "alone " + std::to_string(rank);
  auto texts = exchangeTexts(host, rank, ranks,
                             std::to_string(port) + " " +
                                 host.reachableAddress() + " " + machine);
  if (!texts)
    return texts.failure();
  for (const std::string &text : *texts) {
    Address &address = addresses.emplace_back();
    size_t first = text.find(' '), second = text.find(' ', first + 1);
    std::from_chars(text.data(), text.data() + first, address.port);
    address.host = text.substr(first + 1, second - first - 1);
    address.machine = text.substr(second + 1);
  }
  return {};
}

int64_t Meeting::ringBytes() const {
  int64_t here = 0;
  for (int32_t other = 0; other < ranks; ++other)
    here += isNear(other);
  int64_t share = machineRings / (here * here);
  return std::clamp<int64_t>(std::bit_floor(static_cast<uint64_t>(share)),
                             smallestRing, largestRing);
}

Fallible<int> Meeting::reach(int32_t other) {
  if (!isNear(other)) {
    std::string why;
    int socket = processes::connectTo(
        addresses[other].host, addresses[other].port, connectSeconds, why);
    if (socket < 0)
      return broken(other, why);
    return socket;
  }
  sockaddr_un address;
  socklen_t size = nameAddress(host.token(), other, address);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(socket.number, reinterpret_cast<sockaddr *>(&address), size))
    return broken(other, std::strerror(errno));
  return socket.release();
}

/// Sends the greeting, and with it a descriptor unless that is -1.
static bool sendGreeting(int socket, Greeting &greeting, int descriptor) {
  iovec bytes = {&greeting, sizeof greeting};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message = {};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) == sizeof greeting;
}

/// Receives a greeting, and the descriptor that comes with it, or -1.
static bool receiveGreeting(int socket, Greeting &greeting, int &descriptor) {
  iovec bytes = {&greeting, sizeof greeting};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message = {};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  descriptor = -1;
  ssize_t count = recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
  for (cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header))
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
      std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return count == sizeof greeting;
}

Fallible<void> Meeting::connectTo(int32_t other) {
  Fallible<int> socket = reach(other);
  if (!socket)
    return socket.failure();
  PeerConnection &peer = peers[other];
  peer.socket = *socket;
  Greeting greeting;
  std::snprintf(greeting.token, sizeof greeting.token, "%s",
                host.token().c_str());
  greeting.rank = rank;
  if (isNear(other)) {
    auto rings = RingPair::create(ringBytes());
    if (!rings)
      return broken(other, rings.message());
    peer.rings = *std::move(rings);
    greeting.hasRings = 1;
  }
  if (!sendGreeting(*socket, greeting,
                    peer.rings ? peer.rings->descriptor() : -1))
    return broken(other, std::strerror(errno));
  if (peer.rings)
    peer.rings->closeDescriptor();
  return {};
}

/// Takes in the rank that has connected; false if it is none of the job.
Fallible<bool> Meeting::admit(int number) {
  Descriptor socket(number);
  limitReads(socket.number, greetingSeconds);
  Greeting greeting;
  int descriptor = -1;
  bool isWhole = receiveGreeting(socket.number, greeting, descriptor);
  greeting.token[sizeof greeting.token - 1] = '\0';
  bool isKnown = isWhole && host.token() == greeting.token &&
                 greeting.rank > rank && greeting.rank < ranks &&
                 peers[greeting.rank].socket < 0;
  // The system drops what there is no number for.
  if (isKnown && greeting.hasRings && descriptor < 0)
    return tooFewDescriptors(EMFILE);
  if (!isKnown || (greeting.hasRings == 0) != (descriptor < 0)) {
    if (descriptor >= 0)
      ::close(descriptor);
    return false;
  }
  limitReads(socket.number, 0);
  PeerConnection &peer = peers[greeting.rank];
  if (descriptor >= 0) {
    auto rings = RingPair::attach(descriptor);
    if (!rings)
      return broken(greeting.rank, rings.message());
    peer.rings = *std::move(rings);
    peer.rings->closeDescriptor();
  } else {
    int on = 1;
    setsockopt(socket.number, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  peer.socket = socket.release();
  return true;
}

/// Waits until all ranks above this one have connected.
Fallible<void> Meeting::accept() {
  Patience patience(300, "to connect");
  while (true) {
    std::vector<int32_t> missing;
    for (int32_t other = rank + 1; other < ranks; ++other)
      if (peers[other].socket < 0)
        missing.push_back(other);
    if (missing.empty())
      return {};
    if (host.hasFailed())
      return Failure{host.error()};
    if (std::optional<std::string> late = patience.check(missing))
      return Failure{"rank " + std::to_string(rank) + " " + *late};
    pollfd doors[] = {{door.number, POLLIN, 0}, {nearDoor.number, POLLIN, 0}};
    if (poll(doors, 2, 100) <= 0)
      continue;
    for (const pollfd &each : doors) {
      if (!(each.revents & POLLIN))
        continue;
      int socket = accept4(each.fd, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0 && lacksDescriptors())
        return tooFewDescriptors(errno);
      if (socket < 0)
        continue;
      if (Fallible<bool> admitted = admit(socket); !admitted)
        return admitted.failure();
    }
  }
}

Fallible<std::vector<PeerConnection>> Meeting::meet() {
  if (ranks == 1)
    return std::move(peers);
  if (Fallible<void> listening = listen(); !listening)
    return listening.failure();
  if (Fallible<void> known = exchangeAddresses(); !known)
    return known.failure();
  for (int32_t other = 0; other < rank; ++other)
    if (Fallible<void> connected = connectTo(other); !connected)
      return connected.failure();
  if (Fallible<void> accepted = accept(); !accepted)
    return accepted.failure();
  for (PeerConnection &peer : peers)
    if (peer.socket >= 0)
      fcntl(peer.socket, F_SETFL, fcntl(peer.socket, F_GETFL) | O_NONBLOCK);
  return std::move(peers);
}

Fallible<std::vector<PeerConnection>>
sockets::connectPeers(ProcessHost &host, int32_t rank, int32_t ranks) {
  return Meeting(host, rank, ranks).meet();
}
