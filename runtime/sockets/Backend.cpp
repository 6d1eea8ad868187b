//===- Backend.cpp - The `sockets` back end's entry -----------------------===//

#include "SocketTransport.h"

#include "../processes/World.h"

using namespace tessera;
using namespace tessera::processes;

static Fallible<std::unique_ptr<Transport>>
makeTransport(ProcessHost &host, int32_t rank, int32_t ranks) {
  auto peers = sockets::connectPeers(host, rank, ranks);
  if (!peers)
    return peers.failure();
  return std::unique_ptr<Transport>(
      new sockets::SocketTransport(*std::move(peers)));
}

extern "C" TESSERA_EXPORT const TesseraBackend *tessera_backend(void) {
  static const TesseraBackend backend =
      World::makeBackend("sockets", [](const TesseraWorldOptions *options,
                                       char *error, size_t size) {
        return World::handOver(World::open(*options, "sockets", makeTransport),
                               error, size);
      });
  return &backend;
}
