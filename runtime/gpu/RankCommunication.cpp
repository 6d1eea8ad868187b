//===- RankCommunication.cpp - Collectives and messages -------------------===//
//
// A message goes from the sender's buffer to a buffer of the channel, on the
// compute stream, and from there on the stream of the channel, so that the
// program may go on and overwrite it. NCCL's messages have no tags: those of a
// channel arrive in the order of sending. Headers, which the hosts exchange,
// tell the receiver what comes; what comes before its turn is parked.
//
//===----------------------------------------------------------------------===//

#include "Rank.h"

#include "../core/CollectiveParts.h"
#include "../core/Reduction.h"
#include "../local/Agreement.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::gpu;

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

int32_t Rank::communicate(const Operation &operation, int64_t bytes, Lane &lane,
                          const std::function<Fallible<void>()> &ask) {
  lane.operations.push_back(operation);
  auto number = static_cast<uint32_t>(lane.operations.size());
  if (int32_t status = order(compute, lane.stream))
    return status;
  driver.fill32(lane.progress, 2 * number - 1, 1, lane.stream);
  if (int32_t status = perform(operation, bytes, lane.stream, ask))
    return status;
  return check(driver.fill32(lane.progress, 2 * number, 1, lane.stream),
               operation.kind);
}

/// NCCL's group is not for parts that other kernels, or the host, reduce.
int32_t Rank::collectiveByParts(const TesseraCollective &call,
                                const Operation &operation) {
  for (const TesseraCollective &part : runtime::partsOf(call))
    if (int32_t status = execute(part, operation))
      return status;
  return TESSERA_OK;
}

int32_t Rank::collective(const TesseraCollective &call) {
  const CollectiveInfo &info = collectiveInfo(call.kind);
  Operation operation = {info.name, call.site, call.group};
  operation.number = numbers.ofCollective(call.group->communicator);
  if (auto mistake = runtime::findDisagreement({&call, 1})) {
    host.fail(*mistake);
    return TESSERA_FAILED;
  }
  if (notes)
    if (int32_t status = notes->tell(call))
      return status;
  bool isPlain = std::ranges::all_of(
      runtime::partsOf(call), [&](const TesseraCollective &part) {
        return communicators.handles(part) && !extremes.handles(part);
      });
  return call.part_count == 0 || isPlain ? execute(call, operation)
                                         : collectiveByParts(call, operation);
}

int32_t Rank::execute(const TesseraCollective &call,
                      const Operation &operation) {
  int64_t bytes = runtime::callBytes(call);
  if (!communicators.handles(call))
    return reduceOnHost(call, operation, bytes);
  int32_t status = communicate(operation, bytes, communication, [&] {
    return call.part_count == 0 && extremes.handles(call)
               ? extremes.reduce(call, communication.stream)
               : communicators.collective(call, communication.stream);
  });
  if (status)
    return status;
  if (call.future >= 0)
    return startFuture(call.future, operation);
  return await(operation, [&] { return order(communication.stream, compute); });
}

/// Two marks on the compute stream, between which it does nothing but wait.
int32_t Rank::await(Operation operation, const std::function<int32_t()> &ask) {
  if (!record)
    return ask();
  operation.kind = "wait";
  timed.push_back({operation, 0, timingEvent(), timingEvent()});
  CudaEvent end = timed.back().end;
  driver.eventRecord(timed.back().begin, compute);
  int32_t status = ask();
  driver.eventRecord(end, compute);
  return status;
}

/// Marks the communication stream for whoever waits for the future.
int32_t Rank::startFuture(int32_t future, const Operation &operation) {
  CudaEvent event = nullptr;
  if (freeFutures.empty()) {
    if (int32_t status = check(driver.eventCreate(&event, eventDisableTiming),
                               "cannot make an event"))
      return status;
  } else {
    event = freeFutures.back();
    freeFutures.pop_back();
  }
  futures[future] = {event, operation};
  return check(driver.eventRecord(event, communication.stream),
               "record an event");
}

int32_t Rank::wait(int32_t future) {
  auto found = futures.find(future);
  if (found == futures.end())
    return 0; // The host has done it.
  auto [event, operation] = found->second;
  futures.erase(found);
  freeFutures.push_back(event);
  return await(operation, [&] {
    return check(driver.streamWaitEvent(compute, event, 0),
                 "wait for an event");
  });
}

/// Gathers the chunks that this member reduces, reads them, and writes back
/// what they give.
int32_t Rank::reduceOnHost(const TesseraCollective &call,
                           const Operation &operation, int64_t bytes) {
  int32_t size = call.group->size;
  bool scatters = collectiveInfo(call.kind).splitsOperand;
  int64_t chunk = scatters ? bytes / size : bytes;
  if (gathered.bytes < chunk * size)
    gathered = {device->allocate(chunk * size), chunk * size};
  if (!gathered.address)
    return fail(operation, "no memory is left on the device");
  // The chunks of all members for this one.
  TesseraCollective move = call;
  move.kind = scatters ? TESSERA_ALL_TO_ALL : TESSERA_ALL_GATHER;
  move.out = reinterpret_cast<void *>(gathered.address);
  move.count = chunk;
  move.dtype = TESSERA_U8;
  int32_t status = communicate(operation, bytes, communication, [&] {
    return communicators.collective(move, communication.stream);
  });
  if (!status)
    status =
        await(operation, [&] { return order(communication.stream, compute); });
  std::vector<std::byte> chunks(chunk * size), result(chunk);
  if (!status)
    status = read(move.out, chunks.data(), chunk * size);
  if (status)
    return status;
  std::vector<const std::byte *> sources;
  for (int32_t i = 0; i < size; ++i)
    sources.push_back(chunks.data() + i * chunk);
  std::byte *target = result.data();
  runtime::reduceInto(call.dtype, call.reduction, sources, {&target, 1}, 0,
                      call.count);
  return upload(target, call.out, chunk);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

int32_t Rank::openChannels(std::span<const int32_t> pairs) {
  device->makeCurrent();
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    int32_t source = pairs[i], target = pairs[i + 1];
    if (source != rank && target != rank)
      continue;
    Channel &channel = source == rank ? outgoing[target] : incoming[source];
    if (auto made = makeLane(channel.lane); !made)
      return fail(made.message());
    if (auto made = communicators.openChannel(source, target); !made)
      return host.hasFailed() ? TESSERA_FAILED : fail(made.message());
  }
  return 0;
}

CudaAddress Rank::nextBuffer(Channel &channel, int64_t bytes) {
  size_t number = channel.buffersUsed++;
  if (number == channel.buffers.size())
    channel.buffers.emplace_back();
  Buffer &buffer = channel.buffers[number];
  if (buffer.bytes < bytes)
    buffer = {device->allocate(bytes), bytes};
  return buffer.address;
}

/// What the receiver is told of the message.
Rank::Header Rank::headerOf(const TesseraMessage &message) {
  Header header = {message.tag, message.bytes, {}, {}};
  std::strncpy(header.name, message.site->name, sizeof header.name - 1);
  std::strncpy(header.location, message.site->location,
               sizeof header.location - 1);
  return header;
}

/// NCCL has nothing to do with it: the message is parked at once.
int32_t Rank::sendToItself(const TesseraMessage &message, const void *data) {
  Channel &channel = incoming[rank];
  CudaAddress buffer = nextBuffer(channel, message.bytes);
  channel.parked.push_back({headerOf(message), buffer});
  return copy(data, reinterpret_cast<void *>(buffer), message.bytes);
}

int32_t Rank::send(const TesseraMessage &message, const void *data) {
  if (message.target == rank)
    return sendToItself(message, data);
  Operation operation = {"send", message.site, nullptr};
  auto found = outgoing.find(message.target);
  if (found == outgoing.end())
    return fail(operation, "the program has no messages from rank " +
                               std::to_string(message.source) + " to rank " +
                               std::to_string(message.target));
  Channel &channel = found->second;
  operation.peer = message.target;
  operation.tag = message.tag;
  operation.number = numbers.ofMessage(rank, message.target, message.tag);
  int32_t status = 0;
  if (message.bytes > 0) {
    CudaAddress buffer = nextBuffer(channel, message.bytes);
    auto *copied = reinterpret_cast<void *>(buffer);
    if (!buffer)
      return fail(operation, "no memory is left on the device");
    status = copy(data, copied, message.bytes);
    if (!status)
      status = communicate(operation, message.bytes, channel.lane, [&] {
        return communicators.send(message.target, copied, message.bytes,
                                  channel.lane.stream);
      });
  }
  Header header = headerOf(message);
  TesseraMessage note = {message.source, message.target, note::header,
                         sizeof header, message.site};
  return status ? status : host.send(note, &header);
}

/// The next header of the channel.
int32_t Rank::takeHeader(const TesseraMessage &message, Header &header) {
  TesseraMessage note = {message.source, message.target, note::header,
                         sizeof header, message.site};
  return host.recv(note, &header);
}

int32_t Rank::checkBytes(const TesseraMessage &message, const Header &header) {
  if (header.bytes == message.bytes)
    return 0;
  host.fail("mismatched messages: rank " + std::to_string(message.target) +
            " expects " + std::to_string(message.bytes) + " bytes in recv '" +
            message.site->name + "' at " + message.site->location + ", rank " +
            std::to_string(message.source) + " sends " +
            std::to_string(header.bytes) + " in send '" + header.name +
            "' at " + header.location);
  return TESSERA_FAILED;
}

int32_t Rank::receive(const TesseraMessage &message, void *data) {
  Operation operation = {"recv", message.site, nullptr};
  auto found = incoming.find(message.source);
  if (found == incoming.end())
    return fail(operation, "the program has no messages from rank " +
                               std::to_string(message.source) + " to rank " +
                               std::to_string(message.target));
  Channel &channel = found->second;
  operation.peer = message.source;
  auto receiveInto = [&](void *target, const Header &header) {
    operation.tag = header.tag;
    operation.number = numbers.ofMessage(message.source, rank, header.tag);
    if (!header.bytes)
      return 0;
    return communicate(operation, header.bytes, channel.lane, [&] {
      return communicators.receive(message.source, target, header.bytes,
                                   channel.lane.stream);
    });
  };
  auto parked = std::ranges::find_if(channel.parked, [&](const Parked &entry) {
    return entry.header.tag == message.tag;
  });
  if (parked != channel.parked.end()) {
    Parked entry = *parked;
    channel.parked.erase(parked);
    if (int32_t status = checkBytes(message, entry.header))
      return status;
    operation.tag = message.tag;
    operation.number = entry.number;
    if (message.source != rank)
      if (int32_t status = await(
              operation, [&] { return order(channel.lane.stream, compute); }))
        return status;
    return copy(reinterpret_cast<void *>(entry.address), data, message.bytes);
  }
  if (message.source == rank)
    return fail(operation, "this rank has not sent itself such a message");
  while (true) {
    Header header;
    if (int32_t status = takeHeader(message, header))
      return status;
    if (header.tag == message.tag) {
      int32_t status = checkBytes(message, header);
      if (!status)
        status = receiveInto(data, header);
      if (status || !header.bytes)
        return status;
      return await(operation,
                   [&] { return order(channel.lane.stream, compute); });
    }
    CudaAddress buffer = nextBuffer(channel, header.bytes);
    if (int32_t status = receiveInto(reinterpret_cast<void *>(buffer), header))
      return status;
    channel.parked.push_back({header, buffer, operation.number});
  }
}

int32_t Rank::joinChannels() {
  for (auto *channels : {&outgoing, &incoming})
    for (auto &[peer, channel] : *channels) {
      channel.buffersUsed = 0;
      if (!channel.lane.operations.empty())
        if (int32_t status = order(channel.lane.stream, compute))
          return status;
      if (channel.parked.empty())
        continue;
      const Header &header = channel.parked.front().header;
      host.fail("rank " + std::to_string(rank) +
                " has not received what rank " + std::to_string(peer) +
                " sent in send '" + header.name + "' at " + header.location);
      return TESSERA_FAILED;
    }
  return 0;
}
