//===- Connection.h - Frames over TCP -------------------------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_CONNECTION_H
#define TESSERA_RUNTIME_PROCESSES_CONNECTION_H

#include "tessera/Support/Fallible.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace tessera::processes {

/// What a frame is for.
enum class FrameKind : int32_t {
  Hello,   ///< To the relay: source is the rank, target the number of ranks.
  Go,      ///< From the relay: all ranks are there. Bytes: the job's token.
  Note,    ///< From rank to rank.
  Failure, ///< Why the job failed: to the relay, which tells everybody.
  Goodbye, ///< To the relay, which tells everybody: the rank is done.
};

/// What precedes the bytes of a frame. All machines have one byte order.
struct FrameHeader {
  uint32_t magic = 0x54535352;
  FrameKind kind;
  int32_t source = 0, target = 0;
  int64_t tag = 0, bytes = 0;
  int64_t site = 0; ///< Bytes of the text after them: name, zero, location.
};

struct Frame {
  FrameHeader header;
  std::vector<char> bytes, site;
};

/// A socket, closed with the object. One thread at a time reads, any write.
class Connection {
public:
  explicit Connection(int socket);
  ~Connection();
  Connection(const Connection &) = delete;

  /// Tries to reach the address until the time is over.
  static Fallible<int> connect(const std::string &address, uint16_t port,
                               double seconds);

  /// False if the connection has ended.
  bool write(const FrameHeader &header, const void *bytes, const void *site);
  bool read(Frame &frame);
  /// The same, of a frame with so many bytes and no site; what `limitReads`
  /// allows is for all header, and for all bytes.
  bool read(FrameHeader &header, void *bytes, int64_t count);
  /// Ends the connection; readers return.
  void shutDown();
  int descriptor() const { return socket; }

private:
  int socket;
  std::mutex writing;
};

/// Connects to the address at once, or after some attempts until the time is
/// over. On failure writes why to `why` and gives -1.
int connectTo(const std::string &address, uint16_t port, double seconds,
              std::string &why);

/// Whether the last call of the system failed because this process may have no
/// more connections: to wait is of no use.
bool lacksDescriptors();

/// Lets reads from the socket end after so many seconds; 0 for never.
void limitReads(int socket, int seconds);

/// The numeric address of this or the other end of a connection; empty if it
/// has none.
std::string addressOf(int socket, bool ofPeer);

/// Listens at the port, or any free one for 0, on all interfaces.
Fallible<int> listenAt(uint16_t port);

/// The port that a socket listens at.
uint16_t portOf(int listener);

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_CONNECTION_H
