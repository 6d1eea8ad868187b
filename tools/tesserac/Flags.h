//===- Flags.h - the compiler's flags -------------------------------------===//
#ifndef TESSERA_TOOLS_TESSERAC_FLAGS_H
#define TESSERA_TOOLS_TESSERAC_FLAGS_H

#include "tessera/Driver/Compiler.h"

#include "llvm/ADT/ArrayRef.h"

namespace tessera {

/// Reads a tool's command line into `options`. An exit status where nothing is
/// left to do: a flag only prints something, or one is wrong, which has been
/// reported on stderr. May end the process, as --help does. To be called once.
std::optional<int> readCommandLine(int argc, char **argv,
                                   CompileOptions &options);

/// Reads the flags of one compilation among several into `options`; the file
/// of the model may be among them, and without `-o` there is no output path.
/// False after an error, which is reported on `os`. Any thread may call this.
bool readFlags(llvm::ArrayRef<const char *> flags, CompileOptions &options,
               llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_TOOLS_TESSERAC_FLAGS_H
