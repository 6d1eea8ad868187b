//===- PtxAssembler.cpp - Calls of ptxas ----------------------------------===//

#include "tessera/Codegen/NVPTX/PtxAssembler.h"
#include "tessera/Support/File.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace tessera;
using namespace tessera::nvptx;

std::optional<std::string> tessera::nvptx::findPtxas() {
  if (auto path = sys::findProgramByName("ptxas"))
    return *path;
  SmallVector<std::string> folders;
  if (std::optional<std::string> home = sys::Process::GetEnv("CUDA_HOME"))
    folders.push_back(*home);
  folders.push_back("/usr/local/cuda");
  for (const std::string &folder : folders) {
    SmallString<128> path(folder);
    sys::path::append(path, "bin", "ptxas");
    if (sys::fs::can_execute(path))
      return std::string(path);
  }
  return std::nullopt;
}

/// The number before `unit` in `line`, as in "32 registers"; 0 if there is
/// none.
static int64_t numberBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return 0;
  StringRef text = line.take_front(end).rtrim();
  int64_t number = 0;
  text.take_back(text.size() - (text.find_last_not_of("0123456789") + 1))
      .getAsInteger(10, number);
  return number;
}

void tessera::nvptx::parsePtxasLog(StringRef log, AssembledPtx &result) {
  FunctionResources *function = nullptr;
  for (StringRef line : split(log, '\n')) {
    if (line.contains("Compiling entry function '"))
      function =
          &result.functions[line.split('\'').second.split('\'').first.str()];
    else if (line.starts_with("ptxas warning") ||
             line.contains("Potential Performance Loss"))
      result.warnings += line.str() + "\n";
    if (!function)
      continue;
    if (line.contains(" bytes spill stores"))
      function->spilled = numberBefore(line, " bytes spill stores") +
                          numberBefore(line, " bytes spill loads");
    if (line.contains(": Used ")) {
      function->registers = numberBefore(line, " registers");
      function->shared = numberBefore(line, " bytes smem");
    }
  }
}

namespace {

/// A file that is removed in the end.
struct TemporaryFile {
  SmallString<128> path;
  std::error_code error;

  explicit TemporaryFile(StringRef suffix) {
    error = sys::fs::createTemporaryFile("tessera", suffix, path);
  }
  ~TemporaryFile() {
    if (!error)
      sys::fs::remove(path);
  }
};

} // namespace

/// The content of a file; empty if it cannot be read.
static std::string readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

Expected<AssembledPtx>
tessera::nvptx::assemblePtx(StringRef ptxas, StringRef ptx, StringRef chip) {
  TemporaryFile source("ptx"), output("cubin"), log("log");
  for (const TemporaryFile *file : {&source, &output, &log})
    if (file->error)
      return createStringError(file->error, "cannot create a temporary file: " +
                                                file->error.message());
  if (Fallible<void> done = writeFile(std::string(source.path), ptx); !done)
    return createStringError("cannot write a temporary file: " +
                             done.message());
  std::string architecture = ("-arch=" + chip).str();
  StringRef arguments[] = {ptxas,       "-v", architecture,
                           source.path, "-o", output.path};
  StringRef path = log.path;
  std::string message;
  int status = sys::ExecuteAndWait(ptxas, arguments, std::nullopt,
                                   {std::nullopt, path, path}, 0, 0, &message);
  std::string text = readFile(log.path);
  if (status != 0)
    return createStringError(
        "ptxas: " + (text.empty() ? message : StringRef(text).rtrim().str()));
  AssembledPtx result;
  result.cubin = readFile(output.path);
  parsePtxasLog(text, result);
  return result;
}
