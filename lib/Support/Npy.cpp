//===- Npy.cpp - Reading and writing NumPy's .npy -------------------------===//
//
// The format: "\x93NUMPY", a major and a minor version byte, the length of the
// header (two bytes in version 1, four after), the header as a Python literal
// `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`, the elements.
//
//===----------------------------------------------------------------------===//

#include "tessera/Support/File.h"
#include "tessera/Support/StoredTensor.h"
#include "tessera/Support/TensorFile.h"

#include <charconv>
#include <cstring>

using namespace tessera;

/// A header longer than this is no header.
static constexpr uint32_t npyHeaderLimit = 1'000'000;

/// Indexed by the element type's code; without the byte order.
static constexpr std::string_view descriptors[elementTypeCount] = {
    "b1", "i1", "i2", "i4", "i8", "u1", "u2",
    "u4", "u8", "f2", "V2", "f4", "f8"};

namespace {
struct Header {
  ElementType type = ElementType::F32;
  /// Of such numbers a tensor has the parts in a last dimension.
  bool isComplex = false;
  bool fortranOrder = false;
  Shape shape;
};

/// Parses the Python literal of a header; any deviation is a failure without
/// details, which the caller reports.
class HeaderParser {
public:
  HeaderParser(std::string_view text) : rest(text) {}

  bool parse(std::string &descriptor, Header &header) {
    bool hasDescriptor = false, hasOrder = false, hasShape = false;
    if (!accept("{"))
      return false;
    while (!accept("}")) {
      if (accept("'descr':"))
        hasDescriptor = parseString(descriptor);
      else if (accept("'fortran_order':"))
        hasOrder = (header.fortranOrder = accept("True")) || accept("False");
      else if (accept("'shape':"))
        hasShape = parseShape(header.shape);
      else
        return false;
      if (!accept(",") && (skipSpace(), !rest.starts_with('}')))
        return false;
    }
    return hasDescriptor && hasOrder && hasShape;
  }

private:
  void skipSpace() {
    while (rest.starts_with(' ') || rest.starts_with('\n'))
      rest.remove_prefix(1);
  }
  bool accept(std::string_view token) {
    skipSpace();
    if (!rest.starts_with(token))
      return false;
    rest.remove_prefix(token.size());
    return true;
  }
  bool parseString(std::string &text) {
    if (!accept("'"))
      return false;
    size_t end = rest.find('\'');
    if (end == std::string_view::npos)
      return false;
    text = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return true;
  }
  bool parseShape(Shape &shape) {
    if (!accept("("))
      return false;
    while (!accept(")")) {
      skipSpace();
      int64_t size = 0;
      auto [end, error] =
          std::from_chars(rest.data(), rest.data() + rest.size(), size);
      if (error != std::errc())
        return false;
      rest.remove_prefix(end - rest.data());
      shape.push_back(size);
      if (!accept(",") && (skipSpace(), !rest.starts_with(')')))
        return false;
    }
    return true;
  }
  std::string_view rest;
};
} // namespace

/// The element type of a descriptor like `<f4` or `|b1`.
static std::optional<ElementType> parseDescriptor(std::string_view text) {
  if (text.empty() || std::string_view("<|=").find(text[0]) == text.npos)
    return std::nullopt;
  for (int32_t code = 0; code < elementTypeCount; ++code)
    if (descriptors[code] == text.substr(1))
      return static_cast<ElementType>(code);
  return std::nullopt;
}

/// Reads everything up to the elements; the file is then positioned at them.
static Fallible<Header> readHeader(InputFile &file) {
  // Magic and version, then the header's length.
  unsigned char start[8];
  if (file.size() < sizeof start)
    return file.failure("not a .npy file: too short");
  if (Fallible<void> read = file.read(start, sizeof start); !read)
    return read.failure();
  if (std::memcmp(start, npyMagic.data(), npyMagic.size()) != 0)
    return file.failure("not a .npy file");
  unsigned version = start[npyMagic.size()];
  if (version < 1 || version > 3)
    return file.failure("unsupported .npy version " + std::to_string(version));
  uint32_t length = 0;
  if (Fallible<void> read = file.read(&length, version == 1 ? 2 : 4); !read)
    return read.failure();
  if (length > npyHeaderLimit || length > file.size())
    return file.failure("malformed .npy header");
  std::string text(length, '\0');
  if (Fallible<void> read = file.read(text.data(), length); !read)
    return read.failure();

  Header header;
  std::string descriptor;
  if (!HeaderParser(text).parse(descriptor, header))
    return file.failure("malformed .npy header");
  header.isComplex = descriptor == "<c8" || descriptor == "<c16";
  std::optional<ElementType> type = parseDescriptor(
      header.isComplex ? (descriptor == "<c8" ? "<f4" : "<f8") : descriptor);
  if (!type)
    return file.failure("unsupported element type '" + descriptor + "'");
  header.type = *type;
  if (header.isComplex)
    header.shape.push_back(2);
  std::optional<int64_t> count =
      elementCountOf(header.shape, elementSize(*type));
  if (!count)
    return file.failure("malformed .npy shape");
  uint64_t expected = *count * elementSize(*type);
  uint64_t got = file.size() - sizeof start - (version == 1 ? 2 : 4) - length;
  if (got != expected)
    return file.failure("expected " + std::to_string(expected) +
                        " bytes of data for " +
                        describeTensorType(*type, header.shape) + ", got " +
                        std::to_string(got));
  return header;
}

/// The row-major tensor of one whose elements lie column-major in `tensor`; of
/// complex ones both parts together.
static HostTensor transposeOrder(const HostTensor &tensor, bool isComplex) {
  Shape shape = tensor.shape();
  HostTensor transposed(tensor.type(), shape);
  size_t bytes = elementSize(tensor.type());
  if (isComplex) {
    shape.pop_back();
    bytes *= 2;
  }
  Shape index(shape.size(), 0);
  int64_t count = tensor.byteSize() / bytes;
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = 0;
    for (size_t dim = shape.size(); dim-- > 0;)
      source = source * shape[dim] + index[dim];
    std::memcpy(transposed.data() + i * bytes, tensor.data() + source * bytes,
                bytes);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
  return transposed;
}

Fallible<StoredTensor> tessera::openNpy(const std::string &path) {
  Fallible<InputFile> file = InputFile::open(path);
  if (!file)
    return file.failure();
  Fallible<Header> header = readHeader(*file);
  if (!header)
    return header.failure();
  uint64_t bytes = *elementCountOf(header->shape) * elementSize(header->type);
  uint64_t begin = file->size() - bytes;
  StoredTensor stored("", header->type, header->shape, "",
                      std::make_shared<InputFile>(*std::move(file)), begin);
  if (!header->fortranOrder)
    return stored;
  Fallible<HostTensor> columns = stored.readWhole();
  if (!columns)
    return columns.failure();
  return StoredTensor({"", transposeOrder(*columns, header->isComplex)});
}

Fallible<HostTensor> tessera::readNpy(const std::string &path) {
  Fallible<StoredTensor> stored = openNpy(path);
  if (!stored)
    return stored.failure();
  return stored->readWhole();
}

Fallible<void> tessera::writeNpy(const std::string &path,
                                 const HostTensor &tensor) {
  std::string text = "{'descr': '";
  text += elementSize(tensor.type()) == 1 ? '|' : '<';
  text += descriptors[static_cast<int32_t>(tensor.type())];
  text += "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.shape())
    text += std::to_string(size) + ",";
  text += "), }";
  // The elements begin at a multiple of 64 bytes.
  uint16_t prefix = static_cast<uint16_t>(npyMagic.size() + 4);
  text.resize((text.size() + prefix + 64) / 64 * 64 - prefix - 1, ' ');
  text += '\n';

  Fallible<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.failure();
  uint32_t length = static_cast<uint32_t>(text.size());
  bool isLong = length > UINT16_MAX;
  file->write(std::string(npyMagic) + (isLong ? '\2' : '\1') + '\0');
  file->write(&length, isLong ? 4 : 2);
  file->write(text);
  file->write(tensor.data(), tensor.byteSize());
  return file->commit();
}
