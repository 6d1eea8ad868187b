//===- OutputFile.cpp - Writing files, and standard output ----------------===//

#include "tessera/Support/File.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The standard stream that goes to the file that `status` is of; -1 for none.
static int standardStreamOf(const struct stat &status) {
  for (int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own;
    if (fstat(stream, &own) == 0 && own.st_dev == status.st_dev &&
        own.st_ino == status.st_ino)
      return stream;
  }
  return -1;
}

/// Where symbolic links at the end of `path` lead, also to what does not exist.
static std::string followLinks(const std::string &path) {
  // As many as Linux follows; whoever opens what is left is told so.
  constexpr int kMostLinks = 40;
  fs::path target(path);
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(target, error); ++i)
    target = target.parent_path() / fs::read_symlink(target, error);
  return target.string();
}

Failure OutputFile::failure(int error) const {
  return Failure{(path == "-" ? "standard output" : path) + ": " +
                 std::strerror(error)};
}

Fallible<OutputFile> OutputFile::create(const std::string &path) {
  OutputFile output(path);
  struct stat status;
  bool exists = path != "-" && stat(path.c_str(), &status) == 0;
  if (path != "-" && !exists && errno != ENOENT)
    return output.failure(errno);
  if (exists && S_ISDIR(status.st_mode))
    return output.failure(EISDIR);
  bool isReplaced =
      path != "-" &&
      (!exists || (S_ISREG(status.st_mode) && standardStreamOf(status) < 0));
  Fallible<void> opened = isReplaced
                              ? output.openPartial(exists ? &status : nullptr)
                              : output.openStream();
  if (!opened)
    return opened.failure();
  return output;
}

/// Opens what is at the path, to be written through.
Fallible<void> OutputFile::openStream() {
  std::fflush(stdout);
  struct stat status;
  int stream = path == "-"                        ? STDOUT_FILENO
               : stat(path.c_str(), &status) == 0 ? standardStreamOf(status)
                                                  : -1;
  int descriptor =
      stream >= 0 ? dup(stream) : open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failure(errno);
  file.reset(fdopen(descriptor, "wb"));
  return {};
}

/// Opens a new file beside the one to be replaced, whose `replaced` status it
/// gets; null if there is none.
Fallible<void> OutputFile::openPartial(const struct stat *replaced) {
  targetPath = followLinks(path);
  if (replaced && access(targetPath.c_str(), W_OK) != 0)
    return failure(errno);
  fs::path folder = fs::path(targetPath).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error))
    return Failure{path + ": no folder '" + folder.string() + "'"};
  static std::atomic<unsigned> count = 0;
  int descriptor;
  do {
    std::string name = ".tessera-" + std::to_string(getpid()) + "-" +
                       std::to_string(count++) + ".partial";
    partialPath = (folder / name).string();
    descriptor = open(partialPath.c_str(),
                      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0)
    return failure(errno);
  file.reset(fdopen(descriptor, "wb"));
  if (!replaced)
    return {};
  // Whose file it is can be kept by the superuser only.
  if (fchown(descriptor, replaced->st_uid, replaced->st_gid) != 0)
    errno = 0;
  if (fchmod(descriptor, replaced->st_mode & 07777) != 0)
    return failure(errno);
  return {};
}

OutputFile::~OutputFile() {
  if (file && !partialPath.empty())
    std::remove(partialPath.c_str());
}

void OutputFile::write(const void *from, uint64_t bytes) {
  if (!firstError && std::fwrite(from, 1, bytes, file.get()) != bytes)
    firstError = errno;
}

Fallible<void> OutputFile::commit() {
  // Some file systems tell only at the end that there is no room.
  if (std::fclose(file.release()) != 0 && !firstError)
    firstError = errno;
  if (partialPath.empty())
    return firstError ? Fallible<void>(failure(firstError)) : Fallible<void>();
  if (!firstError && std::rename(partialPath.c_str(), targetPath.c_str()) != 0)
    firstError = errno;
  if (!firstError)
    return {};
  std::remove(partialPath.c_str());
  return failure(firstError);
}

Fallible<void> tessera::writeFile(const std::string &path,
                                  std::string_view contents) {
  Fallible<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.failure();
  file->write(contents.data(), contents.size());
  return file->commit();
}

Fallible<void> tessera::checkWritable(const std::string &path) {
  struct stat status;
  // Opening a pipe would tell its reader that it ends.
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
      !S_ISDIR(status.st_mode)) {
    if (access(path.c_str(), W_OK) == 0)
      return {};
    return Failure{path + ": " + std::strerror(errno)};
  }
  Fallible<OutputFile> probe = OutputFile::create(path);
  return probe ? Fallible<void>() : Fallible<void>(probe.failure());
}

//===----------------------------------------------------------------------===//
// Standard output
//===----------------------------------------------------------------------===//

static const char *toolName = nullptr;
static int (*flushOther)() = nullptr;
/// The number of the first error; 0 for none.
static int outputError = 0;
static bool isFailureTold = false;

Fallible<void> tessera::flushStandardOutput() {
  int error = flushOther ? flushOther() : 0;
  errno = 0;
  if ((std::fflush(stdout) != 0 || std::ferror(stdout)) && !error)
    error = errno ? errno : EIO;
  if (!outputError)
    outputError = error;
  if (!outputError)
    return {};
  isFailureTold = true;
  return Failure{std::string("standard output: ") + std::strerror(outputError)};
}

static void checkAtExit() {
  if (isFailureTold)
    return;
  Fallible<void> flushed = flushStandardOutput();
  if (flushed)
    return;
  std::fprintf(stderr, "%s: error: %s\n", toolName, flushed.message().c_str());
  _exit(1);
}

void tessera::watchStandardOutput(const char *tool, int (*flush)()) {
  toolName = tool;
  flushOther = flush;
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::atexit(checkAtExit);
}
