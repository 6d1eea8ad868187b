//===- BatchArguments.cpp - which arguments are a step's rows -------------===//

#include "Microbatches/BatchArguments.h"

#include "tessera/Dialect/Tessera/BatchAttribute.h"
#include "tessera/Dialect/Tessera/Donation.h"

#include "llvm/ADT/StringSet.h"

#include <numeric>

using namespace mlir;
using namespace tessera;
using namespace tessera::shard;

//===----------------------------------------------------------------------===//
// State and data
//===----------------------------------------------------------------------===//

static StringRef nameOf(DictionaryAttr attributes) {
  auto name = attributes
                  ? attributes.getAs<StringAttr>(TesseraDialect::kNameAttr)
                  : StringAttr();
  return name ? name.getValue() : StringRef();
}

/// The argument of the model that `argument` is, or is a part of.
static std::string rootOf(func::FuncOp function, unsigned argument) {
  StringRef name = nameOf(function.getArgAttrDict(argument));
  return name.empty()
             ? "#" + std::to_string(argument)
             : name.take_until([](char c) { return c == '[' || c == '.'; })
                   .str();
}

/// The path of a part within an argument of the model, or within all that it
/// returns: `['w']` of `p['w']`, `[0]['w']` of `result[0]['w']`; empty for the
/// whole.
static StringRef pathOf(StringRef name) {
  return name.drop_until([](char c) { return c == '[' || c == '.'; });
}

DenseSet<Value> tessera::shard::findData(func::FuncOp function) {
  // Types of results by path, and of whole results of the model by number.
  llvm::StringMap<DenseSet<Type>> parts, wholes;
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    StringRef name = nameOf(function.getResultAttrDict(i));
    // A model returns one thing, or several by number.
    StringRef path = pathOf(name);
    if (path.size() > 1 && llvm::isDigit(path[1]))
      path = pathOf(path.drop_front());
    path.empty() ? wholes[name].insert(type) : parts[path].insert(type);
  }
  llvm::StringSet<> state;
  llvm::StringMap<unsigned> roots;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string root = rootOf(function, i);
    unsigned number = roots.try_emplace(root, roots.size()).first->second;
    StringRef path = pathOf(nameOf(function.getArgAttrDict(i)));
    const DenseSet<Type> &replacing =
        path.empty() ? wholes["result[" + std::to_string(number) + "]"]
                     : parts[path];
    if (getDonatedResult(function, i) ||
        replacing.contains(function.getArgumentTypes()[i]))
      state.insert(root);
  }
  DenseSet<Value> data;
  for (BlockArgument argument : function.getArguments())
    if (!state.contains(rootOf(function, argument.getArgNumber())))
      data.insert(argument);
  return data;
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// The number of blocks that the annotation of `argument` cuts `dim` into.
static int64_t numBlocks(func::FuncOp function, BlockArgument argument,
                         int64_t dim) {
  ShardingAttr sharding = getSharding(argument);
  if (!sharding)
    return 1;
  MeshOp mesh = lookupMesh(function, sharding.getMesh());
  return sharding.getValue().numShards(dim, mesh.getMesh().getMesh());
}

/// The dimension of `argument` that is rows if it is part of a batch, and the
/// axes that split it.
static std::pair<int64_t, AxisList> rowsOf(BlockArgument argument,
                                           bool asSharded, int64_t otherwise) {
  auto type = cast<RankedTensorType>(argument.getType());
  // What is annotated is meant, also where a mesh has one device along it.
  if (ShardingAttr sharding = getSharding(argument); sharding && asSharded)
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (const AxisList &axes = sharding.getValue().dims[dim].axes;
          !axes.empty())
        return {dim, axes};
  return {otherwise, {}};
}

/// The number of blocks that per-device code cuts `dim` of `argument` into
/// where it takes it.
static int64_t numManualBlocks(BlockArgument argument, int64_t dim) {
  int64_t blocks = 1;
  for (Operation *user : argument.getUsers())
    if (isa<ManualRegionInterface>(user))
      forEachDataFlowEdge(user, [&](OpOperand &source, Value target) {
        if (source.get() == argument)
          blocks = std::lcm(
              blocks,
              cast<RankedTensorType>(argument.getType()).getDimSize(dim) /
                  cast<RankedTensorType>(target.getType()).getDimSize(dim));
      });
  return blocks;
}

static Batch makeBatch(func::FuncOp function, ArrayRef<Batch::Member> members,
                       const DenseSet<Value> &data) {
  Batch batch;
  batch.members.assign(members.begin(), members.end());
  batch.data = data;
  batch.size = cast<RankedTensorType>(members.front().argument.getType())
                   .getDimSize(members.front().dim);
  for (const Batch::Member &member : members) {
    batch.data.insert(member.argument);
    batch.blocks =
        std::lcm(batch.blocks, numManualBlocks(member.argument, member.dim));
    batch.blocks = std::lcm(batch.blocks,
                            numBlocks(function, member.argument, member.dim));
  }
  if (batch.size % batch.blocks != 0)
    batch.blocks = 1;
  return batch;
}

/// Whether something of `size` rows comes out again.
static bool returnsRows(func::FuncOp function, int64_t size) {
  return llvm::any_of(function.getResultTypes(), [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::is_contained(tensor.getShape(), size);
  });
}

/// The dimensions of results of `op` that have what dimension `dim` of operand
/// `number` has, if `op` only copies that operand's elements; nothing if it
/// computes with them. Empty where it cuts the dimension into pieces that are
/// not alike.
static std::optional<SmallVector<std::pair<Value, int64_t>>>
copiesOf(Operation *op, unsigned number, int64_t dim) {
  std::optional<ShardingRule> rule = getShardingRule(op);
  if (!rule)
    return std::nullopt;
  auto passes = [&](FactorId factor) {
    return rule->factors[factor].kind == FactorKind::PassThrough ||
           rule->factors[factor].kind == FactorKind::Reduction;
  };
  SmallVector<std::pair<Value, int64_t>> copies;
  for (FactorId factor : rule->operands[number].dims[dim]) {
    if (!passes(factor))
      continue;
    if (!isa<BroadcastOp, ReshapeOp, TransposeOp, SliceOp, ConstrainOp>(op))
      return std::nullopt;
    for (auto [to, factors] : llvm::enumerate(rule->results[0].dims))
      if (llvm::is_contained(factors, factor))
        copies.push_back({op->getResult(0), int64_t(to)});
  }
  return copies;
}

/// Whether dimension `dim` of `argument` may be rows, all of which are computed
/// in one way: the numbers of a raw random key, each of which plays another
/// part, are not.
static bool mayBeRows(BlockArgument argument, int64_t dim) {
  SmallVector<std::pair<Value, int64_t>> pending = {{argument, dim}};
  DenseSet<std::pair<Value, int64_t>> seen;
  bool isUsed = false;
  while (!pending.empty()) {
    std::pair<Value, int64_t> next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (OpOperand &use : next.first.getUses()) {
      isUsed = true;
      auto copies =
          copiesOf(use.getOwner(), use.getOperandNumber(), next.second);
      if (!copies)
        return true;
      llvm::append_range(pending, *copies);
    }
  }
  return !isUsed;
}

/// Adds the batches of all sizes to `batches`; with `ofOneArgument`, all of
/// those that are part of one argument of the model.
static void addBatches(func::FuncOp function, const DenseSet<Value> &data,
                       bool asSharded, int64_t dim, bool ofOneArgument,
                       SmallVector<Batch> &batches) {
  struct Candidate {
    int64_t size;
    AxisList axes;
    std::string argument;
    SmallVector<Batch::Member> members;
    llvm::StringSet<> roots;
    int64_t bytes = 0;
  };
  SmallVector<Candidate> candidates;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!data.contains(argument) || !type || type.getRank() <= dim)
      continue;
    auto [rows, axes] = rowsOf(argument, asSharded, dim);
    if (!mayBeRows(argument, rows))
      continue;
    int64_t size = type.getDimSize(rows);
    std::string root = rootOf(function, argument.getArgNumber());
    std::string only = ofOneArgument ? root : "";
    auto *candidate = llvm::find_if(candidates, [&, &axes = axes](auto &other) {
      return other.size == size && other.axes == axes && other.argument == only;
    });
    if (candidate == candidates.end()) {
      candidates.push_back({size, axes, only, {}, {}});
      candidate = &candidates.back();
    }
    candidate->members.push_back({argument, rows});
    candidate->roots.insert(root);
    candidate->bytes += type.getNumElements() * type.getElementTypeBitWidth();
  }
  llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
    return std::tuple(a.roots.size(), !a.axes.empty(), a.bytes, a.size) >
           std::tuple(b.roots.size(), !b.axes.empty(), b.bytes, b.size);
  });
  bool hasState = data.size() < function.getNumArguments();
  for (const Candidate &candidate : candidates)
    if (candidate.size > 1 &&
        (hasState || returnsRows(function, candidate.size)))
      batches.push_back(makeBatch(function, candidate.members, data));
}

SmallVector<Batch> tessera::shard::findBatches(func::FuncOp function,
                                               int64_t dim,
                                               bool ofOneArgument) {
  DenseSet<Value> data = findData(function);
  SmallVector<Batch::Member> marked;
  for (BlockArgument argument : function.getArguments())
    if (auto dim = function.getArgAttrOfType<IntegerAttr>(
            argument.getArgNumber(), kBatchAttr))
      marked.push_back({argument, dim.getInt()});
  if (!marked.empty())
    return {makeBatch(function, marked, data)};
  SmallVector<Batch> batches;
  if (dim == 0)
    addBatches(function, data, /*asSharded=*/true, dim, ofOneArgument, batches);
  addBatches(function, data, /*asSharded=*/false, dim, ofOneArgument, batches);
  return batches;
}
