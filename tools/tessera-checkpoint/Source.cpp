//===- Source.cpp ---------------------------------------------------------===//

#include "Source.h"

#include <filesystem>

using namespace tessera;
using namespace tessera::checkpoint;
namespace fs = std::filesystem;

Fallible<std::string> checkpoint::findCheckpoint(const std::string &path) {
  std::error_code error;
  if (fs::exists(fs::path(path) / indexName, error))
    return path;
  std::vector<Store::Entry> entries = Store(path).list();
  if (entries.empty())
    return Failure{path + ": no checkpoint there"};
  return entries.back().path;
}

Fallible<Source> Source::open(const std::string &path) {
  Source source;
  std::error_code error;
  source.where = path;
  if (fs::is_regular_file(path, error)) {
    Fallible<std::vector<StoredTensor>> stored = openTensorFile(path);
    if (!stored)
      return stored.failure();
    source.stored = *std::move(stored);
    for (const StoredTensor &tensor : source.stored)
      source.list.push_back(
          {tensor.name, tensor.type, tensor.shape, tensor.shortType, {}, {}});
    return source;
  }
  Fallible<std::string> found = findCheckpoint(path);
  if (!found)
    return found.failure();
  Fallible<Reader> reader = Reader::open(*found);
  if (!reader)
    return reader.failure();
  source.where = *found;
  source.list = reader->index().tensors;
  source.reader = *std::move(reader);
  return source;
}

Fallible<HostTensor> Source::read(size_t number) const {
  return reader ? reader->readWhole(reader->index().tensors[number])
                : stored[number].readWhole();
}
