//===- File.h - Checked reading and writing of files ----------------------===//

#ifndef TESSERA_SUPPORT_FILE_H
#define TESSERA_SUPPORT_FILE_H

#include "tessera/Support/Fallible.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

struct stat;

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

/// What a program writes to a path. A regular file comes into being, or
/// replaces the one of that name and keeps its permissions, when `commit`
/// succeeds; else it is as it was. What else may be there (a device, a pipe,
/// the file that standard output or standard error goes to) is never replaced:
/// bytes go to it as they come. Symbolic links are followed; `-` is standard
/// output. Failures begin with the path.
class OutputFile {
public:
  static Fallible<OutputFile> create(const std::string &path);
  OutputFile(OutputFile &&) = default;
  ~OutputFile();

  /// Appends; errors show in `commit`.
  void write(const void *from, uint64_t bytes);
  void write(const std::string &text) { write(text.data(), text.size()); }

  /// Ends the file. Fails if any byte has not been written.
  Fallible<void> commit();

private:
  OutputFile(std::string path) : path(std::move(path)) {}
  Fallible<void> openStream();
  Fallible<void> openPartial(const struct stat *replaced);
  Failure failure(int error) const;

  /// As the user named it.
  std::string path;
  /// What is replaced in the end and what is renamed to it; empty where bytes
  /// go to the path itself.
  std::string targetPath, partialPath;
  std::unique_ptr<std::FILE, CloseFile> file;
  /// The number of the first error; 0 for none.
  int firstError = 0;
};

/// Writes `contents` to `path` as `OutputFile` does.
Fallible<void> writeFile(const std::string &path, std::string_view contents);

/// Whether `path` could be written, so that long work does not end with the
/// news that it cannot. Leaves everything as it is.
Fallible<void> checkWritable(const std::string &path);

/// Makes writes that fail errors in place of signals (a pipe that nobody reads,
/// a file larger than this process may write), and sees to it that a program
/// whose standard output did not get where it should says so in one line, begun
/// by `tool`, and ends with exit status 1. For the beginning of `main`, behind
/// what installs other signal handlers. `flush`, if any, writes what other
/// buffers hold for standard output; it returns the number of an error, or 0.
void watchStandardOutput(const char *tool, int (*flush)() = nullptr);

/// Writes what is buffered for standard output. Fails from the first write on
/// that failed. Whoever calls this tells of it: not what `watchStandardOutput`
/// has installed.
Fallible<void> flushStandardOutput();

/// Reads a whole file of at most `limit` bytes.
Fallible<std::string> readTextFile(const std::string &path, uint64_t limit);

} // namespace tessera

#endif // TESSERA_SUPPORT_FILE_H
