//===- RankHost.cpp -------------------------------------------------------===//

#include "RankHost.h"

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
