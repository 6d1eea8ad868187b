//===- Transfers.cpp - Tensors from the host and back, and between devices ===//
//
// The memory of all devices is the host's: a copy on another device shares it,
// for nobody writes into a tensor that is shared.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <algorithm>
#include <cstring>

using namespace tessera::pjrt;
using tessera::Shape;

/// The device that a tensor goes to, of which a caller names one or its memory.
static Device &deviceOf(Device *device, Memory *memory) {
  if (!device && !memory)
    throw Refusal(Code::InvalidArgument, "expected a device or a memory");
  return memory ? *memory->device : *device;
}

/// Refuses all layouts but dense rows.
static void checkLayout(const MemoryLayout *layout, size_t rank) {
  if (!layout || layout->kind != 0)
    return;
  for (size_t i = 0; i < layout->tiled.minorToMajorSize; ++i)
    if (layout->tiled.minorToMajor[i] != static_cast<int64_t>(rank - 1 - i))
      throw Refusal(Code::Unimplemented,
                    "layouts of arrays other than rows are not supported");
}

/// The distances in bytes between neighbours along each dimension of dense
/// rows.
static std::vector<int64_t> denseStrides(const Shape &dims, int64_t bytes) {
  std::vector<int64_t> strides(dims.size());
  for (size_t i = dims.size(); i-- > 0; bytes *= dims[i])
    strides[i] = bytes;
  return strides;
}

namespace {
/// Copies a tensor from strides to strides.
struct StridedCopy {
  const Shape &dims;
  const std::vector<int64_t> &from, &to;
  size_t elementBytes;

  void run(const char *source, char *target, size_t dim) const {
    if (dim == dims.size()) {
      std::memcpy(target, source, elementBytes);
      return;
    }
    bool isRow = dim + 1 == dims.size();
    auto bytes = static_cast<int64_t>(elementBytes);
    if (isRow && from[dim] == bytes && to[dim] == bytes) {
      std::memcpy(target, source, dims[dim] * elementBytes);
      return;
    }
    for (int64_t i = 0; i < dims[dim]; ++i)
      run(source + i * from[dim], target + i * to[dim], dim + 1);
  }
};
} // namespace

static void bringFromHost(BufferFromHost &arguments) {
  Device &device = deviceOf(arguments.device, arguments.memory);
  checkLayout(arguments.layout, arguments.rank);
  Shape dims(arguments.dims, arguments.dims + arguments.rank);
  size_t elementBytes = bytesOf(arguments.type);
  size_t bytes = bytesOf(arguments.type, dims);
  auto storage = std::make_shared<Storage>(bytes);
  std::vector<int64_t> dense = denseStrides(dims, elementBytes);
  std::vector<int64_t> given = dense;
  if (arguments.strides)
    given.assign(arguments.strides, arguments.strides + arguments.strideCount);
  if (bytes > 0) {
    auto *target = static_cast<char *>(storage->data);
    const auto *source = static_cast<const char *>(arguments.data);
    if (given == dense)
      std::memcpy(target, source, bytes);
    else
      StridedCopy{dims, given, dense, elementBytes}.run(source, target, 0);
  }
  arguments.buffer =
      new Buffer(device, arguments.type, std::move(dims), std::move(storage));
  arguments.done = new Event;
}

static void makeUninitialized(BufferUninitialized &arguments) {
  Device &device = deviceOf(arguments.device, arguments.memory);
  checkLayout(arguments.layout, arguments.rank);
  Shape dims(arguments.dims, arguments.dims + arguments.rank);
  auto storage = std::make_shared<Storage>(bytesOf(arguments.type, dims));
  arguments.buffer =
      new Buffer(device, arguments.type, std::move(dims), std::move(storage));
}

/// Memory of another library's, as DLPack hands it over. What is not aligned as
/// ranks need it, they copy.
static void makeView(BufferView &arguments) {
  Device &device = deviceOf(arguments.device, arguments.memory);
  checkLayout(arguments.layout, arguments.rank);
  auto storage = std::make_shared<Storage>(
      arguments.data,
      arguments.onDelete ? arguments.onDelete : [](void *, void *) {},
      arguments.onDeleteData);
  arguments.buffer =
      new Buffer(device, arguments.type,
                 Shape(arguments.dims, arguments.dims + arguments.rank),
                 std::move(storage));
}

/// Copies into the caller's layout, or tells the size of that.
static void bringToHost(BufferToHost &arguments) {
  const Buffer &buffer = *arguments.object;
  size_t bytes = buffer.bytes();
  std::shared_ptr<Storage> storage = buffer.share();
  const void *data = storage->data;
  if (!arguments.target) {
    arguments.targetSize = bytes;
    return;
  }
  if (arguments.targetSize < bytes)
    throw Refusal(Code::InvalidArgument,
                  "expected room for " + std::to_string(bytes) +
                      " bytes, got " + std::to_string(arguments.targetSize));
  std::vector<int64_t> dense = denseStrides(buffer.dims, bytesOf(buffer.type));
  std::vector<int64_t> wanted = dense;
  if (arguments.layout && arguments.layout->kind == 1)
    wanted.assign(arguments.layout->strides.bytes,
                  arguments.layout->strides.bytes +
                      arguments.layout->strides.count);
  else if (arguments.layout) {
    auto size = static_cast<int64_t>(bytesOf(buffer.type));
    for (size_t i = 0; i < arguments.layout->tiled.minorToMajorSize; ++i) {
      int64_t dim = arguments.layout->tiled.minorToMajor[i];
      wanted[dim] = size;
      size *= buffer.dims[dim];
    }
  }
  if (wanted == dense && bytes > 0)
    std::memcpy(arguments.target, data, bytes);
  else if (bytes > 0)
    StridedCopy{buffer.dims, dense, wanted, bytesOf(buffer.type)}.run(
        static_cast<const char *>(data), static_cast<char *>(arguments.target),
        0);
  arguments.event = new Event;
}

static void bringBytesToHost(BufferRawToHost &arguments) {
  const Buffer &buffer = *arguments.object;
  std::shared_ptr<Storage> storage = buffer.share();
  const auto *data = static_cast<const char *>(storage->data);
  if (arguments.offset < 0 || arguments.bytes < 0 ||
      arguments.offset + arguments.bytes > static_cast<int64_t>(buffer.bytes()))
    throw Refusal(Code::InvalidArgument, "expected bytes within the " +
                                             std::to_string(buffer.bytes()) +
                                             " of the array");
  std::memcpy(arguments.target, data + arguments.offset, arguments.bytes);
  arguments.event = new Event;
}

static Buffer *shareOn(Device &device, const Buffer &buffer) {
  return new Buffer(device, buffer.type, buffer.dims, buffer.share());
}

static void copyToDevice(BufferToDevice &arguments) {
  arguments.copy = shareOn(*arguments.device, *arguments.object);
}

static void copyToMemory(BufferToMemory &arguments) {
  arguments.copy = shareOn(*arguments.memory->device, *arguments.object);
}

void tessera::pjrt::addTransfers(Table &table) {
  put<bringFromHost>(table, Slot::ClientBufferFromHost);
  put<makeUninitialized>(table, Slot::ClientBufferUninitialized);
  put<makeView>(table, Slot::ClientBufferView);
  put<bringToHost>(table, Slot::BufferToHost);
  put<bringBytesToHost>(table, Slot::BufferRawToHost);
  put<copyToDevice>(table, Slot::BufferToDevice);
  put<copyToMemory>(table, Slot::BufferToMemory);
}
