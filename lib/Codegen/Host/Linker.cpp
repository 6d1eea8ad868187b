//===- Linker.cpp - Links object code to a shared object ------------------===//

#include "mlir/IR/Diagnostics.h"
#include "tessera/Codegen/Host/ObjectEmitter.h"
#include "tessera/Support/File.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// The linker that a release carries in the prefix of the program or library
/// that this is part of, else one on PATH: first the system's own, which starts
/// in a third of the time that LLVM's takes to load LLVM.
static FailureOr<std::string> findLinker(Location location) {
  Dl_info self = {};
  SmallString<256> carried;
  if (dladdr(reinterpret_cast<void *>(&findLinker), &self) && self.dli_fname)
    (void)llvm::sys::fs::real_path(self.dli_fname, carried);
  llvm::sys::path::remove_filename(carried);
  llvm::sys::path::append(carried, "..", "libexec", "tessera", "ld.lld");
  if (llvm::sys::fs::can_execute(carried))
    return std::string(carried);
  for (const char *name : {"ld", "ld.lld-22", "ld.lld"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return emitError(location, "expected a linker (ld, ld.lld-22 or ld.lld) on "
                             "PATH, got none");
}

/// Writes `object` to a new temporary file.
static LogicalResult writeTemporary(StringRef object, Location location,
                                    std::string &path) {
  SmallString<128> name;
  if (auto error = llvm::sys::fs::createTemporaryFile("tessera", "o", name))
    return emitError(location, "cannot create a temporary file: ")
           << error.message();
  path = std::string(name);
  if (Fallible<void> done = writeFile(path, object); !done)
    return emitError(location, "cannot write a temporary file: ")
           << done.message();
  return success();
}

/// What `linker` says first in its `log`; of a crash, that.
static std::string describeFailure(int status, StringRef log) {
  if (status < 0)
    return "the linker crashed; is the folder for temporary files full?";
  auto text = llvm::MemoryBuffer::getFile(log);
  return text ? (*text)->getBuffer().split('\n').first.str() : std::string();
}

FailureOr<std::string> tessera::codegen::linkShared(ArrayRef<Object> objects,
                                                    Location location) {
  FailureOr<std::string> linker = findLinker(location);
  if (failed(linker))
    return failure();
  std::vector<std::string> files(objects.size());
  std::string log, output;
  llvm::scope_exit cleanUp([&] {
    for (const std::string &file : files)
      if (!file.empty())
        llvm::sys::fs::remove(file);
    for (const std::string &file : {log, output})
      if (!file.empty())
        llvm::sys::fs::remove(file);
  });
  for (size_t i = 0; i < objects.size(); ++i)
    if (failed(writeTemporary({objects[i].data(), objects[i].size()}, location,
                              files[i])))
      return failure();
  if (failed(writeTemporary("", location, log)) ||
      failed(writeTemporary("", location, output)))
    return failure();
  std::vector<StringRef> arguments = {
      *linker, "-shared",     "-o", output,           "--hash-style=gnu",
      "-z",    "noexecstack", "-z", "noseparate-code"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      *linker, arguments, std::nullopt,
      {std::nullopt, StringRef(log), StringRef(log)}, 0, 0, &message);
  if (status != 0)
    return emitError(location, "cannot link the program: ")
           << describeFailure(status, log);
  auto linked = llvm::MemoryBuffer::getFile(output);
  if (!linked)
    return emitError(location, "cannot read what was linked: ")
           << linked.getError().message();
  return (*linked)->getBuffer().str();
}
