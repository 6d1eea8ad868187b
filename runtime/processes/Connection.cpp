//===- Connection.cpp -----------------------------------------------------===//

#include "Connection.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::processes;
using Clock = std::chrono::steady_clock;

/// More than any frame has: a bound for what a stranger may ask us to allocate.
static constexpr int64_t frameLimit = int64_t(1) << 40;

static void sendSmallFramesAtOnce(int socket) {
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Connection::Connection(int socket) : socket(socket) {
  sendSmallFramesAtOnce(socket);
}

Connection::~Connection() { ::close(socket); }

void Connection::shutDown() { ::shutdown(socket, SHUT_RDWR); }

/// One attempt; -1 if nobody listens.
static int tryConnect(const addrinfo *addresses) {
  for (const addrinfo *entry = addresses; entry; entry = entry->ai_next) {
    int socket = ::socket(entry->ai_family, entry->ai_socktype | SOCK_CLOEXEC,
                          entry->ai_protocol);
    if (socket < 0)
      continue;
    if (::connect(socket, entry->ai_addr, entry->ai_addrlen) == 0)
      return socket;
    ::close(socket);
  }
  return -1;
}

int processes::connectTo(const std::string &address, uint16_t port,
                         double seconds, std::string &why) {
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    addrinfo hints = {}, *addresses = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    int error = getaddrinfo(address.c_str(), std::to_string(port).c_str(),
                            &hints, &addresses);
    if (error == 0) {
      int socket = tryConnect(addresses);
      int code = errno;
      why = std::strerror(code);
      freeaddrinfo(addresses);
      errno = code;
      if (socket >= 0) {
        sendSmallFramesAtOnce(socket);
        return socket;
      }
    } else {
      why = gai_strerror(error);
      errno = 0;
    }
    if (Clock::now() > end || lacksDescriptors())
      return -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Fallible<int> Connection::connect(const std::string &address, uint16_t port,
                                  double seconds) {
  std::string why;
  int socket = connectTo(address, port, seconds, why);
  if (socket >= 0)
    return socket;
  return Failure{"cannot reach rank 0 at " + address + ":" +
                 std::to_string(port) + ": " + why};
}

bool processes::lacksDescriptors() {
  return errno == EMFILE || errno == ENFILE;
}

void processes::limitReads(int socket, int seconds) {
  timeval limit = {seconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

std::string processes::addressOf(int socket, bool ofPeer) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  auto *generic = reinterpret_cast<sockaddr *>(&address);
  char text[NI_MAXHOST] = "";
  if ((ofPeer ? getpeername(socket, generic, &size)
              : getsockname(socket, generic, &size)) != 0 ||
      getnameinfo(generic, size, text, sizeof text, nullptr, 0,
                  NI_NUMERICHOST) != 0)
    return "";
  // An IPv4 address as a socket of IPv6 shows it.
  std::string_view mapped = "::ffff:";
  return std::string_view(text).starts_with(mapped) ? text + mapped.size()
                                                    : text;
}

Fallible<int> processes::listenAt(uint16_t port) {
  auto fail = [&] {
    return Failure{"cannot listen at port " + std::to_string(port) + ": " +
                   std::strerror(errno) + "; set MASTER_PORT to a free one"};
  };
  int socket = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool hasIpv6 = socket >= 0;
  if (!hasIpv6)
    socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0)
    return fail();
  int on = 1, off = 0;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in6 any6 = {};
  any6.sin6_family = AF_INET6;
  any6.sin6_port = htons(port);
  sockaddr_in any4 = {};
  any4.sin_family = AF_INET;
  any4.sin_port = htons(port);
  if (hasIpv6)
    setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  int bound =
      hasIpv6 ? bind(socket, reinterpret_cast<sockaddr *>(&any6), sizeof any6)
              : bind(socket, reinterpret_cast<sockaddr *>(&any4), sizeof any4);
  if (bound == 0 && listen(socket, SOMAXCONN) == 0)
    return socket;
  Failure failure = fail();
  ::close(socket);
  return failure;
}

uint16_t processes::portOf(int listener) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<sockaddr_in6 &>(address).sin6_port
                   : reinterpret_cast<sockaddr_in &>(address).sin_port);
}

static bool writeAll(int socket, const void *data, size_t bytes) {
  auto *next = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t written = ::send(socket, next, bytes, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    next += written;
    bytes -= written;
  }
  return true;
}

static bool readAll(int socket, void *data, size_t bytes) {
  auto *next = static_cast<char *>(data);
  while (bytes > 0) {
    ssize_t got = ::recv(socket, next, bytes, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    next += got;
    bytes -= got;
  }
  return true;
}

bool Connection::write(const FrameHeader &header, const void *bytes,
                       const void *site) {
  std::lock_guard lock(writing);
  return writeAll(socket, &header, sizeof header) &&
         writeAll(socket, bytes, header.bytes) &&
         writeAll(socket, site, header.site);
}

/// As `readAll`, within the time that reads may take, for all of it: who sends
/// byte after byte does not get it anew for each.
static bool readAtOnce(int socket, void *data, size_t bytes) {
  ssize_t got;
  do
    got = ::recv(socket, data, bytes, MSG_WAITALL);
  while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(bytes);
}

bool Connection::read(FrameHeader &header, void *bytes, int64_t count) {
  return readAtOnce(socket, &header, sizeof header) &&
         header.magic == FrameHeader{.kind = FrameKind::Go}.magic &&
         header.bytes == count && header.site == 0 &&
         readAtOnce(socket, bytes, count);
}

bool Connection::read(Frame &frame) {
  FrameHeader &header = frame.header;
  if (!readAll(socket, &header, sizeof header) ||
      header.magic != FrameHeader{.kind = FrameKind::Go}.magic ||
      header.bytes < 0 || header.bytes > frameLimit || header.site < 0 ||
      header.site > 4096)
    return false;
  frame.bytes.resize(header.bytes);
  frame.site.resize(header.site);
  return readAll(socket, frame.bytes.data(), frame.bytes.size()) &&
         readAll(socket, frame.site.data(), frame.site.size());
}
