//===- Patience.cpp -------------------------------------------------------===//

#include "Patience.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

using namespace tessera;
using namespace tessera::processes;

/// The first notice comes after so many seconds, each further one after twice
/// the time.
static constexpr double firstNotice = 10;

Patience::Patience(double unlessSet, std::string purpose)
    : seconds(unlessSet), purpose(std::move(purpose)) {
  const char *asked = std::getenv("TESSERA_START_TIMEOUT");
  if (double value = asked ? std::atof(asked) : 0; value > 0)
    seconds = value;
  nextNotice = std::min(firstNotice, seconds / 10);
}

/// `rank 1, 3`; of many, the first ones and how many more.
static std::string listOf(const std::vector<int32_t> &ranks) {
  constexpr size_t named = 8;
  std::string list;
  for (size_t i = 0; i < std::min(ranks.size(), named); ++i)
    list += (i == 0 ? "rank " : ", ") + std::to_string(ranks[i]);
  if (ranks.size() > named)
    list += " and " + std::to_string(ranks.size() - named) + " more";
  return list;
}

std::optional<std::string>
Patience::check(const std::vector<int32_t> &missing) {
  double waited = std::chrono::duration<double>(Clock::now() - begin).count();
  if (waited > seconds) {
    char text[48];
    std::snprintf(text, sizeof text, "waited %g s for ", seconds);
    return text + listOf(missing) + " " + purpose;
  }
  if (waited > nextNotice) {
    nextNotice *= 2;
    std::fprintf(stderr, "%s: waiting for %s %s (%.0f of %g s)\n",
                 program_invocation_short_name, listOf(missing).c_str(),
                 purpose.c_str(), waited, seconds);
  }
  return std::nullopt;
}
