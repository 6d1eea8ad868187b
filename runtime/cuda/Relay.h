//===- Relay.h - The meeting point of a job's processes -------------------===//

#ifndef TESSERA_RUNTIME_CUDA_RELAY_H
#define TESSERA_RUNTIME_CUDA_RELAY_H

#include "Connection.h"
#include "Patience.h"

#include <atomic>
#include <memory>
#include <thread>

namespace tessera::cuda {

/// In the process of rank 0: every rank, 0 too, has a connection to it, over
/// which it sends notes to others. A thread for each connection hands notes on.
/// The first failure, or connection that ends without a good-bye, is told to
/// everybody. Nothing that is fast goes this way.
class Relay {
public:
  /// Takes over the socket `listener`, and listens until all ranks have come,
  /// for as long as `patience` allows.
  Relay(int listener, int32_t size, Patience patience);
  /// Waits for everybody's good-bye.
  ~Relay();

private:
  void acceptAll();
  /// Takes in a rank; says why not, if so.
  void admit(std::unique_ptr<Connection> connection);
  void serve(int32_t rank);
  void failAll(const std::string &message);
  /// The ranks that have not come.
  std::vector<int32_t> missing() const;

  int listener;
  int32_t size;
  Patience patience;
  std::mutex mutex;
  std::atomic<bool> hasFailed = false;
  int32_t present = 0;
  std::vector<std::unique_ptr<Connection>> connections; ///< By rank.
  std::vector<std::thread> servers;
  std::thread acceptor;
};

} // namespace tessera::cuda

#endif // TESSERA_RUNTIME_CUDA_RELAY_H
