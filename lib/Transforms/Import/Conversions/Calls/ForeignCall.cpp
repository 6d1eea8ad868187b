//===- ForeignCall.cpp - what a foreign call says of its routine ----------===//
//
// `sdy.sharding_rule` is
//
//   op_sharding_rule<([i, j, k], [i, l])->([i, jk]) {i=4, ...} reduction={l},
//                    custom>
//
//===----------------------------------------------------------------------===//

#include "Conversions/Calls/ForeignCall.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera::importer;

namespace {

/// The dimensions of one array, each the text of its factors.
using Dims = SmallVector<StringRef>;

/// A rule, in texts.
struct RuleText {
  SmallVector<Dims> arrays;
  llvm::StringSet<> reduction, replicated;
};

} // namespace

/// The texts between commas.
static SmallVector<StringRef> splitList(StringRef text) {
  SmallVector<StringRef> parts;
  if (text.trim().empty())
    return parts;
  text.split(parts, ',');
  for (StringRef &part : parts)
    part = part.trim();
  return parts;
}

/// Whether `symbol` is one factor: `i`, `z_12`.
static bool isOneFactor(StringRef symbol) {
  if (symbol.empty() || !llvm::isAlpha(symbol.front()))
    return false;
  StringRef rest = symbol.drop_front();
  return rest.empty() || (rest.consume_front("_") && !rest.empty() &&
                          llvm::all_of(rest, llvm::isDigit));
}

static RuleText parseRule(StringRef text) {
  RuleText rule;
  auto [lists, rest] = text.split('{');
  for (size_t open = lists.find('['); open != StringRef::npos;
       open = lists.find('[')) {
    size_t close = lists.find(']', open);
    rule.arrays.push_back(splitList(lists.slice(open + 1, close)));
    lists = lists.drop_front(std::min(close, lists.size()));
  }
  auto readSet = [&](StringRef name, llvm::StringSet<> &set) {
    size_t at = rest.find((name + "={").str());
    if (at == StringRef::npos)
      return;
    StringRef members = rest.drop_front(at + name.size() + 2);
    for (StringRef member :
         splitList(members.take_until([](char c) { return c == '}'; })))
      set.insert(member);
  };
  readSet("reduction", rule.reduction);
  readSet("need_replication", rule.replicated);
  readSet("permutation", rule.replicated);
  return rule;
}

/// The factors of arrays whose first dimensions are a batch.
static CallFactors leadingFactors(Operation *op, ArrayRef<Type> types,
                                  size_t inputs) {
  CallFactors factors;
  int64_t batch = 0;
  if (auto frontend =
          op->getAttrOfType<DictionaryAttr>("mhlo.frontend_attributes"))
    if (auto count = frontend.getAs<StringAttr>("num_batch_dims"))
      (void)count.getValue().getAsInteger(10, batch);
  bool hasBoth = inputs > 0 && inputs < types.size();
  for (Type type : types) {
    int64_t rank = cast<RankedTensorType>(type).getRank();
    auto &own = factors.ofArrays.emplace_back(rank, -1);
    for (int64_t dim = 0; hasBoth && dim < std::min(rank, batch); ++dim)
      own[dim] = dim;
  }
  return factors;
}

FailureOr<CallFactors> tessera::importer::readFactors(Operation *op,
                                                      ArrayRef<Type> types,
                                                      size_t inputs) {
  auto attribute = op->getAttrOfType<OpaqueAttr>("sdy.sharding_rule");
  if (!attribute)
    return leadingFactors(op, types, inputs);
  RuleText rule = parseRule(attribute.getAttrData());
  bool fits = rule.arrays.size() == types.size();
  for (size_t i = 0; fits && i < types.size(); ++i)
    fits = int64_t(rule.arrays[i].size()) ==
           cast<RankedTensorType>(types[i]).getRank();
  if (!fits)
    return emitError(op->getLoc())
           << "expected a sharding rule with the dimensions of all arrays, got "
           << attribute.getAttrData();
  // What is in results only, or in operands only and not summed, is whole.
  llvm::StringSet<> inOperands, inResults;
  for (auto [i, dims] : llvm::enumerate(rule.arrays))
    for (StringRef dim : dims)
      (i < inputs ? inOperands : inResults).insert(dim);
  CallFactors factors;
  llvm::MapVector<StringRef, int64_t> numbers;
  for (const Dims &dims : rule.arrays) {
    auto &own = factors.ofArrays.emplace_back();
    for (StringRef dim : dims) {
      bool isSummed = rule.reduction.contains(dim) && !inResults.contains(dim);
      bool maySplit = isOneFactor(dim) && !rule.replicated.contains(dim) &&
                      inOperands.contains(dim) &&
                      (isSummed || inResults.contains(dim)) &&
                      llvm::count(dims, dim) == 1;
      if (!maySplit) {
        own.push_back(-1);
        continue;
      }
      auto [entry, isNew] = numbers.insert({dim, numbers.size()});
      own.push_back(entry->second);
      if (isNew && isSummed)
        factors.summed.push_back(entry->second);
    }
  }
  return factors;
}

/// The number behind `name = ` in `text`, or behind the bracket there.
static std::optional<unsigned> numberAfter(StringRef text, StringRef name) {
  size_t at = text.find(name);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef rest = text.drop_front(at + name.size()).ltrim(" =[");
  unsigned value;
  if (rest.consumeInteger(10, value))
    return std::nullopt;
  return value;
}

/// A call of one result has no tuple to say the place in.
SmallVector<std::pair<unsigned, unsigned>>
tessera::importer::readAliases(Operation *op) {
  SmallVector<std::pair<unsigned, unsigned>> aliases;
  auto list = op->getAttrOfType<ArrayAttr>("output_operand_aliases");
  for (Attribute attribute : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto alias = dyn_cast<OpaqueAttr>(attribute);
    StringRef text = alias ? alias.getAttrData() : "";
    auto operand = numberAfter(text, "operand_index");
    auto result = numberAfter(text, "output_tuple_indices");
    if (operand)
      aliases.push_back({result.value_or(0), *operand});
  }
  return aliases;
}
