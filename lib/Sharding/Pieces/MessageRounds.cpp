//===- MessageRounds.cpp - messages in as few rounds as can be ------------===//
#include "tessera/Sharding/Pieces/MessageRounds.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

using namespace tessera;

namespace {
/// A colouring of the edges of a bipartite graph with as many colours as its
/// largest degree.
class EdgeColouring {
public:
  EdgeColouring(int64_t numVertices, int64_t numColours)
      : sent(numVertices, Slots(numColours, -1)),
        received(numVertices, Slots(numColours, -1)) {}

  void add(Message edge) {
    int32_t colour = freeColour(sent[edge.sender]);
    if (received[edge.receiver][colour] >= 0)
      flip(edge.receiver, colour, freeColour(received[edge.receiver]));
    edges.push_back(edge);
    colours.push_back(colour);
    place(edges.size() - 1);
  }

  llvm::SmallVector<int32_t, 0> takeColours() { return std::move(colours); }

private:
  using Slots = llvm::SmallVector<int32_t, 8>;

  static int32_t freeColour(const Slots &slots) {
    return llvm::find(slots, -1) - slots.begin();
  }

  void place(int32_t edge) {
    sent[edges[edge].sender][colours[edge]] = edge;
    received[edges[edge].receiver][colours[edge]] = edge;
  }

  /// Swaps both colours on the path of edges of `first`, which is to become
  /// free at `receiver`, and `second`, which is free there, in turns. It ends
  /// before any sender at which `first` is free.
  void flip(int32_t receiver, int32_t first, int32_t second) {
    Slots path;
    for (int32_t edge = received[receiver][first]; edge >= 0;) {
      path.push_back(edge);
      edge = sent[edges[edge].sender][second];
      if (edge < 0)
        break;
      path.push_back(edge);
      edge = received[edges[edge].receiver][first];
    }
    for (int32_t edge : path) {
      sent[edges[edge].sender][colours[edge]] = -1;
      received[edges[edge].receiver][colours[edge]] = -1;
    }
    for (int32_t edge : path) {
      colours[edge] = colours[edge] == first ? second : first;
      place(edge);
    }
  }

  /// Per vertex and colour the edge, or -1.
  std::vector<Slots> sent, received;
  std::vector<Message> edges;
  llvm::SmallVector<int32_t, 0> colours;
};
} // namespace

int64_t tessera::leastRounds(llvm::ArrayRef<Message> messages,
                             int64_t numDevices) {
  std::vector<int64_t> sent(numDevices, 0), received(numDevices, 0);
  int64_t most = 0;
  for (const Message &message : messages)
    most =
        std::max({most, ++sent[message.sender], ++received[message.receiver]});
  return most;
}

llvm::SmallVector<int32_t, 0>
tessera::roundsOfMessages(llvm::ArrayRef<Message> messages, int64_t numDevices,
                          int64_t numRounds) {
  EdgeColouring colouring(numDevices, numRounds);
  for (const Message &message : messages)
    colouring.add(message);
  return colouring.takeColours();
}
