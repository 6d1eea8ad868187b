//===- PeerConnections.h - A connection between each two ranks ------------===//

#ifndef TESSERA_RUNTIME_SOCKETS_PEERCONNECTIONS_H
#define TESSERA_RUNTIME_SOCKETS_PEERCONNECTIONS_H

#include "../processes/ProcessHost.h"
#include "Ring.h"

namespace tessera::sockets {

/// The way to another rank.
struct PeerConnection {
  /// A stream: TCP, or one inside the machine. -1 to the rank itself.
  int socket = -1;
  /// If there are such, bytes go through them, and the stream says that there
  /// are some.
  std::unique_ptr<RingPair> rings;
};

/// Connects this rank with every other one; all do so at the same time. Each
/// listens at a port, and inside the machine at a name that ends with it; each
/// connects to the ranks below it. Who does not have the job's token is
/// refused. TESSERA_SHARED_MEMORY=0 has TCP inside a machine, too.
Fallible<std::vector<PeerConnection>> connectPeers(processes::ProcessHost &host,
                                                   int32_t rank, int32_t ranks);

} // namespace tessera::sockets

#endif // TESSERA_RUNTIME_SOCKETS_PEERCONNECTIONS_H
