//===- EmulatedNccl.cpp ---------------------------------------------------===//
//
// A collective is work on a stream that meets the other members in the ranks'
// world when its turn comes, which checks that all ask for the same and moves
// the data. Sends and receives of a group are one piece of work: first all that
// is sent goes to the receivers' mailboxes, then what is received is taken out.
// Collectives of a group are one after another, as they were asked for.
//
//===----------------------------------------------------------------------===//

#include "device/EmulatedNccl.h"

#include "device/EmulatedDevice.h"
#include "device/EmulatedHost.h"
#include "device/NcclCodes.h"

#include "tessera/Support/ElementType.h"

#include <cstring>
#include <utility>

using namespace tessera;
using namespace tessera::emulated;
using namespace tessera::gpu;

namespace {
/// What an ncclUniqueId says.
struct Identifier {
  uint64_t number;
  int32_t root; ///< The world's rank that made it, which is member 0.
};

/// What an ncclComm_t is.
struct Communicator {
  uint64_t number;
  std::vector<int32_t> members;
  TesseraGroup group;
};

/// One send or receive of a group of calls.
struct Transfer {
  const Communicator *comm;
  bool isSend;
  int32_t peer;
  std::byte *data;
  int64_t bytes;
};

/// The calls since ncclGroupStart.
struct Group {
  int depth = 0;
  std::vector<Transfer> transfers;
  CudaStream stream = nullptr;
};
} // namespace

static thread_local Group group;
static thread_local std::string explanation;

static const TesseraSite unknownSite = {"?", "unknown location"};

/// Tags of messages of communicators: beyond those of notes.
static constexpr int64_t transferTag = note::end;

static NcclResult fail(NcclResult result, std::string why) {
  explanation = std::move(why);
  return result;
}

static const Communicator &unwrap(NcclComm comm) {
  return *reinterpret_cast<const Communicator *>(comm);
}

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

static NcclResult uniqueId(NcclUniqueId *id) {
  static std::atomic<uint64_t> numbers = 0;
  Identifier identifier = {numbers++, rankOfThread()};
  std::memset(id, 0, sizeof *id);
  std::memcpy(id, &identifier, sizeof identifier);
  return ncclOk;
}

/// Does not wait for the other members: whoever needs them will.
static NcclResult commInit(NcclComm *comm, int size, NcclUniqueId id,
                           int position) {
  const TesseraGroup *asked = currentOperation.group;
  if (!asked || asked->size != size || asked->position != position)
    return fail(ncclBadArgument, "the communicator is not that of the group");
  Identifier identifier;
  std::memcpy(&identifier, &id, sizeof identifier);
  if (identifier.root != asked->members[0])
    return fail(ncclBadArgument, "the identifier is that of another group");
  auto made = std::make_unique<Communicator>();
  made->number = identifier.number;
  made->members.assign(asked->members, asked->members + size);
  made->group = {-1, 0, size, made->members.data(), position};
  *comm = reinterpret_cast<NcclComm>(made.release());
  return ncclOk;
}

/// Work that is still to be done keeps what it needs of the communicator.
static NcclResult commDestroy(NcclComm comm) {
  delete reinterpret_cast<Communicator *>(comm);
  return ncclOk;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static bool checkRange(const MemoryRange &range) {
  auto why = currentDevice()->checkRange(range.begin, range.end - range.begin);
  if (why)
    explanation = *why;
  return !why;
}

/// Asks for a collective of `inChunks` and `outChunks` chunks of `count`
/// elements.
static NcclResult addCollective(TesseraCollective call, int64_t inChunks,
                                int64_t outChunks, NcclComm comm,
                                CudaStream stream) {
  if (call.dtype < 0 || call.reduction < 0)
    return fail(ncclBadArgument, "invalid type or operation");
  const Communicator &with = unwrap(comm);
  int64_t chunk =
      call.count * elementSize(static_cast<ElementType>(call.dtype));
  Work work;
  work.accesses = {rangeOf(call.in, inChunks * chunk, false),
                   rangeOf(call.out, outChunks * chunk, true)};
  work.waits = true;
  for (const MemoryRange &range : work.accesses)
    if (!checkRange(range))
      return ncclBadArgument;
  call.future = -1;
  call.site = currentOperation.site ? currentOperation.site : &unknownSite;
  auto members = std::make_shared<Communicator>(with);
  members->group.members = members->members.data();
  work.execute = [call, members]() mutable -> WorkResult {
    call.group = &members->group;
    runtime::World &world = *worldOfThread();
    runtime::Meeting &meeting =
        world.openMeeting(members->number, members->group.size);
    if (world.meet(meeting, call) == TESSERA_OK)
      return {};
    return {world.error(), false};
  };
  enqueue(stream, std::move(work));
  return ncclOk;
}

static NcclResult allReduce(const void *in, void *out, size_t count, int type,
                            int operation, NcclComm comm, CudaStream stream) {
  TesseraCollective call =
      collectiveOf(TESSERA_ALL_REDUCE, in, out, count, type);
  call.reduction = reductionOf(operation);
  return addCollective(call, 1, 1, comm, stream);
}

static NcclResult reduceScatter(const void *in, void *out, size_t count,
                                int type, int operation, NcclComm comm,
                                CudaStream stream) {
  TesseraCollective call =
      collectiveOf(TESSERA_REDUCE_SCATTER, in, out, count, type);
  call.reduction = reductionOf(operation);
  return addCollective(call, unwrap(comm).group.size, 1, comm, stream);
}

static NcclResult allGather(const void *in, void *out, size_t count, int type,
                            NcclComm comm, CudaStream stream) {
  TesseraCollective call =
      collectiveOf(TESSERA_ALL_GATHER, in, out, count, type);
  return addCollective(call, 1, unwrap(comm).group.size, comm, stream);
}

static NcclResult broadcast(const void *in, void *out, size_t count, int type,
                            int root, NcclComm comm, CudaStream stream) {
  TesseraCollective call =
      collectiveOf(TESSERA_BROADCAST, in, out, count, type);
  call.root = root;
  return addCollective(call, 1, 1, comm, stream);
}

//===----------------------------------------------------------------------===//
// Sends and receives
//===----------------------------------------------------------------------===//

static WorkResult executeTransfers(const std::vector<Transfer> &transfers,
                                   const std::vector<int32_t> &peers,
                                   const std::vector<uint64_t> &numbers,
                                   const TesseraSite *site) {
  runtime::World &world = *worldOfThread();
  int32_t me = rankOfThread();
  for (bool sends : {true, false})
    for (size_t i = 0; i < transfers.size(); ++i) {
      const Transfer &transfer = transfers[i];
      if (transfer.isSend != sends)
        continue;
      auto tag = static_cast<int64_t>(transferTag + numbers[i]);
      TesseraMessage message = {sends ? me : peers[i], sends ? peers[i] : me,
                                tag, transfer.bytes, site};
      if (sends ? world.send(message, transfer.data)
                : world.recv(message, transfer.data))
        return {world.error(), false};
    }
  return {};
}

static NcclResult groupStart() {
  ++group.depth;
  return ncclOk;
}

static NcclResult groupEnd() {
  if (group.depth == 0)
    return fail(ncclBadUsage, "ncclGroupEnd without ncclGroupStart");
  if (--group.depth > 0)
    return ncclOk;
  std::vector<Transfer> transfers = std::exchange(group.transfers, {});
  if (transfers.empty())
    return ncclOk;
  Work work;
  std::vector<int32_t> peers;
  std::vector<uint64_t> numbers;
  for (const Transfer &transfer : transfers) {
    work.accesses.push_back(
        rangeOf(transfer.data, transfer.bytes, !transfer.isSend));
    if (!checkRange(work.accesses.back()))
      return ncclBadArgument;
    (transfer.isSend ? work.sends : work.waits) = true;
    peers.push_back(transfer.comm->members[transfer.peer]);
    numbers.push_back(transfer.comm->number);
  }
  const TesseraSite *site =
      currentOperation.site ? currentOperation.site : &unknownSite;
  work.execute = [=] {
    return executeTransfers(transfers, peers, numbers, site);
  };
  enqueue(group.stream, std::move(work));
  return ncclOk;
}

static NcclResult addTransfer(bool isSend, const void *data, size_t count,
                              int type, int peer, NcclComm comm,
                              CudaStream stream) {
  const Communicator &with = unwrap(comm);
  if (peer < 0 || peer >= with.group.size)
    return fail(ncclBadArgument, "invalid peer " + std::to_string(peer));
  int32_t dtype = dtypeOf(type);
  if (dtype < 0)
    return fail(ncclBadArgument, "invalid type");
  if (!group.transfers.empty() && group.stream != stream)
    return fail(ncclBadUsage, "a group on several streams is not emulated");
  int64_t width = elementSize(static_cast<ElementType>(dtype));
  groupStart();
  group.stream = stream;
  group.transfers.push_back(
      {&with, isSend, peer,
       const_cast<std::byte *>(static_cast<const std::byte *>(data)),
       static_cast<int64_t>(count) * width});
  return groupEnd();
}

static NcclResult send(const void *in, size_t count, int type, int peer,
                       NcclComm comm, CudaStream stream) {
  return addTransfer(true, in, count, type, peer, comm, stream);
}

static NcclResult receive(void *out, size_t count, int type, int peer,
                          NcclComm comm, CudaStream stream) {
  return addTransfer(false, out, count, type, peer, comm, stream);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const Nccl &emulated::emulatedNccl() {
  static const Nccl table = {
      .version = [](int *version) { return *version = 22809, ncclOk; },
      .uniqueId = uniqueId,
      .commInit = commInit,
      .commDestroy = commDestroy,
      .commAbort = commDestroy,
      .commError = [](NcclComm,
                      NcclResult *error) { return *error = ncclOk, ncclOk; },
      .errorString =
          [](NcclResult result) {
            return result == ncclBadUsage ? "invalid usage"
                                          : "invalid argument";
          },
      .lastError = [](NcclComm) { return explanation.c_str(); },
      .allReduce = allReduce,
      .reduceScatter = reduceScatter,
      .allGather = allGather,
      .broadcast = broadcast,
      .send = send,
      .receive = receive,
      .groupStart = groupStart,
      .groupEnd = groupEnd,
  };
  return table;
}
