//===- Parameters.h - Arguments and results of a program, as JAX has them -===//

#ifndef TESSERA_RUNTIME_PJRT_PARAMETERS_H
#define TESSERA_RUNTIME_PJRT_PARAMETERS_H

#include "Objects.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::runtime {
struct Manifest;
struct ManifestTensor;
} // namespace tessera::runtime

namespace tessera::pjrt {

/// `tensor`, which the manifest describes by `json`, on a program's ranks.
Parameter makeParameter(const runtime::ManifestTensor &tensor,
                        const nlohmann::json &json, int32_t ranks);

/// A field of a message in the format of protocol buffers.
void putNumber(std::string &message, int field, uint64_t value);
void putBytes(std::string &message, int field, const std::string &value);
void putNumbers(std::string &message, int field,
                const std::vector<int64_t> &values);

} // namespace tessera::pjrt

#endif // TESSERA_RUNTIME_PJRT_PARAMETERS_H
