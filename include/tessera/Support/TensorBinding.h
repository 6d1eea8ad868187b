//===- TensorBinding.h - Which tensor of a file is which argument ---------===//
//
// Tensors in files are named by an argument's or result's name, or by its
// position (`arg0`, `result0`). What one run writes as results is also what the
// next run can start from: a tensor named as a result binds to the argument
// whose buffer is donated to that result, and is passed over when there is none
// (a loss, for instance).
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_TENSORBINDING_H
#define TESSERA_SUPPORT_TENSORBINDING_H

#include "tessera/Support/Fallible.h"
#include "tessera/Support/HostTensor.h"
#include "tessera/Support/StoredTensor.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera {

/// An argument or result of a program, with its global type.
struct TensorSlot {
  /// May be empty: then only the position names it.
  std::string name;
  ElementType type = ElementType::F32;
  Shape shape;
  /// Arguments only: the number of the result that reuses its buffer.
  std::optional<size_t> donatedResult;
  /// Of what elements are the bits, as `tessera.short_type` names it; empty
  /// where they are themselves, nothing where that is not known.
  std::optional<std::string> shortType = {};
  /// Arguments only: whether it is state that the compiler has added, which is
  /// zero unless it is given.
  bool isInitiallyZero = false;
};

/// One tensor for each slot, or nothing where the file had none.
using BoundTensors = std::vector<std::optional<HostTensor>>;

/// Binds the tensors of `path` to arguments. Fails on a tensor that fits no
/// slot, binds to a slot already bound, or has another type than its slot
/// (bytes are those of any short type, if the file does not say more). With
/// `batched` every tensor has one more leading dimension, of any size above
/// zero. Slots may stay empty: see `requireAllBound`.
Fallible<BoundTensors> bindArguments(std::vector<NamedTensor> tensors,
                                     std::span<const TensorSlot> arguments,
                                     std::span<const TensorSlot> results,
                                     const std::string &path,
                                     bool batched = false);

/// The same for tensors that nobody has read.
using BoundStored = std::vector<std::optional<StoredTensor>>;
Fallible<BoundStored> bindArguments(std::vector<StoredTensor> tensors,
                                    std::span<const TensorSlot> arguments,
                                    std::span<const TensorSlot> results,
                                    const std::string &path,
                                    bool batched = false);

/// Binds the tensors of `path` to results, under the same rules.
Fallible<BoundTensors> bindResults(std::vector<NamedTensor> tensors,
                                   std::span<const TensorSlot> results,
                                   const std::string &path);

/// Fails with the name and type of the first empty slot; `kind` is `argument`
/// or `result`.
Fallible<std::vector<HostTensor>>
requireAllBound(BoundTensors tensors, std::span<const TensorSlot> slots,
                const std::string &kind, const std::string &path);

/// The name under which a slot's tensor is written: its own, else
/// `<kind><position>` with kind `arg` or `result`.
std::string slotName(const TensorSlot &slot, size_t position,
                     const std::string &kind);

/// Slice `index` along the leading dimension of `tensor`, as a tensor of one
/// dimension less; 0 <= index < its size.
HostTensor sliceLeading(const HostTensor &tensor, int64_t index);

} // namespace tessera

#endif // TESSERA_SUPPORT_TENSORBINDING_H
