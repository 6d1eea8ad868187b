//===- NearestName.cpp ----------------------------------------------------===//

#include "tessera/Support/NearestName.h"

#include <algorithm>
#include <cctype>
#include <vector>

using namespace tessera;

static std::string toLower(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// How many letters must be inserted, left out, replaced or exchanged with the
/// next to make `b` of `a` (optimal string alignment).
static size_t editDistance(std::string_view a, std::string_view b) {
  // The rows of a[0, i) for i two and one before the current one, and that.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string tessera::nearestName(std::string_view name,
                                 std::span<const std::string> names) {
  // Of fewer letters, too many names begin with them.
  constexpr size_t kLeastStem = 3;
  std::string wrong = toLower(name), best;
  size_t least = std::max<size_t>(wrong.size() / 3, 1) + 1;
  for (const std::string &candidate : names) {
    std::string right = toLower(candidate);
    size_t stem = std::min(wrong.size(), right.size());
    size_t distance =
        stem >= kLeastStem && wrong.starts_with(right.substr(0, stem)) ? 1
        : stem + least <= std::max(wrong.size(), right.size())
            ? least
            : editDistance(wrong, right);
    // A name of which every letter is wrong is another one.
    if (distance < std::min(least, std::max<size_t>(stem, 1))) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string tessera::didYouMean(std::string_view name,
                                std::span<const std::string> names) {
  std::string nearest = nearestName(name, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}
