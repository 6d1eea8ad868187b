//===- Mailbox.cpp --------------------------------------------------------===//

#include "Mailbox.h"

using namespace tessera::runtime;

void Mailbox::recycle(Letter letter) {
  std::lock_guard lock(mutex);
  channels[{letter.message.source, letter.message.tag}].buffers.push_back(
      std::move(letter.bytes));
}

std::optional<TesseraMessage> Mailbox::leftOver() const {
  std::lock_guard lock(mutex);
  for (const auto &[key, channel] : channels)
    if (!channel.letters.empty())
      return channel.letters.front().message;
  return std::nullopt;
}
