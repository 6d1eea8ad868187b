//===- Linker.cpp - Links object code to a shared object ------------------===//

#include "mlir/IR/Diagnostics.h"
#include "tessera/Codegen/Host/ObjectEmitter.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera::codegen;

static FailureOr<std::string> findLinker(Location location) {
  for (const char *name : {"ld.lld-22", "ld.lld", "ld"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return emitError(location, "expected a linker (ld.lld-22, ld.lld or ld) on "
                             "PATH, got none");
}

/// Writes `object` to a new temporary file.
static LogicalResult writeTemporary(const Object &object, Location location,
                                    std::string &path) {
  int file;
  SmallString<128> name;
  if (auto error =
          llvm::sys::fs::createTemporaryFile("tessera", "o", file, name))
    return emitError(location, "cannot create a temporary file: ")
           << error.message();
  path = std::string(name);
  llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream.write(object.data(), object.size());
  stream.close();
  if (stream.has_error()) {
    std::string message = stream.error().message();
    stream.clear_error();
    return emitError(location, "cannot write ") << name << ": " << message;
  }
  return success();
}

LogicalResult tessera::codegen::linkShared(ArrayRef<Object> objects,
                                           StringRef path, Location location) {
  FailureOr<std::string> linker = findLinker(location);
  if (failed(linker))
    return failure();
  std::vector<std::string> files(objects.size());
  std::string log;
  llvm::scope_exit cleanUp([&] {
    for (const std::string &file : files)
      if (!file.empty())
        llvm::sys::fs::remove(file);
    if (!log.empty())
      llvm::sys::fs::remove(log);
  });
  for (size_t i = 0; i < objects.size(); ++i)
    if (failed(writeTemporary(objects[i], location, files[i])))
      return failure();
  if (failed(writeTemporary(Object(), location, log)))
    return failure();
  std::string output = path.str();
  std::vector<StringRef> arguments = {*linker,      "-shared",          "-o",
                                      output,       "--hash-style=gnu", "-z",
                                      "noexecstack"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      *linker, arguments, std::nullopt,
      {std::nullopt, StringRef(log), StringRef(log)}, 0, 0, &message);
  if (status == 0)
    return success();
  if (auto text = llvm::MemoryBuffer::getFile(log))
    message += (*text)->getBuffer().split('\n').first.str();
  return emitError(location, "cannot link ") << output << ": " << message;
}
