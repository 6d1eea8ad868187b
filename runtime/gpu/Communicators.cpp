//===- Communicators.cpp --------------------------------------------------===//

#include "Communicators.h"

#include "../core/CollectiveParts.h"
#include "Device.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace tessera;
using namespace tessera::gpu;
using runtime::chunkBytes;

std::string gpu::describe(const Nccl &nccl, NcclResult result, NcclComm comm) {
  const char *text = nccl.errorString(result);
  const char *more = nccl.lastError ? nccl.lastError(comm) : nullptr;
  std::string description = "NCCL: ";
  description += text ? text : "error " + std::to_string(result);
  if (!more || !*more)
    return description;
  description += ": ";
  for (const char *c = more; *c; ++c)
    description += *c == '\n' ? ' ' : *c;
  while (description.back() == ' ')
    description.pop_back();
  return description;
}

Communicators::~Communicators() {
  for (auto &[key, comm] : channels)
    nccl.commDestroy(comm);
  for (auto &[key, comm] : groups)
    nccl.commDestroy(comm);
}

void Communicators::abort() {
  // All at once: each waits until the graphs that it is part of have ended, and
  // those may hang in another one.
  std::vector<std::thread> aborts;
  auto start = [&](NcclComm comm) {
    aborts.emplace_back([this, comm] { nccl.commAbort(comm); });
  };
  for (auto &[key, comm] : std::exchange(channels, {}))
    start(comm);
  for (auto &[key, comm] : std::exchange(groups, {}))
    start(comm);
  for (std::thread &abort : aborts)
    abort.join();
}

std::optional<std::string> Communicators::asynchronousError() const {
  auto errorOf = [&](NcclComm comm) -> std::optional<std::string> {
    NcclResult error = ncclOk;
    NcclResult result = nccl.commError(comm, &error);
    if (result == ncclOk)
      result = error;
    if (result == ncclOk || result == ncclPending)
      return std::nullopt;
    return describe(nccl, result, comm);
  };
  for (auto &[key, comm] : groups)
    if (auto error = errorOf(comm))
      return error;
  for (auto &[key, comm] : channels)
    if (auto error = errorOf(comm))
      return error;
  return std::nullopt;
}

Fallible<void> Communicators::check(NcclResult result, NcclComm comm) const {
  if (result == ncclOk || result == ncclPending)
    return {};
  return Failure{describe(nccl, result, comm)};
}

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

Fallible<NcclComm> Communicators::make(int64_t number, const int32_t *members,
                                       int32_t size, int32_t position,
                                       const TesseraSite &site) {
  NcclUniqueId id = {};
  TesseraMessage note = {members[0], rank, note::identifier + number, sizeof id,
                         &site};
  if (position == 0) {
    if (auto made = check(nccl.uniqueId(&id), nullptr); !made)
      return made.failure();
    for (int32_t i = 1; i < size; ++i) {
      note.target = members[i];
      if (host.send(note, &id))
        return Failure{host.error()};
    }
  } else if (host.recv(note, &id)) {
    return Failure{host.error()};
  }
  NcclComm comm = nullptr;
  NcclResult result = nccl.commInit(&comm, size, id, position);
  if (auto made = check(result, comm); !made)
    return made.failure();
  return comm;
}

Fallible<NcclComm> Communicators::find(const TesseraGroup &group,
                                       const TesseraSite &site) {
  if (auto found = groups.find(group.communicator); found != groups.end())
    return found->second;
  Fallible<NcclComm> comm =
      make(group.communicator, group.members, group.size, group.position, site);
  if (comm)
    groups[group.communicator] = *comm;
  return comm;
}

Fallible<void> Communicators::openChannel(int32_t source, int32_t target) {
  static const TesseraSite site = {"channel", "the beginning"};
  int32_t members[] = {source, target}, position = rank == source ? 0 : 1;
  TesseraGroup group = {-1, 0, 2, members, position};
  currentOperation = {"channel", &site, &group};
  Fallible<NcclComm> comm = make(INT32_MAX, members, 2, position, site);
  currentOperation = {};
  if (!comm)
    return comm.failure();
  channels[{source, target}] = *comm;
  return {};
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// The ncclDataType_t in which NCCL can do arithmetic on elements; -1 for types
/// that it does not have.
static int typeOf(int32_t dtype) {
  switch (dtype) {
  case TESSERA_I1:
  case TESSERA_U8:
    return ncclU8;
  case TESSERA_I8:
    return ncclI8;
  case TESSERA_I32:
    return ncclI32;
  case TESSERA_U32:
    return ncclU32;
  case TESSERA_I64:
    return ncclI64;
  case TESSERA_U64:
    return ncclU64;
  case TESSERA_F16:
    return ncclF16;
  case TESSERA_BF16:
    return ncclBf16;
  case TESSERA_F32:
    return ncclF32;
  case TESSERA_F64:
    return ncclF64;
  }
  return -1;
}

/// The ncclRedOp_t; -1 for a reduction that NCCL does not have. On booleans,
/// which are 0 or 1, minimum and maximum say the same as and and or.
static int operationOf(int32_t dtype, int32_t reduction) {
  bool isBoolean = dtype == TESSERA_I1;
  switch (reduction) {
  case TESSERA_SUM:
    return isBoolean ? -1 : ncclSumOf;
  case TESSERA_PRODUCT:
    return isBoolean ? ncclMinOf : ncclProductOf;
  case TESSERA_MIN:
    return ncclMinOf;
  case TESSERA_MAX:
    return ncclMaxOf;
  case TESSERA_AND:
    return isBoolean ? ncclMinOf : -1;
  case TESSERA_OR:
    return isBoolean ? ncclMaxOf : -1;
  }
  return -1;
}

bool Communicators::includeGroupsOfOne() {
  const char *value = std::getenv("TESSERA_NCCL_ALONE");
  return value && std::string_view(value) != "0";
}

bool Communicators::handles(const TesseraCollective &call) const {
  if (call.part_count > 0)
    return std::ranges::all_of(
        runtime::partsOf(call),
        [&](const TesseraCollective &part) { return handles(part); });
  return !collectiveInfo(call.kind).isReduction || !usesNccl(*call.group) ||
         (typeOf(call.dtype) >= 0 &&
          operationOf(call.dtype, call.reduction) >= 0);
}

static CudaAddress addressOf(const void *memory) {
  return reinterpret_cast<CudaAddress>(memory);
}

Fallible<void> Communicators::copyAlone(const TesseraCollective &call,
                                        CudaStream stream) {
  size_t bytes = chunkBytes(call);
  CudaResult result = cudaOk;
  if (bytes == 0)
    return {};
  if (call.kind == TESSERA_PERMUTE && call.targets[0] < 0)
    result = driver.fill8(addressOf(call.out), 0, bytes, stream);
  else if (call.in != call.out)
    result = driver.copyOnDevice(addressOf(call.out), addressOf(call.in), bytes,
                                 stream);
  if (result)
    return Failure{describe(driver, result)};
  return {};
}

Fallible<void> Communicators::allToAll(const TesseraCollective &call,
                                       NcclComm comm, CudaStream stream) {
  size_t bytes = chunkBytes(call);
  auto *in = static_cast<const std::byte *>(call.in);
  auto *out = static_cast<std::byte *>(call.out);
  NcclResult result = nccl.groupStart();
  for (int32_t peer = 0; peer < call.group->size && !result; ++peer) {
    result = nccl.send(in + peer * bytes, bytes, ncclU8, peer, comm, stream);
    if (!result)
      result =
          nccl.receive(out + peer * bytes, bytes, ncclU8, peer, comm, stream);
  }
  NcclResult end = nccl.groupEnd();
  return check(result ? result : end, comm);
}

Fallible<void> Communicators::permute(const TesseraCollective &call,
                                      NcclComm comm, CudaStream stream) {
  size_t bytes = chunkBytes(call);
  int32_t me = call.group->position, sender = -1;
  for (int32_t i = 0; i < call.group->size; ++i)
    if (call.targets[i] == me)
      sender = i;
  if (sender < 0 && bytes > 0)
    if (CudaResult result = driver.fill8(addressOf(call.out), 0, bytes, stream))
      return Failure{describe(driver, result)};
  NcclResult result = nccl.groupStart();
  if (call.targets[me] >= 0 && !result)
    result = nccl.send(call.in, bytes, ncclU8, call.targets[me], comm, stream);
  if (sender >= 0 && !result)
    result = nccl.receive(call.out, bytes, ncclU8, sender, comm, stream);
  NcclResult end = nccl.groupEnd();
  return check(result ? result : end, comm);
}

Fallible<void> Communicators::collective(const TesseraCollective &call,
                                         CudaStream stream) {
  if (call.part_count == 0)
    return part(call, stream);
  auto askAll = [&]() -> Fallible<void> {
    for (const TesseraCollective &one : runtime::partsOf(call))
      if (auto asked = part(one, stream); !asked)
        return asked;
    return {};
  };
  if (!usesNccl(*call.group))
    return askAll();
  // NCCL makes no communicator within a group.
  Fallible<NcclComm> comm = find(*call.group, *call.site);
  if (!comm)
    return comm.failure();
  if (auto begun = check(nccl.groupStart(), *comm); !begun)
    return begun;
  Fallible<void> asked = askAll();
  Fallible<void> ended = check(nccl.groupEnd(), *comm);
  return asked ? ended : asked;
}

Fallible<void> Communicators::part(const TesseraCollective &call,
                                   CudaStream stream) {
  if (!usesNccl(*call.group))
    return copyAlone(call, stream);
  int type = typeOf(call.dtype);
  int operation = collectiveInfo(call.kind).isReduction
                      ? operationOf(call.dtype, call.reduction)
                      : 0;
  Fallible<NcclComm> comm = find(*call.group, *call.site);
  if (!comm)
    return comm.failure();
  size_t count = call.count;
  // Types that NCCL does not have it can still move.
  if (type < 0) {
    type = ncclU8;
    count = chunkBytes(call);
  }
  switch (call.kind) {
  case TESSERA_ALL_REDUCE:
    return check(nccl.allReduce(call.in, call.out, count, type, operation,
                                *comm, stream),
                 *comm);
  case TESSERA_REDUCE_SCATTER:
    return check(nccl.reduceScatter(call.in, call.out, count, type, operation,
                                    *comm, stream),
                 *comm);
  case TESSERA_ALL_GATHER:
    return check(nccl.allGather(call.in, call.out, count, type, *comm, stream),
                 *comm);
  case TESSERA_BROADCAST:
    return check(nccl.broadcast(call.in, call.out, count, type, call.root,
                                *comm, stream),
                 *comm);
  case TESSERA_ALL_TO_ALL:
    return allToAll(call, *comm, stream);
  default:
    return permute(call, *comm, stream);
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

Fallible<void> Communicators::send(int32_t target, const void *data,
                                   int64_t bytes, CudaStream stream) {
  NcclComm comm = channels.at({rank, target});
  return check(nccl.send(data, bytes, ncclU8, 1, comm, stream), comm);
}

Fallible<void> Communicators::receive(int32_t source, void *data, int64_t bytes,
                                      CudaStream stream) {
  NcclComm comm = channels.at({source, rank});
  return check(nccl.receive(data, bytes, ncclU8, 0, comm, stream), comm);
}
