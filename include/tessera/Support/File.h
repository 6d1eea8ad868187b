//===- File.h - Checked reading and writing of files ----------------------===//

#ifndef TESSERA_SUPPORT_FILE_H
#define TESSERA_SUPPORT_FILE_H

#include "tessera/Support/Fallible.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace tessera {

struct CloseFile {
  void operator()(std::FILE *file) const { std::fclose(file); }
};

/// A regular file open for reading. Failures begin with the path.
class InputFile {
public:
  static Fallible<InputFile> open(const std::string &path);

  /// Bytes in the file.
  uint64_t size() const { return length; }

  /// Reads exactly `bytes` bytes from where the last read ended.
  Fallible<void> read(void *into, uint64_t bytes);

  /// Continues at `offset` from the beginning.
  Fallible<void> seek(uint64_t offset);

  /// A failure about this file.
  Failure failure(const std::string &what) const {
    return Failure{path + ": " + what};
  }

private:
  InputFile(std::string path) : path(std::move(path)) {}
  std::string path;
  std::unique_ptr<std::FILE, CloseFile> file;
  uint64_t length = 0;
};

/// A file that comes into being, or replaces the one of that name, when
/// `commit` succeeds; else nothing is left.
class OutputFile {
public:
  static Fallible<OutputFile> create(const std::string &path);
  OutputFile(OutputFile &&) = default;
  ~OutputFile();

  /// Appends; errors show in `commit`.
  void write(const void *from, uint64_t bytes);
  void write(const std::string &text) { write(text.data(), text.size()); }

  Fallible<void> commit();

private:
  OutputFile(std::string path) : path(std::move(path)) {}
  std::string path, partialPath;
  std::unique_ptr<std::FILE, CloseFile> file;
};

/// Reads a whole file of at most `limit` bytes.
Fallible<std::string> readTextFile(const std::string &path, uint64_t limit);

} // namespace tessera

#endif // TESSERA_SUPPORT_FILE_H
