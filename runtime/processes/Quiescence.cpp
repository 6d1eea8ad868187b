//===- Quiescence.cpp -----------------------------------------------------===//

#include "Quiescence.h"

#include <cstring>

using namespace tessera;
using namespace tessera::processes;

namespace {
/// Either end of a state: applies `each` to all its fields in order.
template <typename State, typename Each>
void visitFields(State &state, Each each) {
  each(state.run);
  each(state.isFinished);
  each(state.sent);
  each(state.received);
  each(state.waits);
  each(state.awaited);
  each(state.activity);
  each(state.leftOver);
}
} // namespace

std::vector<std::byte> RankState::encode() const {
  std::vector<std::byte> bytes;
  auto append = [&](const void *from, size_t size) {
    auto *first = static_cast<const std::byte *>(from);
    bytes.insert(bytes.end(), first, first + size);
  };
  visitFields(*this, [&](const auto &field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_arithmetic_v<Field>) {
      append(&field, sizeof field);
    } else {
      uint64_t count = field.size();
      append(&count, sizeof count);
      append(field.data(), count * sizeof field[0]);
    }
  });
  return bytes;
}

std::optional<RankState> RankState::decode(std::span<const std::byte> bytes) {
  RankState state;
  bool isWhole = true;
  auto take = [&](void *to, size_t size) {
    isWhole = isWhole && size <= bytes.size();
    if (!isWhole)
      return;
    if (size > 0)
      std::memcpy(to, bytes.data(), size);
    bytes = bytes.subspan(size);
  };
  visitFields(state, [&](auto &field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_arithmetic_v<Field>) {
      take(&field, sizeof field);
    } else {
      uint64_t count = 0;
      take(&count, sizeof count);
      isWhole = isWhole && count <= bytes.size() / sizeof field[0];
      field.resize(isWhole ? count : 0);
      take(field.data(), field.size() * sizeof field[0]);
    }
  });
  return isWhole ? std::optional(state) : std::nullopt;
}

bool Quiescence::isQuiet() const {
  for (const RankState &state : states)
    if (state.run != states.front().run || state.run <= judged ||
        state.sent.size() != states.size() ||
        state.received.size() != states.size())
      return false;
  for (size_t from = 0; from < states.size(); ++from)
    for (size_t to = 0; to < states.size(); ++to)
      if (states[from].sent[to] != states[to].received[from])
        return false;
  return true;
}

std::string Quiescence::findFailure() const {
  for (size_t rank = 0; rank < states.size(); ++rank) {
    const RankState &state = states[rank];
    if (state.isFinished)
      continue;
    std::string text =
        "deadlock: rank " + std::to_string(rank) + " waits " + state.waits;
    if (state.awaited < 0 ||
        state.awaited >= static_cast<int32_t>(states.size()))
      return text;
    return text + " for rank " + std::to_string(state.awaited) + ", which " +
           states[state.awaited].activity;
  }
  for (const RankState &state : states)
    if (!state.leftOver.empty())
      return state.leftOver;
  return "";
}

std::optional<Quiescence::Verdict> Quiescence::report(int32_t rank,
                                                      RankState state) {
  states[rank] = std::move(state);
  if (!isQuiet())
    return std::nullopt;
  judged = states.front().run;
  return Verdict{judged, findFailure()};
}

int32_t Quiescence::missingAfter(int32_t rank, int64_t run) const {
  auto count = static_cast<int32_t>(states.size());
  for (int32_t i = 1; i <= count; ++i)
    if (int32_t next = (rank + i) % count; states[next].run < run)
      return next;
  return 0;
}
