//===- Buffers.cpp - Tensors on devices -----------------------------------===//

#include "Functions.h"

#include <cstdlib>
#include <numeric>

using namespace tessera::pjrt;

size_t tessera::pjrt::bytesOf(Type type) {
  switch (type) {
  case Type::S16:
  case Type::U16:
  case Type::F16:
  case Type::BF16:
    return 2;
  case Type::S32:
  case Type::U32:
  case Type::F32:
    return 4;
  case Type::S64:
  case Type::U64:
  case Type::F64:
  case Type::C64:
    return 8;
  case Type::C128:
    return 16;
  case Type::Invalid:
    throw Refusal(Code::Unimplemented, "expected a tensor of numbers");
  default:
    return 1; // Short ones have a byte each.
  }
}

size_t tessera::pjrt::bytesOf(Type type, const Shape &dims) {
  return std::accumulate(
      dims.begin(), dims.end(), bytesOf(type),
      [](size_t bytes, int64_t size) { return bytes * size; });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Where ranks want their shards, and JAX its arrays.
static constexpr size_t kAlignment = 64;

Storage::Storage(size_t bytes) {
  size_t rounded = (bytes + kAlignment) / kAlignment * kAlignment;
  data = std::aligned_alloc(kAlignment, rounded);
  if (!data)
    throw Refusal(Code::ResourceExhausted,
                  "no memory left for " + std::to_string(bytes) + " bytes");
}

Storage::~Storage() {
  if (release)
    release(data, releaseData);
  else
    std::free(data);
}

Buffer::Buffer(Device &device, Type type, Shape dims,
               std::shared_ptr<Storage> storage)
    : device(&device), type(type), dims(std::move(dims)),
      minorToMajor(this->dims.size()), storage(std::move(storage)) {
  std::iota(minorToMajor.rbegin(), minorToMajor.rend(), 0);
}

size_t Buffer::bytes() const { return bytesOf(type, dims); }

void Buffer::checkIsThere() const {
  if (isDeleted)
    throw Refusal(
        Code::InvalidArgument,
        "expected an array that is there: its buffer has been deleted "
        "or donated");
}

std::shared_ptr<Storage> Buffer::share() const {
  std::lock_guard<std::mutex> lock(mutex);
  checkIsThere();
  return storage;
}

std::shared_ptr<Storage> Buffer::take() {
  std::lock_guard<std::mutex> lock(mutex);
  checkIsThere();
  isDeleted = true;
  return holds == 0 ? std::move(storage) : storage;
}

void Buffer::remove() {
  std::lock_guard<std::mutex> lock(mutex);
  isDeleted = true;
  if (holds == 0)
    storage.reset();
}

void Buffer::hold() {
  std::lock_guard<std::mutex> lock(mutex);
  checkIsThere();
  ++holds;
}

void Buffer::release() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--holds == 0 && isDeleted)
    storage.reset();
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

static void tellType(Ask<Buffer, Type> &arguments) {
  arguments.value = arguments.object->type;
}
static void tellDims(AskList<Buffer, int64_t> &arguments) {
  arguments.values = arguments.object->dims.data();
  arguments.count = arguments.object->dims.size();
}
static void tellNoDynamicDims(AskList<Buffer, size_t> &arguments) {
  arguments.values = nullptr;
  arguments.count = 0;
}
static void tellLayout(Ask<Buffer, MemoryLayout> &arguments) {
  MemoryLayout &layout = arguments.value;
  layout = {};
  layout.size = sizeof layout;
  layout.tiled.size = sizeof layout.tiled;
  layout.tiled.minorToMajor = arguments.object->minorToMajor.data();
  layout.tiled.minorToMajorSize = arguments.object->minorToMajor.size();
}
static void tellBytes(Ask<Buffer, size_t> &arguments) {
  arguments.value = arguments.object->bytes();
}
static void tellDevice(Ask<Buffer, Device *> &arguments) {
  arguments.value = arguments.object->device;
}
static void tellMemory(Ask<Buffer, Memory *> &arguments) {
  arguments.value = arguments.object->device->ownMemory;
}
static void tellIsDeleted(Ask<Buffer, bool> &arguments) {
  arguments.value = arguments.object->isDeleted;
}
static void tellIsOnCpu(Ask<Buffer, bool> &arguments) {
  arguments.value = true;
}
static void tellAddress(Ask<Buffer, void *> &arguments) {
  arguments.value = arguments.object->share()->data;
}
static void makeReadyEvent(Ask<Buffer, Event *> &arguments) {
  arguments.value = new Event;
}

//===----------------------------------------------------------------------===//
// Ownership
//===----------------------------------------------------------------------===//

static void destroyBuffer(Of<Buffer> &arguments) { delete arguments.object; }

/// Others who look at the memory keep it.
static void deleteBuffer(Of<Buffer> &arguments) { arguments.object->remove(); }
static void hold(Of<Buffer> &arguments) { arguments.object->hold(); }
static void release(Of<Buffer> &arguments) { arguments.object->release(); }

void tessera::pjrt::addBuffers(Table &table) {
  put<tellType>(table, Slot::BufferType);
  put<tellDims>(table, Slot::BufferDims);
  put<tellDims>(table, Slot::BufferUnpaddedDims);
  put<tellNoDynamicDims>(table, Slot::BufferDynamicDims);
  put<tellLayout>(table, Slot::BufferLayout);
  put<tellBytes>(table, Slot::BufferBytes);
  put<tellDevice>(table, Slot::BufferDevice);
  put<tellMemory>(table, Slot::BufferMemory);
  put<tellIsDeleted>(table, Slot::BufferIsDeleted);
  put<tellIsOnCpu>(table, Slot::BufferIsOnCpu);
  put<tellAddress>(table, Slot::BufferPointer);
  put<tellAddress>(table, Slot::BufferData);
  put<makeReadyEvent>(table, Slot::BufferReadyEvent);
  put<destroyBuffer>(table, Slot::BufferDestroy);
  put<deleteBuffer>(table, Slot::BufferDelete);
  put<hold>(table, Slot::BufferHold);
  put<release>(table, Slot::BufferRelease);
}
