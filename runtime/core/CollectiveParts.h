//===- CollectiveParts.h - What a call of collectives consists of ---------===//

#ifndef TESSERA_RUNTIME_CORE_COLLECTIVEPARTS_H
#define TESSERA_RUNTIME_CORE_COLLECTIVEPARTS_H

#include "tessera/Support/Collective.h"
#include "tessera/Support/ElementType.h"
#include "tessera/backend.h"

#include <span>

namespace tessera::runtime {

/// The parts of `call`, or `call` itself where it is one collective.
inline std::span<const TesseraCollective>
partsOf(const TesseraCollective &call) {
  return call.part_count > 0
             ? std::span(call.parts, static_cast<size_t>(call.part_count))
             : std::span(&call, 1);
}

/// The bytes of one chunk of a part; 0 if its element type makes no sense.
inline int64_t chunkBytes(const TesseraCollective &part) {
  bool isKnown = part.dtype >= 0 && part.dtype < elementTypeCount;
  return isKnown
             ? part.count * elementSize(static_cast<ElementType>(part.dtype))
             : 0;
}

/// The bytes of a part's operand, and of its result. It has its group.
inline int64_t operandBytes(const TesseraCollective &part) {
  bool isSplit = collectiveInfo(part.kind).splitsOperand;
  return chunkBytes(part) * (isSplit ? part.group->size : 1);
}
inline int64_t resultBytes(const TesseraCollective &part) {
  bool isJoined = collectiveInfo(part.kind).joinsResult;
  return chunkBytes(part) * (isJoined ? part.group->size : 1);
}

/// The bytes of all operands of a call.
inline int64_t callBytes(const TesseraCollective &call) {
  int64_t bytes = 0;
  for (const TesseraCollective &part : partsOf(call))
    bytes += operandBytes(part);
  return bytes;
}

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_COLLECTIVEPARTS_H
