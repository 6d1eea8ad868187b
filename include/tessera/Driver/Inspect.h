//===- Inspect.h - the manifest of a compiled program ---------------------===//
#ifndef TESSERA_DRIVER_INSPECT_H
#define TESSERA_DRIVER_INSPECT_H

#include "tessera/Driver/Compiler.h"

namespace tessera {

/// Prints the manifest of the program at `path` on stdout, as a table or as
/// JSON, without executing anything of it.
ExitStatus inspectProgram(llvm::StringRef path, bool asJSON);

} // namespace tessera

#endif // TESSERA_DRIVER_INSPECT_H
