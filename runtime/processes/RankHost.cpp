//===- RankHost.cpp -------------------------------------------------------===//

#include "RankHost.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::processes;

int32_t RankHost::agree(int32_t ranks, int32_t &value) {
  static const TesseraSite site = {"status", "the end"};
  int32_t decided = value;
  for (int32_t rank = 1; rank < ranks; ++rank) {
    TesseraMessage note = {0, rank, note::decision, sizeof decided, &site};
    int32_t status = 0;
    if (isLocal(0) && !isLocal(rank))
      status = send(note, &decided);
    else if (!isLocal(0) && isLocal(rank))
      status = recv(note, &decided);
    if (status)
      return status;
  }
  value = decided;
  return TESSERA_OK;
}

int32_t RankHost::greatest(int32_t ranks, int32_t &value) {
  static const TesseraSite site = {"status", "all processes"};
  for (int32_t rank = 1; rank < ranks; ++rank) {
    TesseraMessage note = {rank, 0, note::decision, sizeof value, &site};
    int32_t theirs = value, status = 0;
    if (isLocal(0) && !isLocal(rank))
      status = recv(note, &theirs);
    else if (!isLocal(0) && isLocal(rank))
      status = send(note, &value);
    if (status)
      return status;
    value = std::max(value, theirs);
  }
  return agree(ranks, value);
}
