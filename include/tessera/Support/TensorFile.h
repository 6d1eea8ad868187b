//===- TensorFile.h - safetensors and NumPy files -------------------------===//
//
// A tensor file is a set of named tensors: a `.safetensors` file, one `.npy`
// file (its tensor is named by the file's stem) or a folder of `.npy` files.
// Reading trusts nothing: sizes and offsets are checked against the length of
// the file before anything is allocated, and whatever is wrong becomes a
// failure that begins with the path.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_TENSORFILE_H
#define TESSERA_SUPPORT_TENSORFILE_H

#include "tessera/Support/Fallible.h"
#include "tessera/Support/HostTensor.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Reads all tensors of a file or folder; the kind is seen from its content. In
/// the order of the file, or of the sorted names in a folder.
Fallible<std::vector<NamedTensor>> readTensorFile(const std::string &path);

/// Writes a `.safetensors` file, one tensor as `.npy`, or (any other path) a
/// folder of `.npy` files, made if missing. Names in a folder have `/` and `%`
/// written as `%2F` and `%25`. What is at the path already and is neither a
/// file nor a folder, as a pipe, gets what a `.safetensors` file holds.
Fallible<void> writeTensorFile(const std::string &path,
                               const std::vector<NamedTensor> &tensors);

/// `checkWritable` for `writeTensorFile`.
Fallible<void> checkTensorFileWritable(const std::string &path);

// The formats by themselves.
Fallible<std::vector<NamedTensor>> readSafetensors(const std::string &path);
Fallible<void> writeSafetensors(const std::string &path,
                                const std::vector<NamedTensor> &tensors);

/// The name of an element type in such files, and, where the elements are the
/// bits of floats of eight bits, of that type if it has one (else of the bits).
std::string safetensorsType(ElementType type, const std::string &shortType);

/// What a .safetensors file with this header begins with: its length, the
/// header, and spaces up to a multiple of eight bytes.
std::string safetensorsStart(std::string header);

/// What .npy files begin with.
inline constexpr std::string_view npyMagic = "\x93NUMPY";

/// NumPy's two-byte void type, which is how NumPy writes arrays of ml_dtypes'
/// bfloat16, is read and written as bf16.
Fallible<HostTensor> readNpy(const std::string &path);
Fallible<void> writeNpy(const std::string &path, const HostTensor &tensor);

} // namespace tessera

#endif // TESSERA_SUPPORT_TENSORFILE_H
