//===- RankHarness.cpp ----------------------------------------------------===//

#include "RankHarness.h"

#include "../../runtime/core/CollectiveParts.h"

#include <cstdio>
#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace tessera::runtime;
using namespace tessera::runtime::test;

const TesseraSite RankHarness::defaultSite = {"op", "test.py:1"};

const TesseraBackend *test::findBackend(const std::string &name) {
  std::string path =
      TESSERA_LIBRARY_FOLDER "/libtessera_backend_" + name + ".so";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return nullptr;
  auto entry =
      reinterpret_cast<TesseraBackendEntry>(dlsym(library, "tessera_backend"));
  return entry ? entry() : nullptr;
}

DeviceMesh test::meshOf(std::vector<int32_t> sizes) {
  std::vector<MeshAxis> axes;
  for (int32_t size : sizes)
    axes.push_back({std::string(1, char('a' + axes.size())), size});
  auto mesh = DeviceMesh::create(axes, {});
  EXPECT_TRUE(mesh);
  return *mesh;
}

RankHarness::RankHarness(const TesseraBackend *backend, DeviceMesh givenMesh,
                         std::vector<std::vector<SubAxis>> communicators,
                         double timeout, bool spin, int32_t spareCores)
    : backend(backend), mesh(std::move(givenMesh)) {
  std::vector<int32_t> sizes;
  for (const std::vector<SubAxis> &axes : communicators) {
    tables.push_back(mesh.groupsAlong(axes));
    sizes.push_back(tables.back().size);
  }
  for (int32_t c = 0; c < static_cast<int32_t>(tables.size()); ++c) {
    const GroupTable &table = tables[c];
    auto &ofRanks = groupsOfRanks.emplace_back();
    for (int32_t rank = 0; rank < mesh.ranks(); ++rank) {
      int32_t index = table.groupOf[rank];
      ofRanks.push_back({c, index, table.size, table.groups[index].data(),
                         table.positionOf[rank]});
    }
  }
  TesseraWorldOptions options = {};
  options.ranks = mesh.ranks();
  options.timeout = timeout;
  options.spin = spin;
  options.spare_cores = spareCores;
  options.communicators = static_cast<int32_t>(sizes.size());
  options.group_sizes = sizes.data();
  options.describe = [](void *, int32_t rank, char *buffer, size_t size) {
    std::snprintf(buffer, size, "does something");
  };
  std::vector<int32_t> channels;
  for (int32_t source = 0; source < options.ranks; ++source)
    for (int32_t target = 0; target < options.ranks; ++target)
      if (source != target)
        channels.insert(channels.end(), {source, target});
  options.channel_count = static_cast<int32_t>(channels.size() / 2);
  options.channels = channels.data();
  started.resize(options.ranks);
  memory.resize(options.ranks);
  char error[256] = "";
  world = backend->open(&options, error, sizeof error);
  EXPECT_TRUE(world) << error;
  if (world && backend->devices)
    EXPECT_EQ(backend->devices->load(world, nullptr, 0, error, sizeof error),
              TESSERA_OK)
        << error;
}

TesseraStatus RankHarness::run(std::function<int32_t(int32_t)> body) {
  auto trampoline = [](void *data, int32_t rank) {
    return (*static_cast<std::function<int32_t(int32_t)> *>(data))(rank);
  };
  return backend->run(world, trampoline, &body);
}

std::function<int32_t()> RankHarness::prepare(int32_t rank,
                                              int32_t communicator,
                                              TesseraCollective &call,
                                              const TesseraSite &site) {
  call.group = &groupsOfRanks[communicator][rank];
  call.site = &site;
  call.future = -1;
  int64_t outBytes = resultBytes(call);
  bool isInPlace = call.in == call.out;
  void *out = call.out;
  call.out = stage(rank, out, outBytes);
  call.in = isInPlace ? call.out : stage(rank, call.in, operandBytes(call));
  return [=, this, staged = call.out] {
    return unstage(rank, staged, out, outBytes);
  };
}

int32_t RankHarness::execute(int32_t rank, const TesseraCollective &call,
                             std::function<int32_t()> finish) {
  int32_t status = backend->collective(world, &call);
  if (status == 0 && call.future < 0)
    return finish();
  if (status == 0)
    started[rank][call.future] = finish;
  return status;
}

int32_t RankHarness::call(int32_t rank, int32_t communicator,
                          TesseraCollective call, const TesseraSite &site,
                          int32_t future) {
  auto finish = prepare(rank, communicator, call, site);
  call.future = future;
  return execute(rank, call, finish);
}

int32_t RankHarness::combined(int32_t rank, int32_t communicator,
                              std::vector<TesseraCollective> parts,
                              const TesseraSite &site, int32_t future) {
  std::vector<std::function<int32_t()>> finishes;
  auto kept = std::make_shared<std::vector<TesseraCollective>>(parts);
  for (TesseraCollective &part : *kept)
    finishes.push_back(prepare(rank, communicator, part, site));
  TesseraCollective call = kept->front();
  call.future = future;
  call.part_count = static_cast<int32_t>(kept->size());
  call.parts = kept->data();
  return execute(rank, call, [finishes, kept] {
    for (const std::function<int32_t()> &finish : finishes)
      if (int32_t status = finish())
        return status;
    return 0;
  });
}

int32_t RankHarness::wait(int32_t rank, int32_t future) {
  int32_t status = backend->wait(world, rank, future, nullptr);
  if (status == 0 && started[rank].count(future))
    return started[rank].extract(future).mapped()();
  return status;
}

void *RankHarness::stage(int32_t rank, const void *buffer, int64_t bytes) {
  if (!backend->devices || bytes < 0)
    return const_cast<void *>(buffer);
  auto &pool = memory[rank];
  auto found = pool.lower_bound(bytes);
  void *staged = found == pool.end()
                     ? backend->devices->allocate(world, rank, bytes)
                     : pool.extract(found).mapped();
  backend->devices->upload(world, rank, buffer, staged, bytes);
  return staged;
}

int32_t RankHarness::unstage(int32_t rank, void *staged, void *buffer,
                             int64_t bytes) {
  if (!backend->devices)
    return 0;
  memory[rank].emplace(bytes, staged);
  return backend->devices->download(world, rank, staged, buffer, bytes);
}

int32_t RankHarness::send(int32_t rank, int32_t target, int64_t tag,
                          const HostTensor &tensor, const TesseraSite &site) {
  TesseraMessage message = {rank, target, tag,
                            static_cast<int64_t>(tensor.byteSize()), &site};
  return backend->send(world, &message,
                       stage(rank, tensor.data(), message.bytes));
}

int32_t RankHarness::recv(int32_t rank, int32_t source, int64_t tag,
                          HostTensor &tensor, const TesseraSite &site) {
  TesseraMessage message = {source, rank, tag,
                            static_cast<int64_t>(tensor.byteSize()), &site};
  void *staged = stage(rank, tensor.data(), message.bytes);
  int32_t status = backend->recv(world, &message, staged);
  return status ? status : unstage(rank, staged, tensor.data(), message.bytes);
}
