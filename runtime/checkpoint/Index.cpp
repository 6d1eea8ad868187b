//===- Index.cpp - Indices as text, and how pieces cover a tensor ---------===//

#include "checkpoint/Index.h"

#include "checkpoint/Json.h"
#include "tessera/Support/Checksum.h"

#include <algorithm>
#include <cstdio>
#include <map>

using namespace tessera;
using namespace tessera::checkpoint;

std::string Tensor::describeType() const {
  return describeTensorType(type, shape) +
         (shortType.empty() ? "" : " of " + shortType);
}

const Tensor *Index::find(const std::string &name) const {
  auto found = std::ranges::find(tensors, name, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

/// The first line of an index, with the checksum of all that follows.
static std::string firstLine(std::string_view rest) {
  char line[32];
  std::snprintf(line, sizeof line, "{\"crc32\": \"%08x\",\n", crc32(rest));
  return line;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static Json pieceJson(const Piece &piece) {
  Json json = Json::object();
  json["file"] = piece.file;
  json["at"] = piece.begin;
  json["begin"] = piece.box.begin;
  json["size"] = piece.box.size;
  json["crc32"] = piece.checksums;
  return json;
}

static Json tensorJson(const Tensor &tensor) {
  Json json = Json::object();
  json["dtype"] = elementTypeName(tensor.type);
  if (!tensor.shortType.empty())
    json["short_type"] = tensor.shortType;
  if (tensor.isInitiallyZero)
    json["initial"] = "zero";
  json["shape"] = tensor.shape;
  json["pieces"] = Json::array();
  for (const Piece &piece : tensor.pieces)
    json["pieces"].push_back(pieceJson(piece));
  return json;
}

/// A value on one line.
static std::string textOf(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string checkpoint::printIndex(const Index &index) {
  std::string rest = "\"format\": \"tessera-checkpoint\", \"version\": " +
                     std::to_string(formatVersion) +
                     ",\n\"step\": " + std::to_string(index.step) +
                     ", \"position\": " + std::to_string(index.position);
  if (index.seed)
    rest += ", \"seed\": " + std::to_string(*index.seed);
  rest += ",\n\"mesh\": " + textOf(index.mesh) +
          ", \"program\": " + textOf(index.program) +
          ", \"block\": " + std::to_string(index.blockBytes) +
          ",\n\"files\": [";
  for (const File &file : index.files)
    rest += (&file == index.files.data() ? "\n  " : ",\n  ") +
            textOf({{"name", file.name}, {"size", file.size}});
  rest += "],\n\"tensors\": {";
  for (const Tensor &tensor : index.tensors)
    rest += (&tensor == index.tensors.data() ? "\n  " : ",\n  ") +
            textOf(tensor.name) + ": " + textOf(tensorJson(tensor));
  rest += "}}\n";
  return firstLine(rest) + rest;
}

//===----------------------------------------------------------------------===//
// Grids of pieces
//===----------------------------------------------------------------------===//

/// The number of the cell at which `box` lies in the grid of these cuts;
/// nothing if it is no cell of it.
static std::optional<size_t> cellOf(const TensorBox &box, const Shape &shape,
                                    const std::vector<Shape> &cuts) {
  size_t number = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    auto cut = std::ranges::lower_bound(cuts[dim], box.begin[dim]);
    int64_t end = cut + 1 == cuts[dim].end() ? shape[dim] : *(cut + 1);
    if (box.begin[dim] + box.size[dim] != end)
      return {};
    number = number * cuts[dim].size() + (cut - cuts[dim].begin());
  }
  return number;
}

/// Finds the grid of a tensor's pieces and puts them in its order, in time
/// proportional to their number times its logarithm.
static Fallible<void> arrange(Tensor &tensor) {
  Failure failure{"the pieces of tensor '" + tensor.name +
                  "' do not cover it, each element once"};
  tensor.cuts.assign(tensor.shape.size(), {});
  if (*elementCountOf(tensor.shape) == 0)
    return tensor.pieces.empty() ? Fallible<void>() : failure;
  uint64_t cells = 1;
  for (size_t dim = 0; dim < tensor.shape.size(); ++dim) {
    Shape &cuts = tensor.cuts[dim];
    for (const Piece &piece : tensor.pieces)
      cuts.push_back(piece.box.begin[dim]);
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    if (cuts.empty() || cuts.front() != 0 ||
        cells * cuts.size() > tensor.pieces.size())
      return failure;
    cells *= cuts.size();
  }
  if (cells != tensor.pieces.size())
    return failure;
  std::vector<Piece> ordered(cells);
  std::vector<bool> isKnown(cells);
  for (Piece &piece : tensor.pieces) {
    std::optional<size_t> cell = cellOf(piece.box, tensor.shape, tensor.cuts);
    if (!cell || isKnown[*cell])
      return failure;
    isKnown[*cell] = true;
    ordered[*cell] = std::move(piece);
  }
  tensor.pieces = std::move(ordered);
  return {};
}

Fallible<void> checkpoint::arrangePieces(Index &index) {
  for (Tensor &tensor : index.tensors)
    if (Fallible<void> arranged = arrange(tensor); !arranged)
      return arranged;
  return {};
}

Fallible<void> checkpoint::addPart(Index &whole, const Index &part) {
  std::map<std::string, Tensor *> tensors;
  for (Tensor &tensor : whole.tensors)
    tensors[tensor.name] = &tensor;
  size_t firstFile = whole.files.size();
  whole.files.insert(whole.files.end(), part.files.begin(), part.files.end());
  for (const Tensor &tensor : part.tensors) {
    auto known = tensors.find(tensor.name);
    if (known == tensors.end() || known->second->shape != tensor.shape ||
        known->second->type != tensor.type)
      return Failure{"ranks differ in tensor '" + tensor.name + "'"};
    for (Piece piece : tensor.pieces) {
      piece.file += firstFile;
      known->second->pieces.push_back(std::move(piece));
    }
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// A tensor and its pieces, by themselves and against the files.
static Fallible<Tensor> parseTensor(const std::string &name, const Json &value,
                                    const Index &index) {
  auto fail = [&](const std::string &what) {
    return Failure{"tensor '" + name + "': " + what};
  };
  Tensor tensor{name, {}, {}, {}, {}, {}};
  std::optional<std::string> dtype = stringAt(value, "dtype");
  std::optional<ElementType> type =
      dtype ? elementTypeFromName(*dtype) : std::nullopt;
  std::optional<Shape> shape = sizesAt(value, "shape");
  if (!type || !shape || !elementCountOf(*shape, elementSize(*type)))
    return fail("expected a dtype and a shape");
  tensor.type = *type;
  tensor.shape = *shape;
  tensor.shortType = stringAt(value, "short_type").value_or("");
  tensor.isInitiallyZero = stringAt(value, "initial") == "zero";
  auto pieces = value.find("pieces");
  if (pieces == value.end() || !pieces->is_array())
    return fail("expected a list of pieces");
  for (const Json &item : *pieces) {
    Piece piece;
    std::optional<Shape> begin = sizesAt(item, "begin");
    std::optional<Shape> size = sizesAt(item, "size");
    std::optional<Shape> checksums = sizesAt(item, "crc32");
    std::optional<int64_t> file = numberAt(item, "file");
    std::optional<int64_t> at = numberAt(item, "at");
    if (!begin || !size || !checksums || !file || !at ||
        begin->size() != shape->size() || size->size() != shape->size() ||
        *file >= static_cast<int64_t>(index.files.size()))
      return fail("malformed piece");
    for (size_t dim = 0; dim < shape->size(); ++dim)
      if ((*size)[dim] == 0 || (*begin)[dim] > (*shape)[dim] ||
          (*size)[dim] > (*shape)[dim] - (*begin)[dim])
        return fail("a piece lies outside of it");
    piece.box = {*std::move(begin), *std::move(size)};
    piece.file = *file;
    piece.begin = *at;
    uint64_t bytes = piece.box.elements() * elementSize(*type);
    uint64_t fileSize = index.files[piece.file].size;
    if (piece.begin > fileSize || bytes > fileSize - piece.begin)
      return fail("a piece lies outside of its file");
    BlockedBox blocks(piece.box, elementSize(*type), index.blockBytes);
    if (static_cast<int64_t>(checksums->size()) != blocks.count())
      return fail("expected " + std::to_string(blocks.count()) +
                  " checksums of a piece, got " +
                  std::to_string(checksums->size()));
    for (int64_t checksum : *checksums)
      piece.checksums.push_back(static_cast<uint32_t>(checksum));
    tensor.pieces.push_back(std::move(piece));
  }
  return tensor;
}

/// A name that leads to a file of the folder and nowhere else.
static bool isPlainName(const std::string &name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find('/') == name.npos && name.find('\0') == name.npos;
}

static Fallible<void> parseFiles(const Json &json, Index &index) {
  auto files = json.find("files");
  if (files == json.end() || !files->is_array())
    return Failure{"expected a list of files"};
  for (const Json &item : *files) {
    std::optional<std::string> name = stringAt(item, "name");
    std::optional<int64_t> size = numberAt(item, "size");
    if (!name || !size)
      return Failure{"expected the name and size of a file"};
    if (!isPlainName(*name))
      return Failure{"expected the name of a file in the checkpoint's folder, "
                     "got '" +
                     *name + "'"};
    index.files.push_back({*name, static_cast<uint64_t>(*size)});
  }
  return {};
}

/// What stands before the files.
static Fallible<void> parseHead(const Json &json, Index &index) {
  if (stringAt(json, "format") != "tessera-checkpoint")
    return Failure{"not the index of a checkpoint"};
  std::optional<int64_t> version = numberAt(json, "version");
  if (version != formatVersion)
    return Failure{"expected version " + std::to_string(formatVersion) +
                   " of the format of checkpoints, got " +
                   (version ? std::to_string(*version) : std::string("none"))};
  std::optional<int64_t> step = numberAt(json, "step");
  std::optional<int64_t> position = numberAt(json, "position");
  std::optional<int64_t> block = numberAt(json, "block");
  if (!step || !position || !block || *step > mostSteps ||
      *position > mostSteps || *block < 64 || *block > 1 << 30)
    return Failure{"expected step, position and block of a checkpoint"};
  index.step = *step;
  index.position = *position;
  index.blockBytes = *block;
  index.mesh = stringAt(json, "mesh").value_or("");
  index.program = stringAt(json, "program").value_or("");
  if (auto seed = json.find("seed");
      seed != json.end() && seed->is_number_unsigned())
    index.seed = seed->get<uint64_t>();
  return {};
}

Fallible<Index> checkpoint::parseIndex(std::string_view text, Extent extent) {
  size_t line = text.find('\n');
  if (line == text.npos ||
      text.substr(0, line + 1) != firstLine(text.substr(line + 1)))
    return Failure{"damaged: the checksum at the beginning of the index is not "
                   "that of what follows"};
  std::optional<Json> json = parseUnique(text);
  if (!json)
    return Failure{"malformed index"};
  Index index;
  if (Fallible<void> head = parseHead(*json, index); !head)
    return head.failure();
  if (Fallible<void> files = parseFiles(*json, index); !files)
    return files.failure();
  auto tensors = json->find("tensors");
  if (tensors == json->end() || !tensors->is_object())
    return Failure{"expected tensors by name"};
  for (const auto &[name, value] : tensors->items()) {
    Fallible<Tensor> tensor = parseTensor(name, value, index);
    if (!tensor)
      return tensor.failure();
    index.tensors.push_back(*std::move(tensor));
  }
  if (extent == Extent::Whole)
    if (Fallible<void> arranged = arrangePieces(index); !arranged)
      return arranged.failure();
  return index;
}
