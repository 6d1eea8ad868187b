//===- CommunicationThread.cpp --------------------------------------------===//

#include "CommunicationThread.h"

#include "../core/CollectiveParts.h"
#include "../local/Agreement.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace tessera;
using namespace tessera::processes;

/// How long a thread that has a core of its own looks for more before it
/// sleeps.
static constexpr std::chrono::microseconds spinTime(50);

/// How long the last words may take to leave.
static constexpr std::chrono::seconds flushTime(1);

CommunicationThread::CommunicationThread(int32_t rank,
                                         const TesseraWorldOptions &options,
                                         bool spin, RankHost &host,
                                         std::unique_ptr<Transport> transport)
    : rank(rank), options(options), spin(spin), host(host),
      transport(std::move(transport)), incoming(options.ranks),
      incomingPieces(options.ranks), sent(options.ranks), got(options.ranks) {
  if (rank == 0)
    quiescence.emplace(options.ranks);
  lastMoved = Clock::now();
  thread = std::thread([this] { main(); });
}

void CommunicationThread::close() {
  closing = true;
  transport->wake();
  if (thread.joinable())
    thread.join();
}

CommunicationThread::~CommunicationThread() { close(); }

void CommunicationThread::notice() {
  hasFailed = true;
  transport->wake();
  signal.signal();
}

//===----------------------------------------------------------------------===//
// The rank's thread
//===----------------------------------------------------------------------===//

void CommunicationThread::wakeThread() {
  hasOrders = true;
  transport->wake();
}

void CommunicationThread::beginRun() {
  std::lock_guard lock(mutex);
  ++run;
  ++version;
}

int32_t CommunicationThread::endRun() {
  Waiting what;
  what.isFinished = true;
  return await(what, [this] { return ended >= run; });
}

template <typename Ready>
int32_t CommunicationThread::await(const Waiting &what, Ready ready) {
  if (spin && runtime::spinUntil(ready))
    return TESSERA_OK;
  {
    std::lock_guard lock(mutex);
    waiting = what;
    ++version;
  }
  if (what.isFinished)
    wakeThread();
  // For the end of a step only rank 0 asks, who knows for whom all wait.
  bool mayTimeOut = options.timeout >= 0 && (!what.isFinished || rank == 0);
  auto deadline =
      Clock::now() +
      std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(std::min(options.timeout, 1e9)));
  bool isDone;
  while (true) {
    uint32_t seen = signal.read();
    isDone = ready();
    if (isDone || isStopped)
      break;
    Clock::duration left = deadline - Clock::now();
    if (mayTimeOut && left > Clock::duration::zero()) {
      signal.wait(seen, left);
    } else if (mayTimeOut) {
      mayTimeOut = false;
      {
        std::lock_guard lock(mutex);
        waiting.isTooLong = true;
      }
      wakeThread();
    } else {
      signal.wait(seen);
    }
  }
  std::lock_guard lock(mutex);
  waiting = {};
  ++version;
  return isDone ? TESSERA_OK : TESSERA_FAILED;
}

int32_t CommunicationThread::alone(const TesseraCollective &call) {
  if (std::optional<std::string> mistake =
          runtime::findDisagreement({&call, 1})) {
    fail(*mistake);
    return TESSERA_FAILED;
  }
  ownPlan.build({&call, 1});
  for (int64_t part = 0; part < ownPlan.parts(); ++part)
    ownPlan.execute(part);
  if (call.future >= 0)
    doneAlone[call.future] = clockNow();
  return TESSERA_OK;
}

std::unique_ptr<CommunicationThread::Operation>
CommunicationThread::prepare(const TesseraCollective &call) {
  std::unique_ptr<Operation> operation;
  if (unused.empty()) {
    operation = std::make_unique<Operation>();
  } else {
    operation = std::move(unused.back());
    unused.pop_back();
  }
  CallRecord record(call);
  operation->call = call;
  operation->number = numbers[call.group->communicator]++;
  operation->record = record.number;
  operation->description = std::move(record.bytes);
  operation->isMistaken = runtime::findDisagreement({&call, 1}).has_value();
  operation->phase = 0;
  operation->isDone = false;
  if (!operation->isMistaken)
    operation->exchange.build(call);
  return operation;
}

int32_t CommunicationThread::collective(const TesseraCollective &call) {
  if (hasFailed)
    return TESSERA_FAILED;
  if (call.group->size == 1)
    return alone(call);
  std::unique_ptr<Operation> operation = prepare(call);
  {
    std::lock_guard lock(mutex);
    newOperations.push_back(operation.get());
  }
  wakeThread();
  if (call.future < 0)
    return finish(std::move(operation), nullptr);
  if (static_cast<size_t>(call.future) >= futures.size())
    futures.resize(call.future + 1);
  futures[call.future] = std::move(operation);
  return TESSERA_OK;
}

int32_t CommunicationThread::wait(int32_t future, int64_t *completed) {
  if (auto done = doneAlone.find(future); done != doneAlone.end()) {
    if (completed)
      *completed = done->second;
    doneAlone.erase(done);
    return TESSERA_OK;
  }
  return finish(std::move(futures[future]), completed);
}

int32_t CommunicationThread::finish(std::unique_ptr<Operation> operation,
                                    int64_t *completed) {
  Waiting what;
  what.operation = operation.get();
  int32_t status = await(what, [&] { return operation->isDone.load(); });
  if (completed)
    *completed = operation->completed;
  unused.push_back(std::move(operation));
  return status;
}

int32_t CommunicationThread::send(const TesseraMessage &message,
                                  const void *data) {
  if (hasFailed)
    return TESSERA_FAILED;
  CallRecord record(*message.site);
  auto *first = static_cast<const std::byte *>(data);
  Parcel parcel = {.peer = message.target};
  parcel.header.kind = ParcelKind::Message;
  parcel.header.number = message.tag;
  parcel.header.record = record.number;
  parcel.owned.assign(first, first + message.bytes);
  parcel.header.bytes = message.bytes;
  if (message.target == rank) {
    std::lock_guard lock(mutex);
    descriptions[{rank, record.number}] = std::move(record.bytes);
    messages[{rank, message.tag}].push_back(
        {parcel.header, std::move(parcel.owned)});
    return TESSERA_OK;
  }
  bool isNew = describedSites.insert({message.target, record.number}).second;
  {
    std::lock_guard lock(mutex);
    if (isNew) {
      Parcel description = {.peer = message.target};
      description.header.kind = ParcelKind::Description;
      description.header.record = record.number;
      description.owned = std::move(record.bytes);
      newParcels.push_back(std::move(description));
    }
    newParcels.push_back(std::move(parcel));
  }
  wakeThread();
  return TESSERA_OK;
}

int32_t CommunicationThread::recv(const TesseraMessage &message, void *data) {
  Letter letter;
  auto take = [&] {
    std::lock_guard lock(mutex);
    std::deque<Letter> &letters = messages[{message.source, message.tag}];
    if (letters.empty())
      return false;
    letter = std::move(letters.front());
    letters.pop_front();
    return true;
  };
  Waiting what;
  what.message = message;
  if (int32_t status = await(what, take))
    return status;
  if (int32_t status = checkSize(message, letter))
    return status;
  if (!letter.bytes.empty())
    std::memcpy(data, letter.bytes.data(), letter.bytes.size());
  return TESSERA_OK;
}

int32_t CommunicationThread::checkSize(const TesseraMessage &message,
                                       const Letter &letter) {
  if (letter.header.bytes == message.bytes)
    return TESSERA_OK;
  std::string site;
  {
    std::lock_guard lock(mutex);
    site = readSite(descriptions[{message.source, letter.header.record}]);
  }
  fail("mismatched messages: rank " + std::to_string(rank) + " expects " +
       std::to_string(message.bytes) + " bytes in recv '" + message.site->name +
       "' at " + message.site->location + ", rank " +
       std::to_string(message.source) + " sends " +
       std::to_string(letter.header.bytes) + " in send " + site);
  return TESSERA_FAILED;
}

//===----------------------------------------------------------------------===//
// The communication thread
//===----------------------------------------------------------------------===//

void CommunicationThread::main() {
  while (!closing && !hasFailed) {
    bool moved = hasOrders.exchange(false);
    if (moved)
      takeOrders();
    moved |= transport->progress(*this);
    if (moved) {
      advanceAll();
      lastMoved = Clock::now();
      continue;
    }
    if (spin && Clock::now() - lastMoved < spinTime) {
      runtime::spinPause();
      continue;
    }
    watch();
  }
  if (!hasFailed)
    return flush();
  // From here on nobody touches memory of callers.
  isStopped = true;
  signal.signal();
}

void CommunicationThread::flush() {
  auto end = Clock::now() + flushTime;
  takeOrders();
  while (transport->progress(*this) && Clock::now() < end) {
  }
}

void CommunicationThread::takeOrders() {
  std::vector<Operation *> begun;
  std::vector<Parcel> parcels;
  {
    std::lock_guard lock(mutex);
    begun.swap(newOperations);
    parcels.swap(newParcels);
  }
  for (Parcel &parcel : parcels)
    post(std::move(parcel));
  for (Operation *operation : begun)
    begin(*operation);
}

void CommunicationThread::post(Parcel parcel) {
  int64_t bytes = static_cast<int64_t>(parcel.owned.size());
  for (const Piece &piece : parcel.pieces)
    bytes += piece.bytes;
  parcel.header.bytes = bytes;
  if (parcel.header.kind <= ParcelKind::Message) {
    ++sent[parcel.peer];
    ++version;
  }
  transport->send(std::move(parcel));
}

void CommunicationThread::begin(Operation &operation) {
  const TesseraGroup &group = *operation.call.group;
  bool isFirst = group.position == 0;
  operation.records.assign(isFirst ? group.size : 0, operation.record);
  for (int phase = 0; phase < Exchange::phases; ++phase) {
    operation.toCome[phase] = operation.toSend[phase] = 0;
    operation.isAwaited[phase].assign(group.size, false);
    for (int32_t i = 0; i < group.size; ++i) {
      bool hasBytes = !operation.isMistaken &&
                      !operation.exchange.receives(phase, i).empty();
      bool isAwaited =
          i != group.position && (hasBytes || (isFirst && phase == 0));
      operation.isAwaited[phase][i] = isAwaited;
      operation.toCome[phase] += isAwaited;
    }
  }
  operations[{group.communicator, operation.number}] = &operation;
  sendPhase(operation, 0);
  if (!operation.isMistaken)
    operation.exchange.copyOwn();
  for (int32_t i = 0; i < group.size; ++i)
    for (int phase = 0; phase < Exchange::phases; ++phase)
      if (auto letter = early.find(
              {operation.rank(i), group.communicator, operation.number, phase});
          letter != early.end())
        takeCollective(operation.rank(i), letter->second.header);
}

/// Sends what this member has for others in an exchange; to the first member of
/// the group in phase 0 in any case, with a description of a call that it has
/// not seen.
void CommunicationThread::sendPhase(Operation &operation, int phase) {
  const TesseraGroup &group = *operation.call.group;
  for (int32_t i = 0; i < group.size; ++i) {
    if (i == group.position)
      continue;
    std::span<const Piece> pieces;
    if (!operation.isMistaken)
      pieces = operation.exchange.sends(phase, i);
    bool isReport = i == 0 && phase == 0;
    if (pieces.empty() && !isReport)
      continue;
    int32_t peer = operation.rank(i);
    if (isReport && describedCalls.insert({peer, operation.record}).second) {
      Parcel description = {.peer = peer};
      description.header.kind = ParcelKind::Description;
      description.header.record = operation.record;
      description.owned = operation.description;
      post(std::move(description));
    }
    Parcel parcel = {.peer = peer};
    parcel.header.kind = ParcelKind::Collective;
    parcel.header.phase = phase;
    parcel.header.communicator = group.communicator;
    parcel.header.number = operation.number;
    parcel.header.record = operation.record;
    parcel.pieces = pieces;
    parcel.pending = &operation.toSend[phase];
    ++operation.toSend[phase];
    post(std::move(parcel));
  }
}

CommunicationThread::Operation *
CommunicationThread::findOperation(const ParcelHeader &header) {
  auto found = operations.find({header.communicator, header.number});
  return found == operations.end() ? nullptr : found->second;
}

static int32_t positionOf(const TesseraGroup &group, int32_t rank) {
  auto *end = group.members + group.size;
  return static_cast<int32_t>(std::find(group.members, end, rank) -
                              group.members);
}

/// Where the bytes of a parcel belong in the exchange of the same call.
static std::span<const Piece> placeIn(const Exchange &exchange,
                                      const TesseraGroup &group, int32_t peer,
                                      const ParcelHeader &header) {
  return exchange.receives(header.phase, positionOf(group, peer));
}

std::span<const Piece>
CommunicationThread::receiving(int32_t peer, const ParcelHeader &header) {
  incoming[peer].reset();
  if (header.kind == ParcelKind::Collective)
    if (Operation *operation = findOperation(header);
        operation && operation->record == header.record &&
        !operation->isMistaken)
      return placeIn(operation->exchange, *operation->call.group, peer, header);
  Letter &letter = incoming[peer].emplace();
  letter.header = header;
  letter.bytes.resize(header.bytes);
  incomingPieces[peer] = {letter.bytes.data(), header.bytes};
  return std::span(&incomingPieces[peer], header.bytes > 0 ? 1 : 0);
}

void CommunicationThread::received(int32_t peer, const ParcelHeader &header) {
  std::optional<Letter> letter = std::exchange(incoming[peer], std::nullopt);
  std::span<const std::byte> bytes;
  if (letter)
    bytes = letter->bytes;
  auto text = [&] {
    return std::string(reinterpret_cast<const char *>(bytes.data()),
                       bytes.size());
  };
  if (header.kind <= ParcelKind::Message) {
    ++got[peer];
    ++version;
  }
  switch (header.kind) {
  case ParcelKind::Collective:
    if (letter)
      early[{peer, header.communicator, header.number, header.phase}] =
          *std::move(letter);
    takeCollective(peer, header);
    break;
  case ParcelKind::Message: {
    std::lock_guard lock(mutex);
    messages[{peer, header.number}].push_back(*std::move(letter));
    signal.signal();
    break;
  }
  case ParcelKind::Description: {
    std::lock_guard lock(mutex);
    descriptions[{peer, header.record}] = std::move(letter->bytes);
    break;
  }
  case ParcelKind::State:
    if (std::optional<RankState> state = RankState::decode(bytes))
      takeReport(peer, *std::move(state));
    break;
  case ParcelKind::Over:
    ended = header.number;
    signal.signal();
    break;
  case ParcelKind::Question: {
    Parcel answer = {.peer = peer};
    answer.header.kind = ParcelKind::Answer;
    std::string said = activity();
    auto *first = reinterpret_cast<const std::byte *>(said.data());
    answer.owned.assign(first, first + said.size());
    post(std::move(answer));
    break;
  }
  case ParcelKind::Answer:
    takeAnswer(text());
    break;
  }
}

/// A parcel has come: its bytes are where they belong, or early. The header may
/// be that of the letter that ends here, so it is a copy.
void CommunicationThread::takeCollective(int32_t peer, ParcelHeader header) {
  Operation *operation = findOperation(header);
  if (!operation)
    return;
  const TesseraGroup &group = *operation->call.group;
  int32_t position = positionOf(group, peer);
  bool isEqual = operation->record == header.record && !operation->isMistaken;
  auto letter =
      early.find({peer, header.communicator, header.number, header.phase});
  if (letter != early.end()) {
    const std::byte *next = letter->second.bytes.data();
    if (isEqual)
      for (const Piece &piece :
           placeIn(operation->exchange, group, peer, header)) {
        std::memcpy(piece.data, next, piece.bytes);
        next += piece.bytes;
      }
    early.erase(letter);
  }
  bool isReport = group.position == 0 && header.phase == 0;
  if (isReport)
    operation->records[position] = header.record;
  if ((isEqual || isReport) && operation->isAwaited[header.phase][position]) {
    operation->isAwaited[header.phase][position] = false;
    --operation->toCome[header.phase];
  }
}

void CommunicationThread::advanceAll() {
  for (auto next = operations.begin(); next != operations.end();) {
    Operation &operation = *next->second;
    if (!advance(operation)) {
      ++next;
      continue;
    }
    next = operations.erase(next);
    operation.completed = clockNow();
    // The rank may give the operation away from here on.
    operation.isDone = true;
    signal.signal();
  }
}

/// Does what can be done; whether that was the rest.
bool CommunicationThread::advance(Operation &operation) {
  int64_t *toCome = operation.toCome, *toSend = operation.toSend;
  if (operation.phase == 0) {
    if (toCome[0] > 0)
      return false;
    bool differs = std::ranges::any_of(operation.records, [&](uint64_t record) {
      return record != operation.record;
    });
    if (operation.isMistaken || differs) {
      judge(operation);
      return false;
    }
    // What is sent may be where the results go.
    if (toSend[0] > 0)
      return false;
    operation.exchange.reduce();
    operation.phase = 1;
    sendPhase(operation, 1);
  }
  return toCome[1] == 0 && toSend[1] == 0;
}

void CommunicationThread::judge(Operation &operation) {
  const TesseraGroup &group = *operation.call.group;
  if (group.position != 0)
    return; // The first member will.
  std::vector<TesseraGroup> groups(group.size, group);
  std::deque<ReceivedCall> received;
  std::vector<TesseraCollective> calls = {operation.call};
  for (int32_t i = 1; i < group.size; ++i) {
    groups[i].position = i;
    std::lock_guard lock(mutex);
    ReceivedCall &call = received.emplace_back(
        descriptions[{operation.rank(i), operation.records[i]}]);
    if (!call.isWhole())
      return fail("mismatched collectives: rank " + std::to_string(rank) +
                  " calls " + runtime::describeCollective(operation.call) +
                  ", rank " + std::to_string(operation.rank(i)) +
                  " calls another one");
    calls.push_back(call.of(groups[i]));
  }
  fail(runtime::findDisagreement(calls).value_or(
      "mismatched collectives in " +
      runtime::describeCollective(operation.call)));
}
