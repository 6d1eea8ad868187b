//===- PtxFiles.cpp - the code of GPU kernels as text ---------------------===//

#include "PtxFiles.h"

#include "tessera/Codegen/NVPTX/GpuTarget.h"
#include "tessera/Codegen/NVPTX/PtxEmitter.h"
#include "tessera/Support/FileStream.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tessera;

/// The file of one image of several.
static std::string pathOf(const nvptx::GpuImage &image, StringRef path,
                          bool isFolder) {
  std::string name = ("kernels_" + Twine(image.module) + "." +
                      nvptx::GpuTarget::get(image.arch).chip + ".ptx")
                         .str();
  SmallString<128> file(path);
  if (isFolder) {
    llvm::sys::path::append(file, name);
  } else {
    if (StringRef(file).ends_with(".ptx"))
      file.pop_back_n(StringRef(".ptx").size());
    file += "." + name;
  }
  return std::string(file);
}

LogicalResult tessera::writePtxFiles(ModuleOp module, const std::string &path) {
  auto fail = [&](const Twine &message) {
    return emitError(UnknownLoc::get(module.getContext()), message);
  };
  auto images = nvptx::emitGpuImages(module, nvptx::Assemble::Never);
  if (failed(images))
    return failure();
  if (images->empty())
    return fail("expected kernels for GPUs in this file");
  bool isFolder =
      StringRef(path).ends_with("/") || llvm::sys::fs::is_directory(path);
  if (images->size() == 1 && !isFolder) {
    if (Fallible<void> done = writeFile(path, images->front().ptx); !done)
      return fail(done.message());
    return success();
  }
  if (path == "-")
    return fail("expected a file or a folder for ")
           << images->size() << " modules of PTX, got standard output";
  if (isFolder)
    if (std::error_code error = llvm::sys::fs::create_directories(path))
      return fail(path + ": " + error.message());
  for (const nvptx::GpuImage &image : *images) {
    std::string file = pathOf(image, path, isFolder);
    if (Fallible<void> done = writeFile(file, image.ptx); !done)
      return fail(done.message());
    llvm::outs() << file << '\n';
  }
  return success();
}
