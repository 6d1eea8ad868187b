//===- Json.h - What an index says under a key, if it does ----------------===//
//
// For the sources of this folder: no header that others include names the JSON
// library.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CHECKPOINT_JSON_H
#define TESSERA_RUNTIME_CHECKPOINT_JSON_H

#include "tessera/Support/HostTensor.h"

#include <nlohmann/json.hpp>

namespace tessera::checkpoint {

using Json = nlohmann::json;

/// An object of which no part has two members of one name; nothing if the text
/// is none.
std::optional<Json> parseUnique(std::string_view text);

/// A string, a number from 0 to 2^63 - 1, a list of such numbers; nothing if
/// the object has no such member.
std::optional<std::string> stringAt(const Json &object, const char *key);
std::optional<int64_t> numberAt(const Json &object, const char *key);
std::optional<Shape> sizesAt(const Json &object, const char *key);

} // namespace tessera::checkpoint

#endif // TESSERA_RUNTIME_CHECKPOINT_JSON_H
