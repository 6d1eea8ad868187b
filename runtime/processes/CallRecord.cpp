//===- CallRecord.cpp -----------------------------------------------------===//

#include "CallRecord.h"

#include "../core/CollectiveParts.h"

#include <cstring>

using namespace tessera;
using namespace tessera::processes;

namespace {
/// Values behind each other; texts with their zero.
class Writer {
public:
  explicit Writer(std::vector<std::byte> &bytes) : bytes(bytes) {}
  template <typename T> void value(T value) { append(&value, sizeof value); }
  void text(const char *text) { append(text, std::strlen(text) + 1); }

private:
  void append(const void *from, size_t size) {
    auto *first = static_cast<const std::byte *>(from);
    bytes.insert(bytes.end(), first, first + size);
  }
  std::vector<std::byte> &bytes;
};

class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : rest(bytes) {}
  template <typename T> T value() {
    T value = {};
    if (rest.size() < sizeof value) {
      isWhole = false;
      rest = {};
      return value;
    }
    std::memcpy(&value, rest.data(), sizeof value);
    rest = rest.subspan(sizeof value);
    return value;
  }
  std::string text() {
    auto *first = reinterpret_cast<const char *>(rest.data());
    size_t size = strnlen(first, rest.size());
    isWhole = isWhole && size < rest.size();
    rest = rest.subspan(std::min(size + 1, rest.size()));
    return {first, size};
  }
  size_t left() const { return rest.size(); }
  bool isWhole = true;

private:
  std::span<const std::byte> rest;
};
} // namespace

static uint64_t hashOf(std::span<const std::byte> bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (std::byte byte : bytes)
    hash = (hash ^ static_cast<uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

/// What `readPart` reads.
static void writePart(Writer &writer, const TesseraCollective &part) {
  writer.value(part.kind);
  writer.value(part.count);
  writer.value(part.dtype);
  writer.value(part.reduction);
  writer.value(part.root);
  bool hasTargets = part.kind == TESSERA_PERMUTE;
  writer.value(hasTargets ? part.group->size : 0);
  for (int32_t i = 0; hasTargets && i < part.group->size; ++i)
    writer.value(part.targets[i]);
  writer.text(part.site->name);
}

CallRecord::CallRecord(const TesseraCollective &call) {
  Writer writer(bytes);
  writer.value(call.part_count);
  for (const TesseraCollective &part : runtime::partsOf(call))
    writePart(writer, part);
  number = hashOf(bytes);
  for (const TesseraCollective &part : runtime::partsOf(call))
    writer.text(part.site->location);
  writer.value(call.kind);
  writer.text(call.site->name);
  writer.text(call.site->location);
}

CallRecord::CallRecord(const TesseraSite &site) {
  Writer writer(bytes);
  writer.text(site.name);
  writer.text(site.location);
  number = hashOf(bytes);
}

ReceivedCall::ReceivedCall(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  auto keep = [&](std::string text) {
    return texts.emplace_back(std::move(text)).c_str();
  };
  int32_t partCount = reader.value<int32_t>();
  size_t count = partCount > 0 ? partCount : 1;
  for (size_t i = 0; i < count && reader.isWhole; ++i) {
    TesseraCollective part = {};
    part.kind = reader.value<int32_t>();
    part.count = reader.value<int64_t>();
    part.dtype = reader.value<int32_t>();
    part.reduction = reader.value<int32_t>();
    part.root = reader.value<int32_t>();
    part.future = -1;
    auto targetCount = static_cast<size_t>(reader.value<int32_t>());
    if (targetCount > reader.left() / sizeof(int32_t))
      break;
    std::vector<int32_t> &list = targets.emplace_back(targetCount);
    for (int32_t &target : list)
      target = reader.value<int32_t>();
    part.targets = targetCount > 0 ? list.data() : nullptr;
    part.site = &sites.emplace_back(TesseraSite{keep(reader.text()), ""});
    parts.push_back(part);
  }
  whole = reader.isWhole && parts.size() == count;
  for (size_t i = 0; whole && i < count; ++i)
    sites[i].location = keep(reader.text());
  if (!whole)
    return;
  call = parts.front();
  call.part_count = partCount;
  call.kind = reader.value<int32_t>();
  const char *name = keep(reader.text());
  call.site = &sites.emplace_back(TesseraSite{name, keep(reader.text())});
  whole = reader.isWhole;
}

TesseraCollective ReceivedCall::of(const TesseraGroup &group) {
  for (TesseraCollective &part : parts)
    part.group = &group;
  call.group = &group;
  call.parts = call.part_count > 0 ? parts.data() : nullptr;
  return call;
}

std::string processes::readSite(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  std::string name = reader.text();
  return "'" + name + "' at " + reader.text();
}
