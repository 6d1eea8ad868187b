//===- TensorFile.cpp - Choosing the format, folders of .npy --------------===//

#include "tessera/Support/TensorFile.h"

#include "tessera/Support/File.h"

#include <algorithm>
#include <filesystem>

using namespace tessera;
namespace fs = std::filesystem;

/// The file name for a tensor: what a path cannot hold is escaped.
static std::string encodeName(const std::string &name) {
  std::string encoded;
  for (char c : name)
    encoded += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
  return encoded;
}

static std::string decodeName(const std::string &name) {
  std::string decoded;
  for (size_t i = 0; i < name.size(); ++i) {
    bool slash = name.compare(i, 3, "%2F") == 0;
    bool percent = name.compare(i, 3, "%25") == 0;
    decoded += slash ? '/' : percent ? '%' : name[i];
    i += slash || percent ? 2 : 0;
  }
  return decoded;
}

static Fallible<std::vector<NamedTensor>> readFolder(const std::string &path) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(path, error))
    if (entry.path().extension() == ".npy")
      files.push_back(entry.path());
  if (error)
    return Failure{path + ": " + error.message()};
  if (files.empty())
    return Failure{path + ": no .npy file in this folder"};
  std::sort(files.begin(), files.end());
  std::vector<NamedTensor> tensors;
  for (const fs::path &file : files) {
    Fallible<HostTensor> tensor = readNpy(file.string());
    if (!tensor)
      return tensor.failure();
    tensors.push_back({decodeName(file.stem().string()), *std::move(tensor)});
  }
  return tensors;
}

/// Whether the file's first byte is that of a .npy file.
static bool looksLikeNpy(const std::string &path) {
  Fallible<InputFile> file = InputFile::open(path);
  unsigned char first = 0;
  return file && file->size() > 6 && file->read(&first, 1) && first == 0x93;
}

Fallible<std::vector<NamedTensor>>
tessera::readTensorFile(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return readFolder(path);
  if (!looksLikeNpy(path))
    return readSafetensors(path);
  Fallible<HostTensor> tensor = readNpy(path);
  if (!tensor)
    return tensor.failure();
  std::vector<NamedTensor> tensors;
  tensors.push_back({fs::path(path).stem().string(), *std::move(tensor)});
  return tensors;
}

Fallible<void>
tessera::writeTensorFile(const std::string &path,
                         const std::vector<NamedTensor> &tensors) {
  fs::path file(path);
  if (file.extension() == ".safetensors")
    return writeSafetensors(path, tensors);
  if (file.extension() == ".npy") {
    if (tensors.size() != 1)
      return Failure{path + ": a .npy file holds one tensor, got " +
                     std::to_string(tensors.size())};
    return writeNpy(path, tensors.front().tensor);
  }
  std::error_code error;
  fs::create_directories(file, error);
  if (error)
    return Failure{path + ": " + error.message()};
  for (const NamedTensor &named : tensors)
    if (Fallible<void> done = writeNpy(
            (file / (encodeName(named.name) + ".npy")).string(), named.tensor);
        !done)
      return done;
  return {};
}
