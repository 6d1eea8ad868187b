//===- ProgramFile.h - What a compiled program says about itself ----------===//
#ifndef TESSERA_PACKAGE_PROGRAMFILE_H
#define TESSERA_PACKAGE_PROGRAMFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace tessera {

/// The manifest of the program at `path`, without executing anything of it. The
/// error says why there is none, without the path.
llvm::Expected<llvm::json::Object> readManifest(llvm::StringRef path);

} // namespace tessera

#endif // TESSERA_PACKAGE_PROGRAMFILE_H
