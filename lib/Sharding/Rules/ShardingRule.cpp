//===- ShardingRule.cpp - What an operation does to shardings -------------===//
#include "tessera/Sharding/Rules/ShardingRule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

llvm::StringRef tessera::stringify(FactorKind kind) {
  switch (kind) {
  case FactorKind::PassThrough:
    return "pass_through";
  case FactorKind::Reduction:
    return "reduction";
  case FactorKind::NeedReplication:
    return "need_replication";
  case FactorKind::Permutation:
    return "permutation";
  }
  llvm_unreachable("unknown factor kind");
}

bool TensorFactors::contains(FactorId factor) const {
  return llvm::any_of(
      dims, [&](const auto &dim) { return llvm::is_contained(dim, factor); });
}

llvm::ArrayRef<llvm::SmallVector<unsigned, 2>>
ShardingRule::carried(ReductionKind kind) const {
  switch (kind) {
  case ReductionKind::Sum:
    return linear;
  case ReductionKind::Max:
    return maxima;
  case ReductionKind::Min:
    return minima;
  default:
    return {};
  }
}

bool ShardingRule::carries(
    ReductionKind kind, llvm::function_ref<bool(unsigned)> isUnreduced) const {
  return llvm::any_of(carried(kind), [&](const auto &set) {
    for (unsigned operand = 0; operand < operands.size(); ++operand)
      if (isUnreduced(operand) != llvm::is_contained(set, operand))
        return false;
    return true;
  });
}

/// `i`, `j`, ..., `z`, `z1`, `z2`, ...
static std::string factorName(FactorId factor) {
  constexpr FactorId kLetters = 'z' - 'i' + 1;
  if (factor < kLetters)
    return std::string(1, static_cast<char>('i' + factor));
  return "z" + std::to_string(factor - kLetters + 1);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Why `dim`, of `size` elements, cannot be made of its factors, or an empty
/// string.
static std::string verifyDim(llvm::ArrayRef<FactorId> dim, int64_t size,
                             const ShardingRule &rule) {
  std::string error;
  llvm::raw_string_ostream os(error);
  int64_t product = 1;
  for (FactorId factor : dim) {
    if (factor >= rule.factors.size()) {
      os << "expected one of " << rule.factors.size() << " factors, got number "
         << factor;
      return error;
    }
    product *= rule.factors[factor].size;
  }
  if (dim.size() == 1) {
    FactorKind kind = rule.factors[dim[0]].kind;
    bool exact =
        kind == FactorKind::PassThrough || kind == FactorKind::Reduction;
    if (!exact && size <= product)
      return error;
  }
  if (product != size)
    os << "expected factors of size " << size << ", got " << product;
  return error;
}

std::string ShardingRule::verify(Shapes operandShapes,
                                 Shapes resultShapes) const {
  std::string error;
  llvm::raw_string_ostream os(error);
  if (operands.size() != operandShapes.size() ||
      results.size() != resultShapes.size()) {
    os << "expected " << operandShapes.size() << " operands and "
       << resultShapes.size() << " results, got " << operands.size() << " and "
       << results.size();
    return error;
  }
  for (size_t index = 0; index < numTensors(); ++index) {
    bool isOperand = index < operands.size();
    size_t number = isOperand ? index : index - operands.size();
    llvm::ArrayRef<int64_t> shape =
        isOperand ? operandShapes[number] : resultShapes[number];
    const TensorFactors &factorsOfTensor = tensor(index);
    auto where = [&]() -> llvm::raw_ostream & {
      return os << (isOperand ? "operand " : "result ") << number << ": ";
    };
    if (factorsOfTensor.dims.size() != shape.size()) {
      where() << "expected " << shape.size() << " dimensions, got "
              << factorsOfTensor.dims.size();
      return error;
    }
    llvm::SmallVector<bool> seen(factors.size(), false);
    for (auto [dim, size] : llvm::zip_equal(factorsOfTensor.dims, shape)) {
      if (std::string dimError = verifyDim(dim, size, *this);
          !dimError.empty()) {
        where() << dimError;
        return error;
      }
      for (FactorId factor : dim) {
        if (seen[factor]) {
          where() << "factor " << factorName(factor) << " occurs twice";
          return error;
        }
        seen[factor] = true;
        if (!isOperand && factors[factor].kind == FactorKind::Reduction) {
          where() << "reduction factor " << factorName(factor)
                  << " occurs in a result";
          return error;
        }
      }
    }
  }
  for (ReductionKind kind :
       {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Min})
    for (llvm::ArrayRef<unsigned> set : carried(kind))
      for (unsigned operand : set)
        if (operand >= operands.size()) {
          os << "carries a " << stringify(kind) << " of operand " << operand
             << " of " << operands.size();
          return error;
        }
  return error;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printTensors(llvm::raw_ostream &os,
                         llvm::ArrayRef<TensorFactors> tensors) {
  os << '(';
  llvm::interleave(
      tensors, os,
      [&](const TensorFactors &tensor) {
        os << '[';
        llvm::interleave(
            tensor.dims, os,
            [&](llvm::ArrayRef<FactorId> dim) {
              if (dim.empty())
                os << '1';
              for (FactorId factor : dim)
                os << factorName(factor);
            },
            ",");
        os << ']';
      },
      ",");
  os << ')';
}

void ShardingRule::print(llvm::raw_ostream &os) const {
  printTensors(os, operands);
  os << "->";
  printTensors(os, results);
  os << " {";
  llvm::interleave(
      llvm::enumerate(factors), os,
      [&](auto pair) {
        os << factorName(pair.index()) << '=' << pair.value().size;
      },
      ",");
  os << '}';

  auto printSet = [&](llvm::StringRef title,
                      llvm::function_ref<bool(const Factor &)> isMember) {
    llvm::SmallVector<std::string> names;
    for (auto [index, factor] : llvm::enumerate(factors))
      if (isMember(factor))
        names.push_back(factorName(index));
    if (!names.empty())
      os << ' ' << title << '{' << llvm::join(names, ",") << '}';
  };
  for (int kind = 0; kind <= static_cast<int>(ReductionKind::Xor); ++kind) {
    auto reduction = static_cast<ReductionKind>(kind);
    std::string title = "reduction=";
    if (reduction != ReductionKind::Sum)
      title += stringify(reduction).str();
    printSet(title, [&](const Factor &factor) {
      return factor.kind == FactorKind::Reduction &&
             factor.reduction == reduction;
    });
  }
  for (FactorKind kind : {FactorKind::NeedReplication, FactorKind::Permutation})
    printSet(stringify(kind).str() + "=",
             [&](const Factor &factor) { return factor.kind == kind; });
  printSet("blocked=", [](const Factor &factor) { return factor.blocked; });
  printSet("even=", [](const Factor &factor) { return factor.even; });
  auto printSets = [&](llvm::StringRef title, auto &sets) {
    if (!sets.empty())
      os << ' ' << title << '=';
    for (llvm::ArrayRef<unsigned> set : sets) {
      os << '{';
      llvm::interleave(set, os, ",");
      os << '}';
    }
  };
  printSets("linear", linear);
  printSets("max", maxima);
  printSets("min", minima);
}

llvm::raw_ostream &tessera::operator<<(llvm::raw_ostream &os,
                                       const ShardingRule &rule) {
  rule.print(os);
  return os;
}

//===----------------------------------------------------------------------===//
// ShardingRuleBuilder
//===----------------------------------------------------------------------===//

ShardingRuleBuilder::ShardingRuleBuilder(Shapes operandShapes,
                                         Shapes resultShapes) {
  auto addTensors = [&](Shapes from, llvm::SmallVectorImpl<TensorFactors> &to) {
    for (llvm::ArrayRef<int64_t> shape : from) {
      shapes.emplace_back(shape);
      to.emplace_back().dims.resize(shape.size());
    }
  };
  addTensors(operandShapes, rule.operands);
  addTensors(resultShapes, rule.results);
}

TensorFactors &ShardingRuleBuilder::tensor(size_t index) {
  return index < rule.operands.size()
             ? rule.operands[index]
             : rule.results[index - rule.operands.size()];
}

FactorId ShardingRuleBuilder::addFactor(llvm::ArrayRef<int64_t> operandDims,
                                        llvm::ArrayRef<int64_t> resultDims,
                                        int64_t size, FactorKind kind,
                                        ReductionKind reduction) {
  assert(operandDims.size() == rule.operands.size() && "one per operand");
  assert(resultDims.size() == rule.results.size() && "one per result");
  FactorId factor = rule.factors.size();
  rule.factors.push_back({size, kind, reduction, false});
  for (auto [operand, dim] : llvm::zip_equal(rule.operands, operandDims))
    if (dim != kNone)
      operand.dims[dim].push_back(factor);
  for (auto [result, dim] : llvm::zip_equal(rule.results, resultDims))
    if (dim != kNone)
      result.dims[dim].push_back(factor);
  return factor;
}

void ShardingRuleBuilder::addPointwise(
    llvm::function_ref<FactorKind(int64_t)> kindOf) {
  size_t rank = shapes[rule.results.empty() ? 0 : rule.operands.size()].size();
  for (size_t dim = 0; dim < rank; ++dim) {
    FactorId factor = rule.factors.size();
    int64_t size = 0;
    for (size_t index = 0; index < shapes.size(); ++index) {
      if (shapes[index].size() != rank)
        continue;
      size = std::max(size, shapes[index][dim]);
      tensor(index).dims[dim].push_back(factor);
    }
    FactorKind kind = kindOf ? kindOf(dim) : FactorKind::PassThrough;
    rule.factors.push_back({size, kind, ReductionKind::Sum, false});
  }
}

void ShardingRuleBuilder::addReshape() {
  TensorFactors &in = rule.operands.front(), &out = rule.results.front();
  ReshapeFactors reshape =
      reshapeFactors(shapes.front(), shapes[rule.operands.size()]);
  FactorId first = rule.factors.size();
  llvm::SmallVector<int> sides(reshape.sizes.size(), 0);
  auto addTo = [&](TensorFactors &tensor, const auto &dims) {
    for (auto [dim, factors] : llvm::zip_equal(tensor.dims, dims))
      for (unsigned factor : factors) {
        dim.push_back(first + factor);
        ++sides[factor];
      }
  };
  addTo(in, reshape.inDims);
  addTo(out, reshape.outDims);
  for (auto [size, side] : llvm::zip_equal(reshape.sizes, sides))
    rule.factors.push_back(
        {size,
         side == 2 ? FactorKind::PassThrough : FactorKind::NeedReplication,
         ReductionKind::Sum, false});
}

void ShardingRuleBuilder::addCarried(ReductionKind kind,
                                     llvm::ArrayRef<unsigned> operands) {
  assert((kind == ReductionKind::Sum || kind == ReductionKind::Max ||
          kind == ReductionKind::Min) &&
         "only sums, maxima and minima are carried over");
  auto &sets = kind == ReductionKind::Sum   ? rule.linear
               : kind == ReductionKind::Max ? rule.maxima
                                            : rule.minima;
  sets.emplace_back(operands);
}

void ShardingRuleBuilder::addMovement(llvm::ArrayRef<unsigned> operands) {
  for (ReductionKind kind :
       {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Min})
    addCarried(kind, operands);
}

ShardingRule ShardingRuleBuilder::build() {
  for (size_t index = 0; index < shapes.size(); ++index)
    for (auto [dim, size] : llvm::zip_equal(tensor(index).dims, shapes[index]))
      if (dim.empty() && size != 1) {
        dim.push_back(rule.factors.size());
        rule.factors.push_back(
            {size, FactorKind::NeedReplication, ReductionKind::Sum, false});
      }
  return std::move(rule);
}
