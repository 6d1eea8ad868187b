//===- FileStream.h - LLVM's streams into checked files -------------------===//
//
// For the parts that use LLVM, which write by `llvm::raw_ostream`.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_FILESTREAM_H
#define TESSERA_SUPPORT_FILESTREAM_H

#include "tessera/Support/File.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera {

/// A stream into `file`, which must outlive it. Errors show in the file's
/// `commit`, which is for the time behind this.
class FileStream : public llvm::raw_ostream {
public:
  FileStream(OutputFile &file) : file(file) {}
  ~FileStream() override { flush(); }

private:
  void write_impl(const char *from, size_t bytes) override {
    file.write(from, bytes);
    position += bytes;
  }
  uint64_t current_pos() const override { return position; }

  OutputFile &file;
  uint64_t position = 0;
};

/// Writes what `print` prints to `path` as `OutputFile` does.
inline Fallible<void>
printToFile(const std::string &path,
            llvm::function_ref<void(llvm::raw_ostream &)> print) {
  llvm::outs().flush(); // In case that this is where `path` leads.
  Fallible<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.failure();
  {
    FileStream stream(*file);
    print(stream);
  }
  return file->commit();
}

/// `watchStandardOutput` for tools that print by `llvm::outs()`, behind
/// `llvm::InitLLVM`.
inline void watchStandardStreams(const char *tool) {
  // Made before the watch is installed, they die behind it.
  llvm::outs();
  llvm::errs();
  watchStandardOutput(tool, [] {
    llvm::outs().flush();
    int error = llvm::outs().error().value();
    // Their destructors would end the program in another way.
    llvm::outs().clear_error();
    llvm::errs().clear_error();
    return error;
  });
}

} // namespace tessera

#endif // TESSERA_SUPPORT_FILESTREAM_H
