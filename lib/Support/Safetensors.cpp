//===- Safetensors.cpp - Reading and writing .safetensors -----------------===//
//
// The format: eight bytes with the length of the header (little-endian), the
// header as a JSON object
// `{"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]},
// "__metadata__": {...}}`, then the elements. Offsets count from the end of the
// header; together the tensors cover the rest of the file without gap or
// overlap.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/File.h"
#include "tessera/Support/StoredTensor.h"
#include "tessera/Support/TensorFile.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

using namespace tessera;
using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little,
              "tensor files are little-endian and read without conversion");

/// The format's own bound on the header.
static constexpr uint64_t headerLimit = 100'000'000;

/// Indexed by the element type's code.
static constexpr std::string_view dtypeNames[elementTypeCount] = {
    "BOOL", "I8",  "I16", "I32",  "I64", "U8", "U16",
    "U32",  "U64", "F16", "BF16", "F32", "F64"};

static std::optional<ElementType> parseDtype(const std::string &name) {
  for (int32_t code = 0; code < elementTypeCount; ++code)
    if (dtypeNames[code] == name)
      return static_cast<ElementType>(code);
  return std::nullopt;
}

/// The types of floats of eight bits, by their names in files.
static const std::map<std::string, std::string> &shortFloats() {
  static const std::map<std::string, std::string> types = {
      {"F8_E4M3", "f8E4M3FN"},
      {"F8_E4M3FNUZ", "f8E4M3FNUZ"},
      {"F8_E5M2", "f8E5M2"},
      {"F8_E5M2FNUZ", "f8E5M2FNUZ"},
      {"F8_E8M0", "f8E8M0FNU"}};
  return types;
}

/// The type of floats of eight bits that `dtype` names, of which a program has
/// the bits; empty of others.
static std::string shortFloat(const std::string &dtype) {
  auto found = shortFloats().find(dtype);
  return found == shortFloats().end() ? "" : found->second;
}

std::string tessera::safetensorsType(ElementType type,
                                     const std::string &shortType) {
  for (const auto &[dtype, name] : shortFloats())
    if (name == shortType)
      return dtype;
  return std::string(dtypeNames[static_cast<int32_t>(type)]);
}

std::string tessera::safetensorsStart(std::string header) {
  header.resize((header.size() + 7) / 8 * 8, ' '); // Aligns the data.
  uint64_t size = header.size();
  return std::string(reinterpret_cast<const char *>(&size), sizeof size) +
         header;
}

namespace {
/// What the header says about one tensor.
struct Entry {
  std::string name;
  ElementType type;
  Shape shape;
  uint64_t begin, end;
  std::string shortType;
};
} // namespace

/// Parses the header's text; nothing on malformed JSON or when a key occurs
/// twice.
static std::optional<Json> parseHeader(const std::string &text) {
  bool repeated = false;
  std::set<std::string> names;
  auto visit = [&](int depth, Json::parse_event_t event, Json &value) {
    if (event == Json::parse_event_t::key && depth == 1)
      repeated |= !names.insert(value.get<std::string>()).second;
    return true;
  };
  Json header = Json::parse(text, visit, /*allow_exceptions=*/false);
  if (!header.is_object() || repeated)
    return std::nullopt;
  return header;
}

/// A list of numbers that fit in an int64_t and are not negative.
static std::optional<Shape> parseSizes(const Json &list) {
  Shape sizes;
  if (!list.is_array())
    return std::nullopt;
  for (const Json &size : list) {
    if (!size.is_number_unsigned() || size.get<uint64_t>() > INT64_MAX)
      return std::nullopt;
    sizes.push_back(size.get<int64_t>());
  }
  return sizes;
}

/// Reads one header entry and checks it by itself; `dataSize` bytes follow the
/// header.
static Fallible<Entry> parseEntry(const InputFile &file,
                                  const std::string &name, const Json &value,
                                  uint64_t dataSize) {
  auto fail = [&](const std::string &what) {
    return file.failure("tensor '" + name + "': " + what);
  };
  if (!value.is_object() || !value.contains("dtype") ||
      !value["dtype"].is_string() || !value.contains("shape") ||
      !value.contains("data_offsets"))
    return fail("expected an object of dtype, shape and data_offsets");
  std::string dtype = value["dtype"].get<std::string>();
  // A program has the parts of complex numbers in a last dimension.
  bool isComplex = dtype == "C64";
  std::string shortType = shortFloat(dtype);
  std::optional<ElementType> type = parseDtype(isComplex            ? "F32"
                                               : !shortType.empty() ? "U8"
                                                                    : dtype);
  if (!type)
    return fail("unsupported element type '" + dtype + "'");
  std::optional<Shape> shape = parseSizes(value["shape"]);
  if (shape && isComplex)
    shape->push_back(2);
  std::optional<int64_t> count =
      shape ? elementCountOf(*shape, elementSize(*type)) : std::nullopt;
  if (!count)
    return fail("malformed shape " + value["shape"].dump());
  std::optional<Shape> offsets = parseSizes(value["data_offsets"]);
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return fail("malformed data_offsets " + value["data_offsets"].dump());
  uint64_t begin = (*offsets)[0], end = (*offsets)[1];
  if (end > dataSize)
    return fail("truncated file: expected " + std::to_string(end) +
                " bytes of data, got " + std::to_string(dataSize));
  uint64_t expected = *count * elementSize(*type);
  if (end - begin != expected)
    return fail("expected " + std::to_string(expected) + " bytes for " +
                describeTensorType(*type, *shape) + ", got " +
                std::to_string(end - begin));
  return Entry{name, *type, *shape, begin, end, shortType};
}

/// No two tensors may share bytes, and none may be left over.
static Fallible<void> checkCover(const InputFile &file,
                                 std::vector<Entry> entries,
                                 uint64_t dataSize) {
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  uint64_t covered = 0;
  for (const Entry &entry : entries) {
    if (entry.begin != covered)
      return file.failure(
          "tensor '" + entry.name + "': expected its data to begin at byte " +
          std::to_string(covered) + ", where the previous tensor ends, got " +
          std::to_string(entry.begin));
    covered = entry.end;
  }
  if (covered != dataSize)
    return file.failure("expected " + std::to_string(covered) +
                        " bytes of data, got " + std::to_string(dataSize));
  return {};
}

/// Checks all of the header before it reads any tensor: every entry within the
/// file, together covering it.
Fallible<std::vector<StoredTensor>>
tessera::openSafetensors(const std::string &path) {
  Fallible<InputFile> file = InputFile::open(path);
  if (!file)
    return file.failure();
  uint64_t headerSize = 0;
  if (file->size() < sizeof headerSize)
    return file->failure("not a safetensors file: expected at least 8 bytes, "
                         "got " +
                         std::to_string(file->size()));
  if (Fallible<void> read = file->read(&headerSize, sizeof headerSize); !read)
    return read.failure();
  uint64_t rest = file->size() - sizeof headerSize;
  if (headerSize > rest || headerSize > headerLimit)
    return file->failure("not a safetensors file: header of " +
                         std::to_string(headerSize) + " bytes in a file of " +
                         std::to_string(file->size()) + " bytes");
  std::string text(headerSize, '\0');
  if (Fallible<void> read = file->read(text.data(), headerSize); !read)
    return read.failure();
  std::optional<Json> header = parseHeader(text);
  if (!header)
    return file->failure("malformed safetensors header");

  std::vector<Entry> entries;
  for (const auto &[name, value] : header->items()) {
    if (name == "__metadata__")
      continue;
    Fallible<Entry> entry = parseEntry(*file, name, value, rest - headerSize);
    if (!entry)
      return entry.failure();
    entries.push_back(*std::move(entry));
  }
  if (Fallible<void> covered = checkCover(*file, entries, rest - headerSize);
      !covered)
    return covered.failure();

  uint64_t begin = sizeof headerSize + headerSize;
  auto shared = std::make_shared<InputFile>(*std::move(file));
  std::vector<StoredTensor> tensors;
  for (Entry &entry : entries)
    tensors.emplace_back(std::move(entry.name), entry.type,
                         std::move(entry.shape), std::move(entry.shortType),
                         shared, begin + entry.begin);
  return tensors;
}

Fallible<void>
tessera::writeSafetensors(const std::string &path,
                          const std::vector<NamedTensor> &tensors) {
  Json header = Json::object();
  uint64_t offset = 0;
  for (const NamedTensor &named : tensors) {
    const HostTensor &tensor = named.tensor;
    if (header.contains(named.name))
      return Failure{path + ": two tensors named '" + named.name + "'"};
    uint64_t end = offset + tensor.byteSize();
    header[named.name] = {
        {"dtype", safetensorsType(tensor.type(), named.shortType)},
        {"shape", tensor.shape()},
        {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = safetensorsStart(
      header.dump(-1, ' ', false, Json::error_handler_t::replace));
  Fallible<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.failure();
  file->write(text);
  for (const NamedTensor &named : tensors)
    file->write(named.tensor.data(), named.tensor.byteSize());
  return file->commit();
}
