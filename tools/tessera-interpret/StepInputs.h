//===- StepInputs.h - What each step of a run starts from -----------------===//

#ifndef TESSERA_TOOLS_TESSERA_INTERPRET_STEPINPUTS_H
#define TESSERA_TOOLS_TESSERA_INTERPRET_STEPINPUTS_H

#include "tessera/Interpreter/Boundary.h"

namespace tessera {

/// The arguments of one step after another: from a file or random, then one
/// slice of the batches each step, and the results whose arguments are donated.
class StepInputs {
public:
  /// Reads and binds the files. `inputPath` and `batchPath` may be empty: then
  /// what the batches do not feed is random.
  static Fallible<StepInputs> read(const Boundary &boundary,
                                   const std::string &inputPath, uint64_t seed,
                                   const std::string &batchPath);

  /// All arguments of step number `step`, counted from 0.
  std::vector<HostTensor> arguments(int64_t step) const;

  /// Lets the results of a step feed the arguments donated to them.
  void feed(const Boundary &boundary, const std::vector<HostTensor> &results);

private:
  BoundTensors values;  ///< One per argument that no batch feeds.
  BoundTensors batches; ///< With one more leading dimension.
};

} // namespace tessera

#endif // TESSERA_TOOLS_TESSERA_INTERPRET_STEPINPUTS_H
