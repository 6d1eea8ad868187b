//===- CallNumbers.h - Which collective or message of a rank this is ------===//

#ifndef TESSERA_RUNTIME_CORE_CALLNUMBERS_H
#define TESSERA_RUNTIME_CORE_CALLNUMBERS_H

#include <cstdint>
#include <map>
#include <tuple>

namespace tessera::runtime {

/// Counts what one rank does together with others, so that events of several
/// ranks can be put together: `TesseraEvent::number`. As all members of a group
/// call in the same order, and messages with one tag arrive in the order in
/// which they were sent, ranks count alike.
class CallNumbers {
public:
  /// The number of this rank's next collective on the communicator.
  int64_t ofCollective(int32_t communicator) {
    return collectives[communicator]++;
  }
  /// The number of the next message between the two ranks with this tag.
  int64_t ofMessage(int32_t source, int32_t target, int64_t tag) {
    return messages[{source, target, tag}]++;
  }

private:
  std::map<int32_t, int64_t> collectives;
  std::map<std::tuple<int32_t, int32_t, int64_t>, int64_t> messages;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_CALLNUMBERS_H
