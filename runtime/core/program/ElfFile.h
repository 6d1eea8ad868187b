//===- ElfFile.h - Looking into an ELF file without loading it ------------===//

#ifndef TESSERA_RUNTIME_CORE_PROGRAM_ELFFILE_H
#define TESSERA_RUNTIME_CORE_PROGRAM_ELFFILE_H

#include "tessera/Support/Fallible.h"

#include <string>

namespace tessera::runtime {

/// The content of a section of the shared object at `path`, without trailing
/// zeros. Fails when the file is no shared object for this machine's
/// architecture, is damaged, or has no such section. Executes nothing.
Fallible<std::string> readElfSection(const std::string &path,
                                     const std::string &section);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_PROGRAM_ELFFILE_H
