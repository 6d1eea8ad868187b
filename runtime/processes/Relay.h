//===- Relay.h - The meeting point of a job's processes -------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_RELAY_H
#define TESSERA_RUNTIME_PROCESSES_RELAY_H

#include "Connection.h"
#include "Introduction.h"
#include "Patience.h"

#include <atomic>
#include <memory>
#include <thread>

namespace tessera::processes {

/// In the process of rank 0: every rank, 0 too, has a connection to it, over
/// which it sends notes to others. A thread for each connection hands notes on.
/// The first failure, or connection that ends without a good-bye, is told to
/// everybody. Nothing that is fast goes this way.
///
/// Who does not know the job's secret, or says nothing, is refused and changes
/// nothing; so is a process of another job. With all ranks there, everybody
/// gets the job's token, which opens further doors between them.
class Relay {
public:
  /// Takes over the socket `listener`, and listens until all ranks have come,
  /// for as long as `patience` allows.
  Relay(int listener, int32_t size, const Introduction &introduction,
        Patience patience);
  /// Waits for everybody's good-bye; after a failure, for a moment.
  ~Relay();

private:
  void acceptAll();
  /// Takes in a rank; says why not, if so.
  void admit(std::unique_ptr<Connection> connection);
  void serve(int32_t rank);
  void failAll(const std::string &message);
  /// The connection of a rank has ended: gives others, who may know more, a
  /// moment to say so.
  void lose(int32_t rank);
  /// The ranks that have not come.
  std::vector<int32_t> missing() const;

  int listener;
  int32_t size;
  Introduction introduction;
  Patience patience;
  std::mutex mutex;
  std::atomic<bool> hasFailed = false;
  std::string failure; ///< With the mutex.
  int32_t present = 0, refused = 0;
  std::vector<std::unique_ptr<Connection>> connections; ///< By rank.
  std::vector<std::thread> servers;
  std::atomic<int32_t> serving = 0; ///< How many of them have not ended.
  std::thread acceptor;
};

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_RELAY_H
