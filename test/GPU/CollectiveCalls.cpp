//===- CollectiveCalls.cpp ------------------------------------------------===//

#include "CollectiveCalls.h"

#include "../../runtime/core/Reduction.h"
#include "../../runtime/local/Agreement.h"
#include "tessera/Support/Collective.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

using namespace tessera;
using namespace tessera::check;

static bool isReduction(int32_t kind) {
  return kind == TESSERA_ALL_REDUCE || kind == TESSERA_REDUCE_SCATTER;
}

/// How many chunks a member of a group puts in, and gets.
static int32_t operandChunks(int32_t kind, int32_t ranks) {
  bool splits = kind == TESSERA_REDUCE_SCATTER || kind == TESSERA_ALL_TO_ALL;
  return splits ? ranks : 1;
}

static int32_t resultChunks(int32_t kind, int32_t ranks) {
  bool joins = kind == TESSERA_ALL_GATHER || kind == TESSERA_ALL_TO_ALL;
  return joins ? ranks : 1;
}

std::string Call::describe() const {
  std::string text = std::string(collectiveInfo(kind).name) + " of " +
                     std::to_string(count) + " x " +
                     std::string(elementTypeName(type));
  if (isReduction(kind))
    text += std::string(", ") + runtime::reductionName(reduction);
  if (kind == TESSERA_BROADCAST)
    text += ", root " + std::to_string(root);
  if (kind == TESSERA_PERMUTE)
    text += ", the first to " + std::to_string(targets[0]);
  return text + (isInPlace ? ", in place" : "");
}

static double smallInteger(int32_t rank, int64_t i) {
  return static_cast<double>((rank * 7 + i * 3 + i / 5) % 4);
}

/// What minima and maxima may stumble over: numbers of both signs, far apart
/// and near zero, infinities and NaN. No two zeros, whose order is open.
static double extremeValue(int64_t i) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr double values[] = {
      1.5, -2.25, 0x1p-14, -0x1p-14, infinity, -0x1p-13, -infinity, 1024,
      -3,  2,     0,       NAN,      -1024,    -0x1.5p3, 0x1.5p3};
  return values[i % std::ssize(values)];
}

HostTensor Call::operand(int32_t rank, int32_t ranks) const {
  HostTensor tensor(type, {count * operandChunks(kind, ranks)});
  bool isExtreme = isReduction(kind) && isFloatingPoint(type) &&
                   (reduction == TESSERA_MIN || reduction == TESSERA_MAX);
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    tensor.setFromDouble(i, isExtreme ? extremeValue(rank + i)
                                      : smallInteger(rank, i));
  return tensor;
}

HostTensor Call::result(int32_t rank, int32_t ranks) const {
  HostTensor result(type, {count * resultChunks(kind, ranks)});
  size_t chunk = count * elementSize(type);
  std::vector<HostTensor> operands;
  for (int32_t member = 0; member < ranks; ++member)
    operands.push_back(operand(member, ranks));
  auto copyChunk = [&](int32_t to, int32_t member, int32_t from) {
    std::memcpy(result.data() + to * chunk,
                operands[member].data() + from * chunk, chunk);
  };
  if (isReduction(kind)) {
    std::vector<const std::byte *> sources;
    for (const HostTensor &tensor : operands)
      sources.push_back(tensor.data() +
                        (kind == TESSERA_REDUCE_SCATTER ? rank * chunk : 0));
    std::byte *target = result.data();
    runtime::reduceInto(static_cast<int32_t>(type), reduction, sources,
                        {&target, 1}, 0, count);
  }
  for (int32_t member = 0; member < ranks; ++member) {
    if (kind == TESSERA_ALL_GATHER)
      copyChunk(member, member, 0);
    if (kind == TESSERA_ALL_TO_ALL)
      copyChunk(member, member, rank);
    if (kind == TESSERA_PERMUTE && targets[member] == rank)
      copyChunk(0, member, 0);
  }
  if (kind == TESSERA_BROADCAST)
    copyChunk(0, root, 0);
  return result;
}

/// Whether NCCL has the reduction of such elements.
static bool isOfNccl(ElementType type, int32_t reduction) {
  bool isOfHost = type == ElementType::I16 || type == ElementType::U16;
  if (type == ElementType::I1)
    return reduction != TESSERA_SUM && reduction != TESSERA_XOR;
  return !isOfHost && reduction <= TESSERA_MAX;
}

std::vector<Call> check::allCalls(int32_t ranks, bool recordable) {
  std::vector<Call> calls;
  // To the next rank, and to the one before but from the first to nobody.
  std::vector<int32_t> around, back;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    around.push_back((rank + 1) % ranks);
    back.push_back(rank - 1);
  }
  for (int32_t code = 0; code < elementTypeCount; ++code) {
    auto type = static_cast<ElementType>(code);
    for (int32_t op = TESSERA_SUM; op <= TESSERA_XOR; ++op) {
      if (!runtime::isReducible(code, op) ||
          (recordable && !isOfNccl(type, op)))
        continue;
      calls.push_back({TESSERA_ALL_REDUCE, type, 1000, op});
      calls.push_back({TESSERA_ALL_REDUCE, type, 5, op, 0, {}, true});
      calls.push_back({TESSERA_REDUCE_SCATTER, type, 37, op});
    }
    for (int64_t count : {0, 1, 3000}) {
      calls.push_back({TESSERA_ALL_GATHER, type, count});
      calls.push_back({TESSERA_ALL_TO_ALL, type, count});
      calls.push_back({TESSERA_BROADCAST, type, count, 0, ranks - 1});
      calls.push_back({TESSERA_PERMUTE, type, count, 0, 0, around});
      calls.push_back({TESSERA_PERMUTE, type, count, 0, 0, back});
    }
  }
  return calls;
}
