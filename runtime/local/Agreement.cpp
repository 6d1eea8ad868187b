//===- Agreement.cpp ------------------------------------------------------===//

#include "Agreement.h"

#include "../core/CollectiveParts.h"
#include "../core/Reduction.h"
#include "tessera/Support/Collective.h"
#include "tessera/Support/ElementType.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

using namespace tessera;
using namespace tessera::runtime;

const char *runtime::reductionName(int32_t reduction) {
  static constexpr const char *names[] = {"sum", "product", "min", "max",
                                          "and", "or",      "xor"};
  return reduction >= 0 && reduction <= TESSERA_XOR ? names[reduction]
                                                    : "unknown reduction";
}

static std::string typeName(int32_t dtype) {
  if (dtype < 0 || dtype >= elementTypeCount)
    return "unknown type " + std::to_string(dtype);
  return std::string(elementTypeName(static_cast<ElementType>(dtype)));
}

std::string runtime::describeCollective(const TesseraCollective &call) {
  return std::string(collectiveInfo(call.kind).name) + " '" + call.site->name +
         "' at " + call.site->location;
}

/// The collective with all that members must agree on.
static std::string describeFully(const TesseraCollective &call) {
  if (call.part_count > 0)
    return describeCollective(call) + " (" + std::to_string(call.part_count) +
           " parts)";
  std::string text = describeCollective(call) + " (" +
                     std::to_string(call.count) + " x " + typeName(call.dtype);
  if (collectiveInfo(call.kind).isReduction)
    text += std::string(", ") + reductionName(call.reduction);
  if (call.kind == TESSERA_BROADCAST)
    text += ", root " + std::to_string(call.root);
  if (call.kind == TESSERA_PERMUTE) {
    text += ", targets";
    for (int32_t i = 0; i < call.group->size; ++i)
      text += " " + std::to_string(call.targets[i]);
  }
  return text + ")";
}

/// Of one collective, or one part.
static bool partsAgree(const TesseraCollective &a, const TesseraCollective &b) {
  if (a.kind != b.kind || a.count != b.count || a.dtype != b.dtype ||
      a.reduction != b.reduction || a.root != b.root ||
      std::strcmp(a.site->name, b.site->name) != 0)
    return false;
  return a.kind != TESSERA_PERMUTE ||
         std::equal(a.targets, a.targets + a.group->size, b.targets);
}

/// The first part in which two calls differ, of each of them; none where they
/// agree.
static std::optional<std::array<TesseraCollective, 2>>
findDifference(const TesseraCollective &a, const TesseraCollective &b) {
  auto left = partsOf(a), right = partsOf(b);
  for (size_t i = 0; i < std::min(left.size(), right.size()); ++i)
    if (!partsAgree(left[i], right[i]))
      return {{left[i], right[i]}};
  if (left.size() != right.size())
    return {{a, b}};
  return std::nullopt;
}

/// What is wrong with a part that all members agree on.
static std::optional<std::string> findMistake(const TesseraCollective &call) {
  if (call.count < 0)
    return "expected a count of at least 0, got " + std::to_string(call.count);
  if (collectiveInfo(call.kind).isReduction &&
      !isReducible(call.dtype, call.reduction))
    return std::string(reductionName(call.reduction)) + " of " +
           typeName(call.dtype) + " is not defined";
  int32_t size = call.group->size;
  if (call.kind == TESSERA_BROADCAST && (call.root < 0 || call.root >= size))
    return "expected a root below " + std::to_string(size) + ", got " +
           std::to_string(call.root);
  if (call.kind != TESSERA_PERMUTE)
    return std::nullopt;
  std::vector<bool> taken(size, false);
  for (int32_t i = 0; i < size; ++i) {
    int32_t target = call.targets[i];
    if (target < -1 || target >= size)
      return "expected targets of -1 to " + std::to_string(size - 1) +
             ", got " + std::to_string(target);
    if (target >= 0 && taken[target])
      return "two members send to member " + std::to_string(target);
    if (target >= 0)
      taken[target] = true;
  }
  return std::nullopt;
}

std::optional<std::string>
runtime::findDisagreement(std::span<const TesseraCollective> calls) {
  auto rank = [](const TesseraCollective &call) {
    return "rank " + std::to_string(call.group->members[call.group->position]);
  };
  for (const TesseraCollective &call : calls)
    if (auto parts = findDifference(calls.front(), call))
      return "mismatched collectives: " + rank(calls.front()) + " calls " +
             describeFully(parts->front()) + ", " + rank(call) + " calls " +
             describeFully(parts->back());
  for (const TesseraCollective &part : partsOf(calls.front()))
    if (std::optional<std::string> mistake = findMistake(part))
      return describeCollective(part) + ": " + *mistake;
  return std::nullopt;
}
