//===- IndexingFactors.cpp - by which factors an iteration space splits ---===//
//
// Every dimension of the space is a factor. Where tensors have it at the same
// position, devices compute their parts by themselves. Where one has it
// elsewhere (moved by a number, reversed, one of every so many, beside other
// tensors), its kind says whether they exchange elements or need all of it.
// Digits are split into what is common to both sides of a reshape.
//
//===----------------------------------------------------------------------===//

#include "tessera/Interfaces/IndexingMaps.h"
#include "tessera/Interfaces/ShardingRuleInterface.h"
#include "tessera/Sharding/Rules/FactorShardings.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace tessera;

/// How the elements of a moved dimension may be split: one of `from` elements
/// becomes one of `to`, whose element i is its element i + `offset`. Where they
/// go from few indices in the one to few in the other, as thirds do, devices
/// may exchange them even if parts are not of one size.
static FactorKind movedKind(int64_t from, int64_t to, int64_t offset) {
  if (from == to && offset == 0)
    return FactorKind::PassThrough;
  int64_t grain = std::gcd(from, to), largest = std::max(from, to);
  bool mayBeWindow = from != to && FactorLimits::areFewPieces(largest, grain);
  return mayBeWindow && !FactorLimits::areFewPieces(
                            largest, std::gcd(grain, std::abs(offset)))
             ? FactorKind::NeedReplication
             : FactorKind::Permutation;
}

namespace {

/// One dimension of the space as a factor: the tensors' dimensions that have
/// it, and what becomes of its kind where they have it at other indices.
class DimensionFactor {
public:
  DimensionFactor(const IndexingMaps &maps, unsigned dim)
      : maps(maps), dim(dim), size(maps.getDims()[dim].size),
        kind(maps.getDims()[dim].kind),
        tensorDims(maps.getNumTensors(), IndexingMaps::kNone) {}

  /// Dimension `at` of `tensor` has the factor.
  void visit(unsigned tensor, int64_t at, const IndexSum &index);
  void add(ShardingRuleBuilder &builder) const;

private:
  void add(ShardingRuleBuilder &builder, ArrayRef<int64_t> tensorDims,
           int64_t size, FactorKind kind) const;

  const IndexingMaps &maps;
  unsigned dim;
  int64_t size;
  FactorKind kind;
  /// Per tensor its dimension, or none.
  SmallVector<int64_t> tensorDims;
  /// How many tensors have it moved by a number.
  unsigned numMoved = 0;
  /// The tensor that has groups of `stride` elements, one of which is meant.
  std::optional<unsigned> grouped;
  int64_t stride = 1;
};

} // namespace

void DimensionFactor::visit(unsigned tensor, int64_t at,
                            const IndexSum &index) {
  tensorDims[tensor] = at;
  int64_t own = maps.getDims()[dim].size, held = maps.getShape(tensor)[at],
          scale = index.terms.front().scale;
  if (index.terms.size() > 1 || (index.isPlain() && held == own))
    return;
  if (scale > 1 && index.offset >= 0 && index.offset < scale && own > 0 &&
      own * scale == held) {
    grouped = tensor;
    stride = scale;
    return;
  }
  size = std::max(size, held);
  if (scale == 1 && numMoved++ == 0)
    kind = movedKind(held, own, index.offset);
  else
    kind = scale > 1 ? FactorKind::NeedReplication : FactorKind::Permutation;
}

void DimensionFactor::add(ShardingRuleBuilder &builder,
                          ArrayRef<int64_t> tensorDims, int64_t size,
                          FactorKind kind) const {
  builder.addFactor(tensorDims.take_front(maps.getNumOperands()),
                    tensorDims.drop_front(maps.getNumOperands()), size, kind,
                    maps.getDims()[dim].reduction);
}

void DimensionFactor::add(ShardingRuleBuilder &builder) const {
  add(builder, tensorDims, size, kind);
  if (!grouped)
    return;
  SmallVector<int64_t> group(tensorDims.size(), IndexingMaps::kNone);
  group[*grouped] = tensorDims[*grouped];
  add(builder, group, stride, FactorKind::NeedReplication);
}

void IndexingMaps::addFactors(ShardingRuleBuilder &builder) const {
  SmallVector<DimensionFactor> factors;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    factors.emplace_back(*this, dim);
  bool isReshape = false;
  for (unsigned tensor = 0; tensor < tensors.size(); ++tensor)
    for (int64_t at = 0, end = shapes[tensor].size(); at < end; ++at)
      if (std::optional<IndexSum> index = getIndex(tensor, at))
        for (const IndexTerm &term : index->terms) {
          factors[term.dim].visit(tensor, at, *index);
          isReshape |= term.size != dims[term.dim].size;
        }
  if (isReshape)
    builder.addReshape();
  else
    for (const DimensionFactor &factor : factors)
      factor.add(builder);
  if (!moved.empty())
    builder.addMovement(moved);
}

ShardingRuleBuilder tessera::makeIndexedRule(Operation *op) {
  ShardingRuleBuilder builder = makeRuleBuilder(op);
  cast<IndexingMapInterface>(op).getIndexingMaps().addFactors(builder);
  return builder;
}
