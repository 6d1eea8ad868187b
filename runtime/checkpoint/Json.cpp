//===- Json.cpp -----------------------------------------------------------===//

#include "checkpoint/Json.h"

#include <set>

using namespace tessera;
using namespace tessera::checkpoint;

std::optional<Json> checkpoint::parseUnique(std::string_view text) {
  bool isRepeated = false;
  // By depth, the names of the object that is read there.
  std::vector<std::set<std::string>> names;
  auto visit = [&](int depth, Json::parse_event_t event, Json &value) {
    if (event == Json::parse_event_t::object_start)
      names.resize(depth + 1);
    if (event == Json::parse_event_t::object_start)
      names[depth].clear();
    if (event == Json::parse_event_t::key)
      isRepeated |= !names[depth - 1].insert(value.get<std::string>()).second;
    return true;
  };
  Json json = Json::parse(text, visit, /*allow_exceptions=*/false);
  if (!json.is_object() || isRepeated)
    return std::nullopt;
  return json;
}

std::optional<std::string> checkpoint::stringAt(const Json &object,
                                                const char *key) {
  if (!object.is_object())
    return std::nullopt;
  auto found = object.find(key);
  if (found == object.end() || !found->is_string())
    return std::nullopt;
  return found->get<std::string>();
}

static std::optional<int64_t> asNumber(const Json &value) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > INT64_MAX)
    return std::nullopt;
  return value.get<int64_t>();
}

std::optional<int64_t> checkpoint::numberAt(const Json &object,
                                            const char *key) {
  if (!object.is_object())
    return std::nullopt;
  auto found = object.find(key);
  return found == object.end() ? std::nullopt : asNumber(*found);
}

std::optional<Shape> checkpoint::sizesAt(const Json &object, const char *key) {
  if (!object.is_object())
    return std::nullopt;
  auto found = object.find(key);
  if (found == object.end() || !found->is_array())
    return std::nullopt;
  Shape sizes;
  for (const Json &value : *found) {
    std::optional<int64_t> number = asNumber(value);
    if (!number)
      return std::nullopt;
    sizes.push_back(*number);
  }
  return sizes;
}
