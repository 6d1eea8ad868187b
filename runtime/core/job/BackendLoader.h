//===- BackendLoader.h - Finding back ends at run time --------------------===//

#ifndef TESSERA_RUNTIME_CORE_JOB_BACKENDLOADER_H
#define TESSERA_RUNTIME_CORE_JOB_BACKENDLOADER_H

#include "tessera/Support/Fallible.h"
#include "tessera/backend.h"

#include <string>

namespace tessera::runtime {

/// The back end of that name, from `libtessera_backend_<name>.so` in the folder
/// of this library. Stays loaded.
Fallible<const TesseraBackend *> loadBackend(const std::string &name);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_CORE_JOB_BACKENDLOADER_H
