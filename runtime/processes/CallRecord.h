//===- CallRecord.h - A collective as told to another process -------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_CALLRECORD_H
#define TESSERA_RUNTIME_PROCESSES_CALLRECORD_H

#include "tessera/backend.h"

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace tessera::processes {

/// What the members of a group must agree on in a call, and its sites, as
/// bytes. Equal calls have equal numbers, so that the bytes travel once and the
/// number with each call.
struct CallRecord {
  explicit CallRecord(const TesseraCollective &call);
  /// Of a message's site, to be read by `readSite`.
  explicit CallRecord(const TesseraSite &site);

  std::vector<std::byte> bytes;
  /// FNV-1a of what must be equal: all but the locations.
  uint64_t number;
};

/// A call that another member has described; without buffers and future.
class ReceivedCall {
public:
  /// `isWhole` tells whether the bytes made sense.
  explicit ReceivedCall(std::span<const std::byte> bytes);
  ReceivedCall(const ReceivedCall &) = delete;

  bool isWhole() const { return whole; }
  /// The call as that of the member of `group`, which must stay.
  TesseraCollective of(const TesseraGroup &group);

private:
  TesseraCollective call = {};
  std::vector<TesseraCollective> parts;
  std::deque<std::string> texts;
  std::deque<TesseraSite> sites;
  std::deque<std::vector<int32_t>> targets;
  bool whole = true;
};

/// `'send.0' at m.py:1:2`, of the bytes of a record of a site.
std::string readSite(std::span<const std::byte> bytes);

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_CALLRECORD_H
