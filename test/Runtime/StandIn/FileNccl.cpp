//===- FileNccl.cpp - NCCL between processes, over files ------------------===//
//
// Each member leaves what it has in a file, and every member that finds the
// files of all computes its result by itself. A file appears complete, as it is
// renamed when it is.
//
//===----------------------------------------------------------------------===//

#include "StandIn.h"

#include "../../../runtime/emulated/device/EmulatedDevice.h"
#include "../../../runtime/emulated/device/NcclCodes.h"
#include "../../../runtime/local/Agreement.h"
#include "../../../runtime/local/Transfer.h"
#include "tessera/Support/ElementType.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <thread>

#include <unistd.h>

using namespace tessera;
using namespace tessera::standin;
using namespace tessera::gpu;
using emulated::collectiveOf;
using emulated::dtypeOf;
using emulated::reductionOf;
using emulated::Work;
using emulated::WorkResult;

namespace {
/// What has taken place is counted, not what was asked for: a graph does the
/// same again. Work that is still to be done shares the communicator.
struct Communicator {
  std::string name;
  int size, position;
  int64_t collectives = 0;
  std::map<int, int64_t> sent, received; ///< By peer.
};
using CommunicatorPtr = std::shared_ptr<Communicator>;
} // namespace

static int depth = 0;
static const TesseraSite site = {"op", "here"};

static std::string pathOf(const std::string &name) {
  const char *folder = std::getenv("TESSERA_STANDIN_FOLDER");
  return std::string(folder ? folder : ".") + "/" + name;
}

static void leave(const std::string &name, const void *bytes, size_t size) {
  std::string path = pathOf(name);
  std::ofstream(path + ".part", std::ios::binary)
      .write(static_cast<const char *>(bytes), static_cast<int64_t>(size));
  std::filesystem::rename(path + ".part", path);
}

/// The content of a file; false if it is not there yet.
static bool find(const std::string &name, std::vector<char> &content) {
  std::ifstream file(pathOf(name), std::ios::binary);
  if (!file)
    return false;
  content.assign(std::istreambuf_iterator<char>(file), {});
  return true;
}

static const CommunicatorPtr &unwrap(NcclComm comm) {
  return *reinterpret_cast<const CommunicatorPtr *>(comm);
}

static NcclResult uniqueId(NcclUniqueId *id) {
  static int made = 0;
  *id = {};
  std::snprintf(id->internal, sizeof id->internal, "c%d-%d", getpid(), made++);
  return ncclOk;
}

static NcclResult commInit(NcclComm *comm, int size, NcclUniqueId id,
                           int position) {
  CommunicatorPtr made(
      new Communicator{id.internal, size, position, 0, {}, {}});
  log("communicator of " + std::to_string(size) + ", position " +
      std::to_string(position));
  leave(made->name + ".join" + std::to_string(position), "", 0);
  for (int peer = 0; peer < size; ++peer)
    while (!std::filesystem::exists(
        pathOf(made->name + ".join" + std::to_string(peer))))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  *comm = reinterpret_cast<NcclComm>(new CommunicatorPtr(made));
  return ncclOk;
}

static NcclResult commDestroy(NcclComm comm) {
  delete &unwrap(comm);
  return ncclOk;
}

static NcclResult commError(NcclComm, NcclResult *error) {
  const char *asked = std::getenv("TESSERA_STANDIN_ERROR");
  *error = asked ? std::atoi(asked) : ncclOk;
  return ncclOk;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Computes this member's result from what all have left; false if some have
/// not.
static bool finish(TesseraCollective call, const Communicator &comm,
                   const std::string &name, size_t outBytes) {
  std::vector<std::vector<char>> inputs(comm.size), outputs(comm.size);
  for (int i = 0; i < comm.size; ++i)
    if (!find(name + "." + std::to_string(i), inputs[i]))
      return false;
  std::vector<TesseraCollective> calls(comm.size, call);
  std::vector<TesseraGroup> groups(comm.size);
  for (int i = 0; i < comm.size; ++i) {
    outputs[i].resize(outBytes);
    groups[i] = {0, 0, comm.size, nullptr, i};
    calls[i].group = &groups[i];
    calls[i].in = inputs[i].data();
    calls[i].out = outputs[i].data();
  }
  runtime::TransferPlan plan;
  plan.build(calls);
  for (int64_t part = 0; part < plan.parts(); ++part)
    plan.execute(part);
  std::memcpy(call.out, outputs[comm.position].data(), outBytes);
  return true;
}

static NcclResult collective(const char *function, TesseraCollective call,
                             int inChunks, int outChunks, NcclComm handle,
                             CudaStream stream) {
  CommunicatorPtr comm = unwrap(handle);
  log(std::string("  ") + std::to_string(call.count) + " x " +
      std::string(elementTypeName(static_cast<ElementType>(call.dtype))) +
      ", reduction " + std::to_string(call.reduction) + ", root " +
      std::to_string(call.root) + ", " + std::to_string(comm->size) +
      " members");
  call.site = &site;
  call.future = -1;
  size_t chunk = call.count * elementSize(static_cast<ElementType>(call.dtype));
  Work work;
  work.waits = true;
  work.execute = [=, hasLeft = false]() mutable -> WorkResult {
    std::string name = comm->name + "." + std::to_string(comm->collectives);
    if (hangs(function, static_cast<int>(comm->collectives) + 1))
      return {std::nullopt, true};
    if (!hasLeft)
      leave(name + "." + std::to_string(comm->position), call.in,
            chunk * inChunks);
    hasLeft = !finish(call, *comm, name, chunk * outChunks);
    comm->collectives += !hasLeft;
    if (!hasLeft && outChunks * chunk > 0 && spoils(function))
      *static_cast<char *>(call.out) ^= 1;
    return {std::nullopt, hasLeft};
  };
  emulated::enqueue(stream, std::move(work));
  return ncclOk;
}

static NcclResult allReduce(const void *in, void *out, size_t count, int type,
                            int op, NcclComm comm, CudaStream stream) {
  TesseraCollective call =
      collectiveOf(TESSERA_ALL_REDUCE, in, out, count, type);
  call.reduction = reductionOf(op);
  return collective("ncclAllReduce", call, 1, 1, comm, stream);
}

static NcclResult reduceScatter(const void *in, void *out, size_t count,
                                int type, int op, NcclComm comm,
                                CudaStream stream) {
  TesseraCollective call =
      collectiveOf(TESSERA_REDUCE_SCATTER, in, out, count, type);
  call.reduction = reductionOf(op);
  return collective("ncclReduceScatter", call, unwrap(comm)->size, 1, comm,
                    stream);
}

static NcclResult allGather(const void *in, void *out, size_t count, int type,
                            NcclComm comm, CudaStream stream) {
  TesseraCollective call =
      collectiveOf(TESSERA_ALL_GATHER, in, out, count, type);
  return collective("ncclAllGather", call, 1, unwrap(comm)->size, comm, stream);
}

static NcclResult broadcast(const void *in, void *out, size_t count, int type,
                            int root, NcclComm comm, CudaStream stream) {
  TesseraCollective call =
      collectiveOf(TESSERA_BROADCAST, in, out, count, type);
  call.root = root;
  return collective("ncclBroadcast", call, 1, 1, comm, stream);
}

//===----------------------------------------------------------------------===//
// Sends and receives
//===----------------------------------------------------------------------===//

/// The file of the message of that number.
static std::string messageName(const Communicator &comm, int source, int target,
                               int64_t number) {
  return comm.name + ".p" + std::to_string(source) + "-" +
         std::to_string(target) + "." + std::to_string(number);
}

static NcclResult send(const void *in, size_t count, int type, int peer,
                       NcclComm handle, CudaStream stream) {
  CommunicatorPtr comm = unwrap(handle);
  size_t bytes = count * elementSize(static_cast<ElementType>(dtypeOf(type)));
  log("  " + std::to_string(bytes) + " bytes to member " +
      std::to_string(peer) + (depth ? ", in a group" : ""));
  Work work;
  work.sends = true;
  work.execute = [=]() -> WorkResult {
    leave(messageName(*comm, comm->position, peer, comm->sent[peer]++), in,
          bytes);
    return {};
  };
  emulated::enqueue(stream, std::move(work));
  return ncclOk;
}

static NcclResult receive(void *out, size_t count, int type, int peer,
                          NcclComm handle, CudaStream stream) {
  CommunicatorPtr comm = unwrap(handle);
  size_t bytes = count * elementSize(static_cast<ElementType>(dtypeOf(type)));
  log("  " + std::to_string(bytes) + " bytes from member " +
      std::to_string(peer) + (depth ? ", in a group" : ""));
  Work work;
  work.waits = true;
  work.execute = [=]() -> WorkResult {
    std::vector<char> content;
    int64_t &number = comm->received[peer];
    if (!find(messageName(*comm, peer, comm->position, number), content))
      return {std::nullopt, true};
    ++number;
    if (content.size() != bytes)
      return {"a message of another size", false};
    std::memcpy(out, content.data(), bytes);
    if (bytes > 0 && spoils("ncclRecv"))
      *static_cast<char *>(out) ^= 1;
    return {};
  };
  emulated::enqueue(stream, std::move(work));
  return ncclOk;
}

const Nccl &standin::fileNccl() {
  static const Nccl table = {
      .version = [](int *version) { return *version = 22809, ncclOk; },
      .uniqueId = uniqueId,
      .commInit = commInit,
      .commDestroy = commDestroy,
      .commAbort = commDestroy,
      .commError = commError,
      .errorString =
          [](NcclResult result) {
            return result == 2 ? "unhandled system error" : "remote error";
          },
      .lastError = [](NcclComm) { return "the stand-in was told so"; },
      .allReduce = allReduce,
      .reduceScatter = reduceScatter,
      .allGather = allGather,
      .broadcast = broadcast,
      .send = send,
      .receive = receive,
      .groupStart = [] { return ++depth, ncclOk; },
      .groupEnd = [] { return --depth, ncclOk; },
  };
  return table;
}
