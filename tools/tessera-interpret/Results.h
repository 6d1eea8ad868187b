//===- Results.h - What happens to a program's results --------------------===//

#ifndef TESSERA_TOOLS_TESSERA_INTERPRET_RESULTS_H
#define TESSERA_TOOLS_TESSERA_INTERPRET_RESULTS_H

#include "tessera/Interpreter/Boundary.h"
#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Support/TensorComparison.h"

namespace tessera {

/// Prints each result with its name, type and value (`result0: f32[2] = [1,
/// 2]`).
void printResults(const Boundary &boundary,
                  const std::vector<HostTensor> &results);

/// Prints the scalar results of a step on a line: `step 1/2 loss=5.5`.
void printStep(const Boundary &boundary, const std::vector<HostTensor> &results,
               int64_t step, int64_t steps);

/// Writes the results to a tensor file.
Fallible<void> writeResults(const Boundary &boundary,
                            const std::vector<HostTensor> &results,
                            const std::string &path);

/// Compares the results with those of the same name in a tensor file, prints
/// how far each is off, and returns whether all are within the tolerance.
Fallible<bool> compareResults(const Boundary &boundary,
                              const std::vector<HostTensor> &results,
                              const std::string &path,
                              const Tolerance &tolerance);

/// Prints, by collective and in all, what a device sends: the device that sends
/// most, the lowest of several.
void printCommunication(
    const std::vector<std::vector<CollectiveCount>> &devices);

} // namespace tessera

#endif // TESSERA_TOOLS_TESSERA_INTERPRET_RESULTS_H
