//===- EventGathering.cpp -------------------------------------------------===//

#include "EventGathering.h"

#include <cstring>

using namespace tessera;
using namespace tessera::processes;

/// Questions for each rank's clock after each step.
static constexpr int questions = 3;

static const TesseraSite site = {"events", "the end of the step"};

namespace {
struct Answer {
  int64_t clock;
  int64_t bytes; ///< Of the events that follow the last answer.
};
} // namespace

EventGathering::EventGathering(RankHost &host, int32_t ranks)
    : host(host), remotes(ranks) {}

int32_t EventGathering::gather(
    const std::function<std::span<const TesseraEvent>(int32_t)> &eventsOf) {
  for (int32_t rank = 1; rank < static_cast<int32_t>(remotes.size()); ++rank) {
    int32_t status = TESSERA_OK;
    if (host.isLocal(0) && !host.isLocal(rank))
      status = ask(rank);
    else if (!host.isLocal(0) && host.isLocal(rank))
      status = answer(rank, eventsOf(rank));
    if (status)
      return status;
  }
  return TESSERA_OK;
}

int32_t EventGathering::ask(int32_t rank) {
  Remote &remote = remotes[rank];
  Answer heard = {};
  for (int question = 0; question < questions; ++question) {
    int64_t asked = clockNow();
    if (host.send({0, rank, note::events, 1, &site}, "?") ||
        host.recv({rank, 0, note::events, sizeof heard, &site}, &heard))
      return TESSERA_FAILED;
    int64_t roundTrip = clockNow() - asked;
    if (roundTrip >= remote.roundTrip)
      continue;
    remote.roundTrip = roundTrip;
    remote.offset = asked + roundTrip / 2 - heard.clock;
  }
  std::vector<char> bytes(heard.bytes);
  if (host.recv({rank, 0, note::events, heard.bytes, &site}, bytes.data()))
    return TESSERA_FAILED;
  decode(remote, bytes);
  return TESSERA_OK;
}

/// An event is itself, whose texts mean nothing elsewhere, and its three texts,
/// each with its zero.
static std::vector<char> encode(std::span<const TesseraEvent> events) {
  std::vector<char> bytes;
  auto append = [&](const void *from, size_t size) {
    auto *first = static_cast<const char *>(from);
    bytes.insert(bytes.end(), first, first + size);
  };
  for (const TesseraEvent &event : events) {
    append(&event, sizeof event);
    for (const char *text : {event.name, event.location, event.kind})
      append(text, std::strlen(text) + 1);
  }
  return bytes;
}

void EventGathering::decode(Remote &remote, std::span<const char> bytes) {
  remote.events.clear();
  const char *next = bytes.data(), *end = next + bytes.size();
  auto text = [&] {
    const char *kept = keep(next);
    next += std::strlen(next) + 1;
    return kept;
  };
  while (next < end) {
    TesseraEvent event;
    std::memcpy(&event, next, sizeof event);
    next += sizeof event;
    event.begin += remote.offset;
    event.end += remote.offset;
    event.name = text();
    event.location = text();
    event.kind = text();
    remote.events.push_back(event);
  }
}

int32_t EventGathering::answer(int32_t rank,
                               std::span<const TesseraEvent> events) {
  std::vector<char> bytes = encode(events);
  for (int question = 0; question < questions; ++question) {
    char asked;
    if (host.recv({0, rank, note::events, 1, &site}, &asked))
      return TESSERA_FAILED;
    Answer answer = {clockNow(), static_cast<int64_t>(bytes.size())};
    if (host.send({rank, 0, note::events, sizeof answer, &site}, &answer))
      return TESSERA_FAILED;
  }
  return host.send(
      {rank, 0, note::events, static_cast<int64_t>(bytes.size()), &site},
      bytes.data());
}
