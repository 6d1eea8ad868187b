//===- Agreement.h - Whether the members of a group call the same ---------===//

#ifndef TESSERA_RUNTIME_LOCAL_AGREEMENT_H
#define TESSERA_RUNTIME_LOCAL_AGREEMENT_H

#include "tessera/backend.h"

#include <optional>
#include <span>
#include <string>

namespace tessera::runtime {

/// The reduction's name, `sum`, or that it is unknown.
const char *reductionName(int32_t reduction);

/// `all_reduce 'dot.3' at model.py:41:8`.
std::string describeCollective(const TesseraCollective &call);

/// What is wrong with the calls of a group's members, in group order: two of
/// them differ, or they agree on something that does not exist. Nothing when
/// they may proceed.
std::optional<std::string>
findDisagreement(std::span<const TesseraCollective> calls);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LOCAL_AGREEMENT_H
