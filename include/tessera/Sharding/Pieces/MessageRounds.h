//===- MessageRounds.h - messages in as few rounds as can be --------------===//
#ifndef TESSERA_SHARDING_PIECES_MESSAGEROUNDS_H
#define TESSERA_SHARDING_PIECES_MESSAGEROUNDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tessera {

/// What one device sends to another, each by its index.
struct Message {
  int32_t sender, receiver;
};

/// The most messages that one of `numDevices` devices sends or receives. They
/// need as many rounds, and no more.
int64_t leastRounds(llvm::ArrayRef<Message> messages, int64_t numDevices);

/// Puts `messages` into `numRounds` rounds, at least `leastRounds` of them, in
/// each of which every device sends and receives at most once; returns the
/// round of each. Senders, receivers and messages are the vertices and edges of
/// a bipartite graph, whose edges have a colouring with as many colours as the
/// largest degree (König 1916); edge by edge, an alternating path is flipped
/// where no colour is free at both ends.
llvm::SmallVector<int32_t, 0> roundsOfMessages(llvm::ArrayRef<Message> messages,
                                               int64_t numDevices,
                                               int64_t numRounds);

} // namespace tessera

#endif // TESSERA_SHARDING_PIECES_MESSAGEROUNDS_H
