//===- NearestName.h - What somebody may have meant -----------------------===//

#ifndef TESSERA_SUPPORT_NEARESTNAME_H
#define TESSERA_SUPPORT_NEARESTNAME_H

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// The one of `names` that `name` is most likely a misspelling of: with at most
/// a third of its letters wrong (inserted, left out, replaced, or exchanged
/// with the next; case does not count), or cut off or lengthened at its end.
/// The first of several; empty for none.
std::string nearestName(std::string_view name,
                        std::span<const std::string> names);

/// `; did you mean 'NAME'?` for the end of a diagnostic, or nothing.
std::string didYouMean(std::string_view name,
                       std::span<const std::string> names);

} // namespace tessera

#endif // TESSERA_SUPPORT_NEARESTNAME_H
