//===- SharedState.cpp ----------------------------------------------------===//

#include "SharedState.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::runtime;

/// The number of `name` among `names`; -1 if it is none of them.
static int32_t numberOf(const std::vector<std::string> &names,
                        const std::string &name) {
  auto found = std::ranges::find(names, name);
  return name.empty() || found == names.end()
             ? -1
             : static_cast<int32_t>(found - names.begin());
}

/// Gives the results of an entry point, whose arguments are known, their
/// numbers.
Fallible<void> SharedState::addResults(const Manifest &entryPoint) {
  auto fail = [&](const ManifestTensor &result, const std::string &what) {
    return Failure{"entry point '" + entryPoint.entryPoint + "': result '" +
                   result.name + "' " + what};
  };
  std::vector<int32_t> numbers;
  for (const ManifestTensor &result : entryPoint.results) {
    int32_t named = numberOf(names, result.name), number = named;
    if (result.donation) {
      number = arguments.back()[*result.donation];
      if (named >= 0 && named != number)
        return fail(result, "takes the memory of an argument of another name");
    } else if (named >= 0 && std::ranges::count(arguments.back(), named)) {
      return fail(result, "overwrites the argument of that name, which is not "
                          "donated to it");
    }
    if (number >= 0 && std::ranges::count(numbers, number))
      return fail(result, "is there twice");
    numbers.push_back(number);
  }
  results.push_back(std::move(numbers));
  return {};
}

/// Whether both can be one tensor in one piece of memory.
static bool areAlike(const ManifestTensor &a, const ManifestTensor &b) {
  return a.type == b.type && a.layout == b.layout && a.reduction == b.reduction;
}

Fallible<SharedState>
SharedState::find(const std::vector<const Manifest *> &entryPoints) {
  SharedState state;
  if (entryPoints.size() < 2)
    return state;
  if (entryPoints.front()->pipelineRanks() > 1)
    return Failure{"expected one pipeline rank in a program with several entry "
                   "points, got " +
                   std::to_string(entryPoints.front()->pipelineRanks())};
  // Of each tensor, who describes it first.
  std::vector<const ManifestTensor *> tensors;
  for (const Manifest *entryPoint : entryPoints)
    for (const ManifestTensor &argument : entryPoint->arguments)
      if (!argument.name.empty() && numberOf(state.names, argument.name) < 0) {
        state.names.push_back(argument.name);
        tensors.push_back(&argument);
      }
  for (const Manifest *entryPoint : entryPoints) {
    std::vector<int32_t> numbers;
    numbers.reserve(entryPoint->arguments.size());
    for (const ManifestTensor &argument : entryPoint->arguments)
      numbers.push_back(numberOf(state.names, argument.name));
    state.arguments.push_back(std::move(numbers));
    if (Fallible<void> added = state.addResults(*entryPoint); !added)
      return added.failure();
    auto check = [&](const std::vector<ManifestTensor> &list,
                     const std::vector<int32_t> &known) -> Fallible<void> {
      for (size_t i = 0; i < list.size(); ++i)
        if (known[i] >= 0 && !areAlike(list[i], *tensors[known[i]]))
          return Failure{"entry point '" + entryPoint->entryPoint +
                         "' has another type or sharding of '" +
                         state.names[known[i]] + "' than those before it"};
      return {};
    };
    if (auto fits = check(entryPoint->arguments, state.arguments.back()); !fits)
      return fits.failure();
    if (auto fits = check(entryPoint->results, state.results.back()); !fits)
      return fits.failure();
  }
  return state;
}
