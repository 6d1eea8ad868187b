//===- TensorFile.cpp - Choosing the format, folders of .npy --------------===//

#include "tessera/Support/TensorFile.h"

#include "tessera/Support/File.h"
#include "tessera/Support/StoredTensor.h"

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

static Fallible<std::vector<StoredTensor>> openFolder(const std::string &path) {
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
  std::vector<StoredTensor> tensors;
  for (const fs::path &file : files) {
    Fallible<StoredTensor> tensor = openNpy(file.string());
    if (!tensor)
      return tensor.failure();
    tensor->name = decodeName(file.stem().string());
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

/// Whether the file begins as .npy files do. A .safetensors file may begin with
/// the same byte, the lowest of its header's length, but not with the same six:
/// its header would be longer than the format allows.
static bool looksLikeNpy(const std::string &path) {
  Fallible<InputFile> file = InputFile::open(path);
  std::string start(npyMagic.size(), '\0');
  return file && file->size() >= start.size() &&
         file->read(start.data(), start.size()) && start == npyMagic;
}

Fallible<std::vector<StoredTensor>>
tessera::openTensorFile(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return openFolder(path);
  if (!looksLikeNpy(path))
    return openSafetensors(path);
  Fallible<StoredTensor> tensor = openNpy(path);
  if (!tensor)
    return tensor.failure();
  tensor->name = fs::path(path).stem().string();
  return std::vector<StoredTensor>{*std::move(tensor)};
}

/// All elements of the tensors of a file that has been opened.
static Fallible<std::vector<NamedTensor>>
readAll(Fallible<std::vector<StoredTensor>> stored) {
  if (!stored)
    return stored.failure();
  std::vector<NamedTensor> tensors;
  for (const StoredTensor &tensor : *stored) {
    Fallible<HostTensor> whole = tensor.readWhole();
    if (!whole)
      return whole.failure();
    tensors.push_back({tensor.name, *std::move(whole), tensor.shortType});
  }
  return tensors;
}

Fallible<std::vector<NamedTensor>>
tessera::readTensorFile(const std::string &path) {
  return readAll(openTensorFile(path));
}

Fallible<std::vector<NamedTensor>>
tessera::readSafetensors(const std::string &path) {
  return readAll(openSafetensors(path));
}

namespace {
enum class Format { Safetensors, Npy, Folder };
} // namespace

static Fallible<Format> formatOf(const std::string &path) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (path == "-")
    return Failure{"expected a file or a folder for tensors, got standard "
                   "output"};
  if (fs::is_directory(status))
    return Format::Folder;
  if (fs::path(path).extension() == ".npy")
    return Format::Npy;
  bool isOther = fs::exists(status) && !fs::is_regular_file(status);
  if (fs::path(path).extension() == ".safetensors" || isOther)
    return Format::Safetensors;
  if (fs::is_regular_file(status))
    return Failure{path + ": expected a folder, .safetensors or .npy, got "
                          "another file"};
  return Format::Folder;
}

Fallible<void>
tessera::writeTensorFile(const std::string &path,
                         const std::vector<NamedTensor> &tensors) {
  Fallible<Format> format = formatOf(path);
  if (!format)
    return format.failure();
  if (*format == Format::Safetensors)
    return writeSafetensors(path, tensors);
  if (*format == Format::Npy) {
    if (tensors.size() != 1)
      return Failure{path + ": a .npy file holds one tensor, got " +
                     std::to_string(tensors.size())};
    return writeNpy(path, tensors.front().tensor);
  }
  std::error_code error;
  fs::path folder(path);
  fs::create_directories(folder, error);
  if (error)
    return Failure{path + ": " + error.message()};
  for (const NamedTensor &named : tensors)
    if (Fallible<void> done =
            writeNpy((folder / (encodeName(named.name) + ".npy")).string(),
                     named.tensor);
        !done)
      return done;
  return {};
}

Fallible<void> tessera::checkTensorFileWritable(const std::string &path) {
  Fallible<Format> format = formatOf(path);
  if (!format)
    return format.failure();
  std::error_code error;
  if (*format == Format::Folder && fs::is_directory(path, error))
    return checkWritable((fs::path(path) / ".npy").string());
  return checkWritable(path);
}
