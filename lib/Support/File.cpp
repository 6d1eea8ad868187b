//===- File.cpp -----------------------------------------------------------===//

#include "tessera/Support/File.h"

#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

using namespace tessera;

Fallible<InputFile> InputFile::open(const std::string &path) {
  InputFile input(path);
  struct stat status;
  // Asked before opening, because opening a pipe for reading would block.
  if (stat(path.c_str(), &status) != 0)
    return input.failure(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return input.failure("expected a regular file");
  input.file.reset(std::fopen(path.c_str(), "rb"));
  if (!input.file)
    return input.failure(std::strerror(errno));
  input.length = static_cast<uint64_t>(status.st_size);
  return input;
}

Fallible<void> InputFile::read(void *into, uint64_t bytes) {
  if (std::fread(into, 1, bytes, file.get()) == bytes)
    return {};
  return failure(std::ferror(file.get()) ? "cannot read the file"
                                         : "unexpected end of file");
}

Fallible<void> InputFile::seek(uint64_t offset) {
  if (fseeko(file.get(), static_cast<off_t>(offset), SEEK_SET) == 0)
    return {};
  return failure(std::strerror(errno));
}

Fallible<std::string> tessera::readTextFile(const std::string &path,
                                            uint64_t limit) {
  Fallible<InputFile> file = InputFile::open(path);
  if (!file)
    return file.failure();
  if (file->size() > limit)
    return file->failure("expected at most " + std::to_string(limit) +
                         " bytes, got " + std::to_string(file->size()));
  std::string text(file->size(), '\0');
  if (Fallible<void> read = file->read(text.data(), text.size()); !read)
    return read.failure();
  return text;
}
