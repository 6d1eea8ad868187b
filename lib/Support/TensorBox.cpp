//===- TensorBox.cpp ------------------------------------------------------===//

#include "tessera/Support/TensorBox.h"

using namespace tessera;

std::string TensorBox::describe() const {
  std::string text;
  for (size_t dim = 0; dim < size.size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(begin[dim]) + ":" +
            std::to_string(begin[dim] + size[dim]);
  return "[" + text + "]";
}

TensorBox tessera::intersect(const TensorBox &a, const TensorBox &b) {
  TensorBox common = a;
  for (size_t dim = 0; dim < a.size.size(); ++dim) {
    int64_t begin = std::max(a.begin[dim], b.begin[dim]);
    int64_t end =
        std::min(a.begin[dim] + a.size[dim], b.begin[dim] + b.size[dim]);
    common.begin[dim] = begin;
    common.size[dim] = std::max<int64_t>(0, end - begin);
  }
  return common;
}

BlockedBox::BlockedBox(TensorBox whole, size_t elementBytes, int64_t blockBytes)
    : box(std::move(whole)) {
  int64_t most =
      std::max<int64_t>(1, blockBytes / static_cast<int64_t>(elementBytes));
  if (box.isEmpty()) {
    blocks = 0;
    return;
  }
  // The outermost dimension of which an index fits into a block.
  split = box.size.size();
  while (split > 0 && inner * box.size[split - 1] <= most)
    inner *= box.size[--split];
  if (split == 0)
    return;
  --split;
  step = most / inner;
  cuts = (box.size[split] + step - 1) / step;
  blocks = cuts;
  for (size_t dim = 0; dim < split; ++dim)
    blocks *= box.size[dim];
}

TensorBox BlockedBox::block(int64_t number) const {
  if (blocks == 1)
    return box;
  TensorBox block = box;
  int64_t first = number % cuts * step;
  block.begin[split] += first;
  block.size[split] = std::min(step, box.size[split] - first);
  number /= cuts;
  for (size_t dim = split; dim-- > 0; number /= box.size[dim]) {
    block.begin[dim] += number % box.size[dim];
    block.size[dim] = 1;
  }
  return block;
}

int64_t BlockedBox::firstElement(int64_t number) const {
  if (blocks <= 1)
    return 0;
  return (number / cuts * box.size[split] + number % cuts * step) * inner;
}
