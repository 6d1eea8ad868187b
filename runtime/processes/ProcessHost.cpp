//===- ProcessHost.cpp ----------------------------------------------------===//

#include "ProcessHost.h"

#include "Mpi.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fcntl.h>

using namespace tessera;
using namespace tessera::processes;
using Clock = std::chrono::steady_clock;

/// How long processes wait for each other to start, and then to load, in
/// seconds.
static constexpr double startSeconds = 300, loadSeconds = 1800;

/// How long a process may take to end after a failure.
static constexpr std::chrono::seconds endTime(5);

Fallible<std::unique_ptr<ProcessHost>>
ProcessHost::open(const ProcessRank &process,
                  const TesseraWorldOptions &options, int devices) {
  std::unique_ptr<ProcessHost> host(
      new ProcessHost(process, options.timeout, devices));
  if (process.size > 1)
    if (Fallible<void> connected = host->connect(options.program); !connected)
      return connected.failure();
  return host;
}

/// Where the processes have met before, as MPI told them: it can be used once,
/// and later jobs meet there again.
static std::optional<Mpi::MeetingPoint> formerPoint;

/// Completes `process` by what MPI says, if it is to be asked and can be. The
/// socket that rank 0 listens at; -1 in the others.
Fallible<int> ProcessHost::findMeetingPoint() {
  std::unique_ptr<Mpi> mpi;
  if (process.mayAskMpi && !formerPoint)
    mpi = Mpi::open(process.rank, process.size);
  if (formerPoint) {
    process.address = formerPoint->address();
    process.port = formerPoint->port;
  }
  if (!mpi && process.address.empty())
    return Failure{"the processes are on several machines: expected "
                   "MASTER_ADDR, the machine of rank 0, or the launcher's MPI "
                   "library"};
  Fallible<int> door = -1;
  if (process.listener >= 0) {
    // For one job; the next one listens at the port again.
    int given = std::exchange(process.listener, -1);
    if (fcntl(given, F_SETFD, FD_CLOEXEC) == 0)
      return given;
  }
  if (process.rank == 0)
    door = listenAt(mpi ? 0 : process.port);
  if (!mpi)
    return door;
  // Rank 0 tells that it cannot listen, too: the others wait for it.
  Mpi::MeetingPoint point = {};
  if (process.rank == 0 && door)
    point = Mpi::meetingPointHere(portOf(*door));
  mpi->broadcast(point);
  if (process.rank != 0 && point.port == 0)
    return Failure{"rank 0 has ended"};
  formerPoint = point;
  process.address = point.address();
  process.port = point.port;
  return door;
}

Fallible<void> ProcessHost::connect(uint64_t program) {
  Patience patience(startSeconds, "to start");
  Fallible<Introduction> introduction = Introduction::ofThisProcess(program);
  if (!introduction)
    return introduction.failure();
  Fallible<int> door = findMeetingPoint();
  if (!door)
    return door.failure();
  if (process.rank == 0)
    relay =
        std::make_unique<Relay>(*door, process.size, *introduction, patience);
  const char *address =
      process.rank == 0 ? "127.0.0.1" : process.address.c_str();
  Fallible<int> socket =
      Connection::connect(address, process.port, patience.limit());
  if (!socket)
    return socket.failure();
  connection = std::make_unique<Connection>(*socket);
  FrameHeader hello = {.kind = FrameKind::Hello};
  hello.source = process.rank;
  hello.target = process.size;
  hello.bytes = sizeof(Introduction);
  Frame answer;
  // A little longer than rank 0 waits for the others.
  if (process.rank != 0)
    limitReads(*socket, static_cast<int>(2 + 1.1 * patience.limit()));
  errno = 0;
  if (!connection->write(hello, &*introduction, nullptr) ||
      !connection->read(answer))
    return Failure{errno == EAGAIN
                       ? "rank 0 at " + std::string(address) + ":" +
                             std::to_string(process.port) + " does not answer"
                       : "rank 0 has ended"};
  limitReads(*socket, 0);
  if (answer.header.kind == FrameKind::Failure)
    return Failure{std::string(answer.bytes.data(), answer.bytes.size())};
  jobToken.assign(answer.bytes.data(), answer.bytes.size());
  listener = std::thread([this] { listen(); });
  return {};
}

ProcessHost::~ProcessHost() {
  closing = true;
  closed.signal();
  if (connection) {
    connection->write({.kind = FrameKind::Goodbye, .source = process.rank},
                      nullptr, nullptr);
    // The relay goes last: it hears everybody's good-bye.
    relay.reset();
    connection->shutDown();
  }
  if (listener.joinable())
    listener.join();
}

int ProcessHost::deviceOf(int32_t rank) const {
  // A launcher that gives each process a device of its own says so, and counts
  // the processes of the machine all the same.
  if (process.localRank >= devices && devices > 0 &&
      std::getenv("CUDA_VISIBLE_DEVICES"))
    return process.localRank % devices;
  if (process.localRank >= 0)
    return process.localRank;
  return devices > 0 ? rank % devices : 0;
}

TesseraStatus ProcessHost::run(const std::function<int32_t(int32_t)> &body) {
  if (failed)
    return TESSERA_FAILED;
  if (!hasMet && process.size > 1 && !meet())
    return TESSERA_FAILED;
  hasMet = true;
  isRunning = true;
  int32_t status = body(process.rank);
  isRunning = false;
  if (status != 0)
    fail("rank " + std::to_string(process.rank) + " returned status " +
         std::to_string(status));
  return failed ? TESSERA_FAILED : TESSERA_OK;
}

static std::string processOf(int32_t rank) {
  return "the process of rank " + std::to_string(rank);
}

bool ProcessHost::meet() {
  static const TesseraSite site = {"start", "the first step"};
  char ready = 1;
  auto noteTo = [&](int32_t source, int32_t target) {
    return TesseraMessage{source, target, note::ready, 1, &site};
  };
  if (process.rank != 0)
    return send(noteTo(process.rank, 0), &ready) == TESSERA_OK &&
           recv(noteTo(0, process.rank), &ready) == TESSERA_OK;
  std::vector<int32_t> missing;
  for (int32_t peer = 1; peer < process.size; ++peer)
    missing.push_back(peer);
  Patience patience(loadSeconds, "to load the program");
  while (true) {
    uint32_t seen = mailbox.signal.read();
    if (failed)
      return false;
    // In this order: a rank may be ready and then end.
    auto gone = std::ranges::find_if(
        missing, [&](int32_t peer) { return hasEnded(peer); });
    int32_t lost = gone == missing.end() ? -1 : *gone;
    std::erase_if(missing,
                  [&](int32_t peer) { return take(noteTo(peer, 0), &ready); });
    if (missing.empty())
      break;
    if (std::ranges::count(missing, lost)) {
      fail(processOf(lost) + " has ended");
      return false;
    }
    if (std::optional<std::string> failure = patience.check(missing)) {
      fail(*failure);
      return false;
    }
    mailbox.signal.wait(seen, std::chrono::milliseconds(100));
  }
  for (int32_t peer = 1; peer < process.size; ++peer)
    if (send(noteTo(0, peer), &ready))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

int32_t ProcessHost::send(const TesseraMessage &note, const void *data) {
  if (failed)
    return TESSERA_FAILED;
  if (note.target == process.rank) {
    mailbox.put(note, data, [] {});
    mailbox.signal.signal();
    return TESSERA_OK;
  }
  std::string site = note.site->name;
  site += '\0';
  site += note.site->location;
  FrameHeader header = {.kind = FrameKind::Note};
  header.source = note.source;
  header.target = note.target;
  header.tag = note.tag;
  header.bytes = note.bytes;
  header.site = static_cast<int64_t>(site.size() + 1);
  if (connection && connection->write(header, data, site.c_str()))
    return TESSERA_OK;
  failHere("rank 0 has ended");
  return TESSERA_FAILED;
}

void ProcessHost::takeNote(Frame frame) {
  const FrameHeader &header = frame.header;
  frame.site.insert(frame.site.end(), 2, '\0');
  auto [entry, isNew] = sites.try_emplace(std::move(frame.site));
  const char *name = entry->first.data();
  entry->second = {name, name + std::strlen(name) + 1};
  TesseraMessage note = {header.source, header.target, header.tag, header.bytes,
                         &entry->second};
  mailbox.put(note, frame.bytes.data(), [] {});
  mailbox.signal.signal();
}

int32_t ProcessHost::recv(const TesseraMessage &note, void *data) {
  std::optional<runtime::Mailbox::Letter> letter;
  // Between steps others may take their time: they read files, write results.
  bool mayTimeOut = isRunning && timeout >= 0;
  auto end =
      Clock::now() + std::chrono::duration<double>(mayTimeOut ? timeout : 1e9);
  while (true) {
    uint32_t seen = mailbox.signal.read();
    if (failed)
      return TESSERA_FAILED;
    bool isLast = hasEnded(note.source);
    letter = mailbox.take(note, [] {});
    if (letter)
      break;
    if (isLast) {
      fail(processOf(note.source) + " has ended");
      return TESSERA_FAILED;
    }
    if (Clock::now() > end) {
      char waited[64];
      std::snprintf(waited, sizeof waited, "rank %d waited %g s in ",
                    process.rank, timeout);
      fail(waited + std::string("recv '") + note.site->name + "' at " +
           note.site->location + " for rank " + std::to_string(note.source));
      return TESSERA_FAILED;
    }
    mailbox.signal.wait(seen, std::chrono::milliseconds(100));
  }
  return open(*std::move(letter), note, data);
}

bool ProcessHost::take(const TesseraMessage &note, void *data) {
  auto letter = mailbox.take(note, [] {});
  return letter && open(*std::move(letter), note, data) == TESSERA_OK;
}

int32_t ProcessHost::open(runtime::Mailbox::Letter letter,
                          const TesseraMessage &note, void *data) {
  if (letter.message.bytes != note.bytes) {
    fail("rank " + std::to_string(process.rank) + " expects a note of " +
         std::to_string(note.bytes) + " bytes for '" + note.site->name +
         "', rank " + std::to_string(note.source) + " sends " +
         std::to_string(letter.message.bytes) + " for '" +
         letter.message.site->name + "'");
    return TESSERA_FAILED;
  }
  std::memcpy(data, letter.bytes.data(), letter.bytes.size());
  mailbox.recycle(std::move(letter));
  return TESSERA_OK;
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void ProcessHost::listen() {
  Frame frame;
  while (connection->read(frame)) {
    if (frame.header.kind == FrameKind::Note) {
      takeNote(std::move(frame));
      frame = Frame();
    } else if (frame.header.kind == FrameKind::Goodbye) {
      std::lock_guard lock(endedMutex);
      ended.insert(frame.header.source);
      mailbox.signal.signal();
    } else if (frame.header.kind == FrameKind::Failure) {
      failHere({frame.bytes.data(), frame.bytes.size()});
      return endIfStuck();
    }
  }
  if (closing)
    return;
  failHere("the process of rank 0 has ended");
  endIfStuck();
}

bool ProcessHost::hasEnded(int32_t rank) const {
  std::lock_guard lock(endedMutex);
  return ended.count(rank) != 0;
}

void ProcessHost::failHere(const std::string &message) {
  std::lock_guard lock(failureMutex);
  if (failed)
    return;
  failure = message;
  failed = true;
  mailbox.signal.signal();
  if (notice)
    notice();
}

void ProcessHost::onFailure(std::function<void()> newNotice) {
  std::lock_guard lock(failureMutex);
  notice = std::move(newNotice);
  if (failed && notice)
    notice();
}

std::string ProcessHost::reachableAddress() const {
  if (!connection)
    return process.address;
  std::string own = addressOf(connection->descriptor(), /*ofPeer=*/false);
  // Who is on rank 0's machine is where rank 0 is.
  bool isLoopback = own.empty() || own == "::1" || own.starts_with("127.");
  return isLoopback ? process.address : own;
}

void ProcessHost::fail(const std::string &message) {
  failHere(message);
  if (!connection)
    return;
  FrameHeader header = {.kind = FrameKind::Failure};
  header.source = process.rank;
  header.bytes = static_cast<int64_t>(message.size());
  connection->write(header, message.data(), nullptr);
}

const char *ProcessHost::error() const {
  if (!failed)
    return "";
  std::lock_guard lock(failureMutex);
  return failure.c_str();
}

void ProcessHost::endIfStuck() {
  auto end = Clock::now() + endTime;
  while (!closing && Clock::now() < end) {
    uint32_t seen = closed.read();
    if (!closing)
      closed.wait(seen, std::chrono::milliseconds(100));
  }
  if (closing || isSpared)
    return;
  if (process.rank == 0)
    std::fprintf(stderr, "%s: error: %s\n", program_invocation_short_name,
                 error());
  std::fflush(stderr);
  _exit(TESSERA_FAILED);
}
