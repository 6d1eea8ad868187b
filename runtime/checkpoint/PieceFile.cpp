//===- PieceFile.cpp ------------------------------------------------------===//

#include "checkpoint/PieceFile.h"

#include "checkpoint/Json.h"
#include "checkpoint/Store.h"
#include "tessera/Support/Checksum.h"
#include "tessera/Support/File.h"
#include "tessera/Support/TensorFile.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include <fcntl.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::checkpoint;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// A file that is made anew, written in order, and ends on the disk.
class DurableFile {
public:
  explicit DurableFile(std::string path)
      : path(std::move(path)),
        descriptor(::open(this->path.c_str(),
                          O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (descriptor < 0)
      error = errno;
  }
  DurableFile(const DurableFile &) = delete;
  ~DurableFile() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  /// Appends; the first error stays.
  void write(const void *from, size_t bytes) {
    const char *rest = static_cast<const char *>(from);
    while (bytes > 0 && !error) {
      ssize_t written = ::write(descriptor, rest, bytes);
      if (written < 0 && errno != EINTR)
        error = errno;
      if (written > 0) {
        rest += written;
        bytes -= static_cast<size_t>(written);
      }
    }
  }

  Fallible<void> finish() {
    if (!error && fsync(descriptor) != 0)
      error = errno;
    if (error)
      return Failure{path + ": " + std::strerror(error)};
    return {};
  }

private:
  std::string path;
  int descriptor;
  int error = 0;
};
} // namespace

/// `wte@0,128`: where a piece of a tensor begins.
static std::string nameOf(const PieceData &piece) {
  if (piece.box.size == piece.tensor->shape)
    return piece.tensor->name;
  std::string name = piece.tensor->name + "@";
  for (size_t dim = 0; dim < piece.box.begin.size(); ++dim)
    name += (dim ? "," : "") + std::to_string(piece.box.begin[dim]);
  return name;
}

/// The header of a file with these pieces, with its length before it.
static std::string headerOf(const std::vector<PieceData> &pieces) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  uint64_t offset = 0;
  for (const PieceData &piece : pieces) {
    std::string name = nameOf(piece);
    while (header.contains(name))
      name += "@"; // A tensor that is called like a piece of another.
    const Tensor &tensor = *piece.tensor;
    uint64_t end =
        offset + piece.box.elements() * elementSize(piece.tensor->type);
    header[name] = {{"dtype", safetensorsType(tensor.type, tensor.shortType)},
                    {"shape", piece.box.size},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  return safetensorsStart(
      header.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Fallible<Index> checkpoint::writePieces(const std::string &folder,
                                        const std::string &name,
                                        const std::vector<PieceData> &pieces,
                                        int64_t blockBytes,
                                        const std::atomic<bool> *stop) {
  std::string path = (fs::path(folder) / name).string();
  DurableFile file(path);
  std::string header = headerOf(pieces);
  file.write(header.data(), header.size());
  Index part;
  part.blockBytes = blockBytes;
  part.files.push_back({name, header.size()});
  std::map<const Tensor *, size_t> known;
  for (const PieceData &data : pieces) {
    auto [found, isNew] = known.emplace(data.tensor, part.tensors.size());
    if (isNew)
      part.tensors.push_back({data.tensor->name,
                              data.tensor->type,
                              data.tensor->shape,
                              data.tensor->shortType,
                              {},
                              {}});
    Piece piece{data.box, 0, part.files.front().size, {}};
    size_t elementBytes = elementSize(data.tensor->type);
    BlockedBox blocks(data.box, elementBytes, blockBytes);
    for (int64_t i = 0; i < blocks.count(); ++i) {
      if (stop && *stop)
        return Failure{path + ": given up"};
      std::string_view bytes(reinterpret_cast<const char *>(data.data) +
                                 blocks.firstElement(i) * elementBytes,
                             blocks.block(i).elements() * elementBytes);
      piece.checksums.push_back(crc32(bytes));
      file.write(bytes.data(), bytes.size());
      part.files.front().size += bytes.size();
    }
    part.tensors[found->second].pieces.push_back(std::move(piece));
  }
  if (Fallible<void> finished = file.finish(); !finished)
    return finished.failure();
  return part;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Fallible<Reader> Reader::open(const std::string &folder) {
  Fallible<Index> index = readIndex(folder);
  if (!index)
    return index.failure();
  Reader reader;
  reader.folder = folder;
  reader.contents = *std::move(index);
  return reader;
}

Fallible<void> Reader::read(
    const Tensor &tensor, const std::function<bool(const TensorBox &)> &needs,
    const std::function<Fallible<void>(const TensorBox &, const std::byte *)>
        &take) const {
  size_t elementBytes = elementSize(tensor.type);
  std::vector<std::byte> buffer;
  for (const Piece &piece : tensor.pieces) {
    if (!needs(piece.box))
      continue;
    std::string path =
        (fs::path(folder) / contents.files[piece.file].name).string();
    Fallible<InputFile> file = InputFile::open(path);
    if (!file)
      return file.failure();
    BlockedBox blocks(piece.box, elementBytes, contents.blockBytes);
    for (int64_t i = 0; i < blocks.count(); ++i) {
      TensorBox block = blocks.block(i);
      if (!needs(block))
        continue;
      buffer.resize(block.elements() * elementBytes);
      uint64_t at = piece.begin + blocks.firstElement(i) * elementBytes;
      if (Fallible<void> found = file->seek(at); !found)
        return found;
      if (Fallible<void> got = file->read(buffer.data(), buffer.size()); !got)
        return got;
      if (crc32({reinterpret_cast<const char *>(buffer.data()),
                 buffer.size()}) != piece.checksums[i])
        return file->failure("damaged: tensor '" + tensor.name +
                             "' does not have its checksum at " +
                             block.describe());
      if (tensor.type == ElementType::I1)
        for (std::byte &value : buffer)
          value = std::byte(value != std::byte(0));
      if (Fallible<void> taken = take(block, buffer.data()); !taken)
        return taken;
    }
  }
  return {};
}

Fallible<HostTensor> Reader::readWhole(const Tensor &tensor) const {
  HostTensor whole(tensor.type, tensor.shape);
  TensorBox all = TensorBox::whole(tensor.shape);
  Fallible<void> done = read(
      tensor, [](const TensorBox &) { return true; },
      [&](const TensorBox &box, const std::byte *data) -> Fallible<void> {
        copyBox(box, elementSize(tensor.type), data, box, whole.data(), all);
        return {};
      });
  if (!done)
    return done.failure();
  return whole;
}
