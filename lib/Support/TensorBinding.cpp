//===- TensorBinding.cpp --------------------------------------------------===//

#include "tessera/Support/TensorBinding.h"
#include "tessera/Support/NearestName.h"

#include <cstring>

using namespace tessera;

std::string tessera::slotName(const TensorSlot &slot, size_t position,
                              const std::string &kind) {
  return slot.name.empty() ? kind + std::to_string(position) : slot.name;
}

/// The slot that is called `name`, or whose position `name` gives as
/// `<prefix><number>`. Names win over positions.
static std::optional<size_t> findSlot(std::string_view name,
                                      std::span<const TensorSlot> slots,
                                      std::string_view prefix) {
  for (size_t i = 0; i < slots.size(); ++i)
    if (!name.empty() && slots[i].name == name)
      return i;
  for (size_t i = 0; i < slots.size(); ++i)
    if (name == std::string(prefix) + std::to_string(i))
      return i;
  return std::nullopt;
}

static std::vector<std::string> namesOf(std::span<const TensorSlot> slots,
                                        const std::string &kind) {
  std::vector<std::string> names;
  for (const TensorSlot &slot : slots)
    names.push_back(slotName(slot, names.size(), kind));
  return names;
}

static ElementType typeOf(const NamedTensor &tensor) {
  return tensor.tensor.type();
}
static ElementType typeOf(const StoredTensor &tensor) { return tensor.type; }
static const Shape &shapeOf(const NamedTensor &tensor) {
  return tensor.tensor.shape();
}
static const Shape &shapeOf(const StoredTensor &tensor) { return tensor.shape; }
static HostTensor take(NamedTensor &tensor) { return std::move(tensor.tensor); }
static StoredTensor take(StoredTensor &tensor) { return std::move(tensor); }

/// Puts `tensor` into slot `position`, which must be free and of its type.
template <typename T, typename Bound>
static Fallible<void> bindTensor(T &tensor, size_t position,
                                 const TensorSlot &slot,
                                 const std::string &kind, bool batched,
                                 const std::string &path, Bound &bound) {
  if (bound[position])
    return Failure{path + ": tensor '" + tensor.name + "' binds to " + kind +
                   " " + std::to_string(position) +
                   ", which another tensor of the file binds to already"};
  Shape shape = shapeOf(tensor);
  std::string expected = describeTensorType(slot.type, slot.shape);
  if (batched) {
    expected += " with one more leading dimension";
    // No batch at all: leave the shape one that cannot match.
    if (!shape.empty() && shape.front() > 0)
      shape.erase(shape.begin());
    else
      shape.assign(slot.shape.size() + 1, -1);
  }
  if (typeOf(tensor) != slot.type || shape != slot.shape)
    return Failure{path + ": tensor '" + tensor.name + "': expected " +
                   expected + ", got " +
                   describeTensorType(typeOf(tensor), shapeOf(tensor))};
  if (slot.shortType && !tensor.shortType.empty() &&
      tensor.shortType != *slot.shortType)
    return Failure{path + ": tensor '" + tensor.name + "': expected " +
                   (slot.shortType->empty() ? expected : *slot.shortType) +
                   ", got elements of " + tensor.shortType};
  bound[position] = take(tensor);
  return {};
}

template <typename Bound, typename T>
static Fallible<Bound> bindAll(std::vector<T> tensors,
                               std::span<const TensorSlot> arguments,
                               std::span<const TensorSlot> results,
                               const std::string &path, bool batched) {
  Bound bound(arguments.size());
  for (T &tensor : tensors) {
    std::optional<size_t> slot = findSlot(tensor.name, arguments, "arg");
    if (!slot) {
      std::optional<size_t> result = findSlot(tensor.name, results, "result");
      if (!result)
        return Failure{path + ": tensor '" + tensor.name +
                       "' is no argument of the program" +
                       didYouMean(tensor.name, namesOf(arguments, "arg"))};
      for (size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].donatedResult == result)
          slot = i;
      if (!slot)
        continue;
    }
    if (Fallible<void> done = bindTensor(tensor, *slot, arguments[*slot],
                                         "argument", batched, path, bound);
        !done)
      return done.failure();
  }
  return bound;
}

Fallible<BoundTensors>
tessera::bindArguments(std::vector<NamedTensor> tensors,
                       std::span<const TensorSlot> arguments,
                       std::span<const TensorSlot> results,
                       const std::string &path, bool batched) {
  return bindAll<BoundTensors>(std::move(tensors), arguments, results, path,
                               batched);
}

Fallible<BoundStored>
tessera::bindArguments(std::vector<StoredTensor> tensors,
                       std::span<const TensorSlot> arguments,
                       std::span<const TensorSlot> results,
                       const std::string &path, bool batched) {
  return bindAll<BoundStored>(std::move(tensors), arguments, results, path,
                              batched);
}

Fallible<BoundTensors> tessera::bindResults(std::vector<NamedTensor> tensors,
                                            std::span<const TensorSlot> results,
                                            const std::string &path) {
  BoundTensors bound(results.size());
  for (NamedTensor &tensor : tensors) {
    std::optional<size_t> slot = findSlot(tensor.name, results, "result");
    if (!slot)
      return Failure{path + ": tensor '" + tensor.name +
                     "' is no result of the program" +
                     didYouMean(tensor.name, namesOf(results, "result"))};
    if (Fallible<void> done =
            bindTensor(tensor, *slot, results[*slot], "result",
                       /*batched=*/false, path, bound);
        !done)
      return done.failure();
  }
  return bound;
}

Fallible<std::vector<HostTensor>>
tessera::requireAllBound(BoundTensors tensors,
                         std::span<const TensorSlot> slots,
                         const std::string &kind, const std::string &path) {
  std::vector<HostTensor> all;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!tensors[i])
      return Failure{path + ": no tensor for " + kind + " '" +
                     slotName(slots[i], i, kind == "result" ? kind : "arg") +
                     "' of type " +
                     describeTensorType(slots[i].type, slots[i].shape)};
    all.push_back(std::move(*tensors[i]));
  }
  return all;
}

HostTensor tessera::sliceLeading(const HostTensor &tensor, int64_t index) {
  const Shape &shape = tensor.shape();
  assert(!shape.empty() && index >= 0 && index < shape.front());
  HostTensor slice(tensor.type(), Shape(shape.begin() + 1, shape.end()));
  std::memcpy(slice.data(), tensor.data() + index * slice.byteSize(),
              slice.byteSize());
  return slice;
}
