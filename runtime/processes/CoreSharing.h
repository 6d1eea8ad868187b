//===- CoreSharing.h - Who uses the same cores ----------------------------===//

#ifndef TESSERA_RUNTIME_PROCESSES_CORESHARING_H
#define TESSERA_RUNTIME_PROCESSES_CORESHARING_H

#include "RankHost.h"
#include "tessera/Support/Fallible.h"

#include <string>
#include <vector>

namespace tessera::processes {

/// A text that is the same in processes which can share memory: of one boot of
/// one machine, and one network namespace.
std::string machineName();

/// How many of a job's processes, this one too, may use the same cores as this
/// one; all of them ask at the same time. Rank 0 says on standard error if a
/// launcher has bound it to one core of more.
Fallible<int32_t> countSharingRanks(RankHost &host, int32_t rank,
                                    int32_t ranks);

/// Gives each rank of a job a text of every rank, by rank, the same of all; all
/// call it at the same time.
Fallible<std::vector<std::string>> exchangeTexts(RankHost &host, int32_t rank,
                                                 int32_t ranks,
                                                 const std::string &own);

} // namespace tessera::processes

#endif // TESSERA_RUNTIME_PROCESSES_CORESHARING_H
