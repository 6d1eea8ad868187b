//===- SharedState.h - What entry points of a program share ---------------===//
//
// A job keeps every argument in memory of its ranks between steps. Where a
// program has several entry points, arguments of one name are one tensor in one
// piece of memory, whichever entry point runs. A result that no argument is
// donated to, and that has the name of an argument of another entry point, is
// written there as well. So the state goes from one entry point to the next
// without a copy.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CORE_PROGRAM_SHAREDSTATE_H
#define TESSERA_RUNTIME_CORE_PROGRAM_SHAREDSTATE_H

#include "Manifest.h"

namespace tessera::runtime {

/// The numbers of the tensors that entry points share; none where there is one
/// entry point.
class SharedState {
public:
  /// Fails where tensors of one name are of different types or shardings, or
  /// where an entry point would overwrite what it still reads.
  static Fallible<SharedState>
  find(const std::vector<const Manifest *> &entryPoints);

  /// How many there are.
  int32_t size() const { return static_cast<int32_t>(names.size()); }
  /// The number of the tensor that argument or result `index` of an entry point
  /// is; -1 if that has memory of its own.
  int32_t ofArgument(size_t entryPoint, int32_t index) const {
    return arguments.empty() ? -1 : arguments[entryPoint][index];
  }
  int32_t ofResult(size_t entryPoint, int32_t index) const {
    return results.empty() ? -1 : results[entryPoint][index];
  }

private:
  Fallible<void> addResults(const Manifest &entryPoint);

  std::vector<std::string> names; ///< By number.
  /// By entry point, then by argument or result.
  std::vector<std::vector<int32_t>> arguments, results;
};

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_PROGRAM_SHAREDSTATE_H
