//===- Store.cpp ----------------------------------------------------------===//

#include "checkpoint/Store.h"

#include "tessera/Support/File.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::checkpoint;
namespace fs = std::filesystem;

/// An index of a terabyte in blocks has some ten megabytes.
static constexpr uint64_t indexLimit = 256 << 20;

static Failure failureAt(const std::string &path, int error) {
  return Failure{path + ": " + std::strerror(error)};
}

//===----------------------------------------------------------------------===//
// The disk
//===----------------------------------------------------------------------===//

Fallible<void> checkpoint::syncToDisk(const std::string &path) {
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failureAt(path, errno);
  int error = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  // Some file systems know no such thing for folders.
  return error && error != EINVAL ? failureAt(path, error) : Fallible<void>();
}

Fallible<void> checkpoint::writeDurably(const std::string &path,
                                        std::string_view text) {
  if (Fallible<void> written = writeFile(path, text); !written)
    return written;
  return syncToDisk(path);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static constexpr std::string_view prefix = "step-";
static constexpr std::string_view partial = ".tmp-";

/// The step of `step-12`; nothing for other names.
static std::optional<int64_t> stepOf(std::string_view name) {
  if (!name.starts_with(prefix))
    return {};
  name.remove_prefix(prefix.size());
  int64_t step = 0;
  auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), step);
  if (error != std::errc() || end != name.data() + name.size() || step < 0)
    return {};
  return step;
}

std::string Store::pathOf(int64_t step) const {
  return (fs::path(folder) / (std::string(prefix) + std::to_string(step)))
      .string();
}

std::string Store::partialPathOf(int64_t step, uint32_t run) const {
  return pathOf(step) + std::string(partial) + std::to_string(run);
}

Fallible<void> Store::prepare() const {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error && !fs::is_directory(folder))
    return Failure{folder + ": " + error.message()};
  if (Fallible<void> writable =
          checkWritable((fs::path(folder) / ".tessera").string());
      !writable)
    return writable;
  std::vector<fs::path> left;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    size_t mark = name.find(partial);
    if (mark != name.npos && stepOf(name.substr(0, mark)))
      left.push_back(entry.path());
  }
  for (const fs::path &path : left)
    fs::remove_all(path, error);
  return {};
}

std::vector<Store::Entry> Store::list() const {
  std::vector<Entry> entries;
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder, error)) {
    std::optional<int64_t> step = stepOf(entry.path().filename().string());
    std::error_code none;
    if (step && fs::exists(entry.path() / indexName, none))
      entries.push_back({*step, entry.path().string()});
  }
  std::ranges::sort(entries, {}, &Entry::step);
  return entries;
}

Fallible<void> Store::commit(int64_t step, uint32_t run) const {
  std::string from = partialPathOf(step, run), to = pathOf(step);
  std::string old = to + std::string(partial) + "old-" + std::to_string(run);
  if (Fallible<void> synced = syncToDisk(from); !synced)
    return synced;
  std::error_code error;
  // At no moment is there none, also if the run is killed now.
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                RENAME_EXCHANGE) == 0) {
    Fallible<void> synced = syncToDisk(folder);
    fs::remove_all(from, error);
    return synced;
  }
  // There was none, or the file system knows no exchange.
  bool isReplaced = rename(to.c_str(), old.c_str()) == 0;
  if (rename(from.c_str(), to.c_str()) != 0) {
    Failure failure = failureAt(to, errno);
    if (isReplaced)
      (void)rename(old.c_str(), to.c_str());
    return failure;
  }
  if (isReplaced)
    fs::remove_all(old, error);
  return syncToDisk(folder);
}

void Store::prune(int64_t keep, int64_t latest) const {
  std::vector<Entry> entries = list();
  std::erase_if(entries, [&](const Entry &e) { return e.step > latest; });
  for (size_t i = 0; i + keep < entries.size(); ++i) {
    std::error_code error;
    // The index goes first: what is left of it is no checkpoint. What a link
    // leads to stays.
    if (!fs::is_symlink(entries[i].path, error))
      fs::remove(fs::path(entries[i].path) / indexName, error);
    fs::remove_all(entries[i].path, error);
  }
}

//===----------------------------------------------------------------------===//
// Reading an index
//===----------------------------------------------------------------------===//

Fallible<Index> checkpoint::readIndex(const std::string &folder) {
  std::string path = (fs::path(folder) / indexName).string();
  Fallible<std::string> text = readTextFile(path, indexLimit);
  if (!text)
    return text.failure();
  Fallible<Index> index = parseIndex(*text, Extent::Whole);
  if (!index)
    return Failure{path + ": " + index.message()};
  for (const File &file : index->files) {
    std::string filePath = (fs::path(folder) / file.name).string();
    struct stat status;
    if (lstat(filePath.c_str(), &status) != 0)
      return failureAt(filePath, errno);
    if (!S_ISREG(status.st_mode))
      return Failure{filePath + ": expected a regular file"};
    if (static_cast<uint64_t>(status.st_size) != file.size)
      return Failure{filePath + ": expected " + std::to_string(file.size) +
                     " bytes, got " + std::to_string(status.st_size)};
  }
  return index;
}
