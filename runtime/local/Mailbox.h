//===- Mailbox.h - Messages on their way to one rank ----------------------===//

#ifndef TESSERA_RUNTIME_LOCAL_MAILBOX_H
#define TESSERA_RUNTIME_LOCAL_MAILBOX_H

#include "../core/Futex.h"
#include "tessera/backend.h"

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace tessera::runtime {

/// What other ranks have sent to one rank and it has not received yet. A sender
/// copies its bytes into a buffer of the mailbox and goes on; the receiver
/// copies them out and leaves the buffer for the next message from the same
/// sender with the same tag, so that after the first step nothing is allocated.
/// Any rank puts messages in, one takes them out.
class alignas(64) Mailbox {
public:
  /// A message with its bytes.
  struct Letter {
    TesseraMessage message;
    std::vector<std::byte> bytes;
  };

  /// Puts a message in, without bytes if `data` is null. If the receiver sleeps
  /// until this one comes, calls `wake` before anybody can take it.
  template <typename Wake>
  void put(const TesseraMessage &message, const void *data, Wake wake);

  /// The next message of this sender and tag. If there is none, the receiver is
  /// going to sleep until one comes: the first time, calls `sleep` before
  /// anybody can put it in.
  template <typename Sleep>
  std::optional<Letter> take(const TesseraMessage &wanted, Sleep sleep);

  /// Gives the buffer of a letter back.
  void recycle(Letter letter);

  /// A message that nobody has taken, if there is one.
  std::optional<TesseraMessage> leftOver() const;

  /// Moves with each message, and when the job fails.
  Signal signal;

private:
  /// All messages of one sender and tag.
  struct Channel {
    std::deque<Letter> letters;
    std::vector<std::vector<std::byte>> buffers;
  };
  using Key = std::pair<int32_t, int64_t>;

  mutable std::mutex mutex;
  std::map<Key, Channel> channels;
  /// What the receiver sleeps for.
  std::optional<Key> awaited;
};

template <typename Wake>
void Mailbox::put(const TesseraMessage &message, const void *data, Wake wake) {
  Key key(message.source, message.tag);
  std::vector<std::byte> bytes;
  {
    std::lock_guard lock(mutex);
    Channel &channel = channels[key];
    if (!channel.buffers.empty()) {
      bytes = std::move(channel.buffers.back());
      channel.buffers.pop_back();
    }
  }
  const auto *begin = static_cast<const std::byte *>(data);
  bytes.assign(begin, begin + (data ? message.bytes : 0));
  std::lock_guard lock(mutex);
  channels[key].letters.push_back({message, std::move(bytes)});
  if (awaited == key) {
    awaited.reset();
    wake();
  }
}

template <typename Sleep>
std::optional<Mailbox::Letter> Mailbox::take(const TesseraMessage &wanted,
                                             Sleep sleep) {
  Key key(wanted.source, wanted.tag);
  std::lock_guard lock(mutex);
  Channel &channel = channels[key];
  if (!channel.letters.empty()) {
    Letter letter = std::move(channel.letters.front());
    channel.letters.pop_front();
    return letter;
  }
  if (awaited != key) {
    awaited = key;
    sleep();
  }
  return std::nullopt;
}

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_LOCAL_MAILBOX_H
