//===- StoredTensor.h - Tensors in files, read where they are needed ------===//

#ifndef TESSERA_SUPPORT_STOREDTENSOR_H
#define TESSERA_SUPPORT_STOREDTENSOR_H

#include "tessera/Support/File.h"
#include "tessera/Support/HostTensor.h"

#include <vector>

namespace tessera {

/// A dense row-major tensor of which any part can be had without the rest: in
/// a file that stays open, or in memory. Copies are of the same elements.
class StoredTensor {
public:
  std::string name;
  ElementType type = ElementType::F32;
  Shape shape;
  /// As NamedTensor's.
  std::string shortType;

  /// One whose elements begin at byte `begin` of a file that has all of them.
  StoredTensor(std::string name, ElementType type, Shape shape,
               std::string shortType, std::shared_ptr<InputFile> file,
               uint64_t begin)
      : name(std::move(name)), type(type), shape(std::move(shape)),
        shortType(std::move(shortType)), file(std::move(file)), begin(begin) {}
  /// One in memory.
  explicit StoredTensor(NamedTensor tensor);

  /// Copies `count` elements, from number `first` on, to `into`; i1 is 0 or 1
  /// there. The failure begins with the path.
  Fallible<void> read(int64_t first, int64_t count, std::byte *into) const;

  /// All elements.
  Fallible<HostTensor> readWhole() const;

  /// Its elements, if they are in memory; else null.
  const std::byte *data() const {
    return memory ? memory->data() + begin : nullptr;
  }

  /// Slice `index` along the leading dimension; 0 <= index < its size.
  StoredTensor slice(int64_t index) const;

private:
  /// One of the two.
  std::shared_ptr<InputFile> file;
  std::shared_ptr<const HostTensor> memory;
  uint64_t begin = 0;
};

/// The tensors of a file or folder, as `readTensorFile` reads them. What stands
/// column by column in a file is brought to memory.
Fallible<std::vector<StoredTensor>> openTensorFile(const std::string &path);

// The formats by themselves.
Fallible<std::vector<StoredTensor>> openSafetensors(const std::string &path);
Fallible<StoredTensor> openNpy(const std::string &path);

} // namespace tessera

#endif // TESSERA_SUPPORT_STOREDTENSOR_H
