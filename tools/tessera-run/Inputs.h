//===- Inputs.h - Everything that tessera-run reads before it runs --------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_INPUTS_H
#define TESSERA_TOOLS_TESSERA_RUN_INPUTS_H

#include "Options.h"
#include "Stop.h"
#include "tessera/Support/TensorBinding.h"
#include "tessera/runtime.h"

#include <vector>

namespace tessera::run {

/// The program's arguments and results as slots for tensors.
struct Slots {
  std::vector<TensorSlot> arguments, results;
  /// By argument, or empty for none: whether the program makes it before it
  /// reads it, so that it needs no input.
  std::vector<bool> isMade = {};
};
Slots slotsOf(const TesseraProgram *program);

/// What the files give, bound to the program. Every argument that no batch
/// feeds has a tensor.
struct Inputs {
  BoundStored arguments;
  /// With one more leading dimension; disjoint from `arguments`.
  BoundStored batches;
  /// One per result, or empty without `--expect`.
  std::vector<HostTensor> expected;

  /// The tensor that argument `index` gets from the batches at `step`, counted
  /// from 0; nothing if batches do not feed it.
  std::optional<StoredTensor> batch(size_t index, int64_t step) const;
};

/// The tensors of `--inputs`, which are not read; none without it.
Fallible<std::vector<StoredTensor>> openInputFile(const Options &options);

/// Binds `given`, the tensors of `--inputs`, and `initial`, what the program of
/// `--init` has made, which feed different arguments; opens and binds all other
/// files that the options name, or makes random tensors. `results` are those
/// that `--expect` is about.
Fallible<Inputs> readInputs(const Options &options, const Slots &slots,
                            const std::vector<TensorSlot> &results,
                            std::vector<StoredTensor> given,
                            std::vector<StoredTensor> initial);

/// Brings what ranks of this process hold of a tensor to them, block by block,
/// to argument `index` of the entry point that the job is in.
std::optional<Stop> fillArgument(TesseraJob *job, int32_t index,
                                 const StoredTensor &tensor);

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_INPUTS_H
