//===- CheckedRanks.cpp ---------------------------------------------------===//

#include "CheckedRanks.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace tessera;
using namespace tessera::check;

static const TesseraSite messageSite = {"message", "the list of checks"};

Fallible<std::unique_ptr<CheckedRanks>>
CheckedRanks::open(const TesseraBackend &backend, int32_t count) {
  std::unique_ptr<CheckedRanks> ranks(new CheckedRanks(backend));
  for (int32_t rank = 0; rank < count; ++rank)
    ranks->members.push_back(rank);
  std::vector<int32_t> channels;
  for (int32_t rank = 0; rank < count; ++rank) {
    ranks->groups.push_back({0, 0, count, ranks->members.data(), rank});
    if (count > 1)
      channels.insert(channels.end(), {rank, (rank + 1) % count});
  }
  TesseraWorldOptions options = {};
  options.ranks = count;
  options.communicators = 1;
  options.group_sizes = &count;
  options.channel_count = static_cast<int32_t>(channels.size() / 2);
  options.channels = channels.data();
  options.describe = [](void *, int32_t, char *buffer, size_t bytes) {
    std::snprintf(buffer, bytes, "checks collectives");
  };
  char error[512] = "";
  ranks->world = backend.open(&options, error, sizeof error);
  if (!ranks->world)
    return Failure{error};
  if (backend.devices->load(ranks->world, nullptr, 0, error, sizeof error))
    return Failure{error};
  for (int32_t rank = 0; rank < count; ++rank)
    if (backend.is_local(ranks->world, rank))
      ranks->here.push_back(rank);
  return ranks;
}

CheckedRanks::~CheckedRanks() {
  if (world)
    backend.close(world);
}

Fallible<void *> CheckedRanks::place(int32_t rank, const HostTensor &content) {
  void *memory = backend.devices->allocate(
      world, rank, static_cast<int64_t>(content.byteSize()));
  if (!memory)
    return Failure{"no memory is left on the device"};
  if (Fallible<void> done = upload(rank, content, memory); !done)
    return done.failure();
  return memory;
}

Fallible<void> CheckedRanks::upload(int32_t rank, const HostTensor &from,
                                    void *to) {
  if (backend.devices->upload(world, rank, from.data(), to,
                              static_cast<int64_t>(from.byteSize())))
    return failure();
  return {};
}

/// Whether both have the same bits there, or NaN.
static bool isSame(const HostTensor &a, const HostTensor &b, int64_t i) {
  size_t width = elementSize(a.type());
  return std::memcmp(a.data() + i * width, b.data() + i * width, width) == 0 ||
         (std::isnan(a.toDouble(i)) && std::isnan(b.toDouble(i)));
}

Fallible<void> CheckedRanks::compare(int32_t rank, const void *memory,
                                     const HostTensor &expected) {
  HostTensor got(expected.type(), expected.shape());
  if (backend.devices->download(world, rank, memory, got.data(),
                                static_cast<int64_t>(got.byteSize())))
    return failure();
  if (std::memcmp(got.data(), expected.data(), got.byteSize()) == 0)
    return {};
  int64_t i = 0;
  while (i < got.elementCount() && isSame(got, expected, i))
    ++i;
  if (i == got.elementCount())
    return {};
  return Failure{"rank " + std::to_string(rank) + ", element " +
                 std::to_string(i) + ": expected " +
                 std::to_string(expected.toDouble(i)) + ", got " +
                 std::to_string(got.toDouble(i))};
}

Fallible<void>
CheckedRanks::run(const std::function<int32_t(int32_t rank)> &body) {
  auto trampoline = [](void *data, int32_t rank) {
    return (*static_cast<std::function<int32_t(int32_t)> *>(data))(rank);
  };
  std::function<int32_t(int32_t)> copy = body;
  if (backend.run(world, trampoline, &copy) != TESSERA_OK)
    return failure();
  return {};
}

int32_t CheckedRanks::start(int32_t rank, const Call &call, const void *in,
                            void *out, int32_t future) {
  TesseraCollective asked = {};
  asked.kind = call.kind;
  asked.group = &groups[rank];
  asked.in = in;
  asked.out = out;
  asked.count = call.count;
  asked.dtype = static_cast<int32_t>(call.type);
  asked.reduction = call.reduction;
  asked.root = call.root;
  asked.targets = call.targets.empty() ? nullptr : call.targets.data();
  asked.future = future;
  asked.site = &call.site;
  return backend.collective(world, &asked);
}

int32_t CheckedRanks::wait(int32_t rank, int32_t future) {
  return backend.wait(world, rank, future, nullptr);
}

int32_t CheckedRanks::send(int32_t rank, int64_t tag, const HostTensor &like,
                           void *data) {
  TesseraMessage message = {rank, (rank + 1) % count(), tag,
                            static_cast<int64_t>(like.byteSize()),
                            &messageSite};
  return backend.send(world, &message, data);
}

int32_t CheckedRanks::receive(int32_t rank, int64_t tag, const HostTensor &like,
                              void *data) {
  TesseraMessage message = {(rank + count() - 1) % count(), rank, tag,
                            static_cast<int64_t>(like.byteSize()),
                            &messageSite};
  return backend.recv(world, &message, data);
}

void CheckedRanks::fail(const char *why) { backend.fail(world, why); }
