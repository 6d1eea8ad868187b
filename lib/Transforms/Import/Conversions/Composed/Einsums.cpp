//===- Einsums.cpp - sums of products by letters --------------------------===//
//
// `ab,bc->ac`: a letter that only one operand has and the result lacks is
// summed over first; then one matmul, and a transpose into the order that
// is asked for.
//
//===----------------------------------------------------------------------===//

#include "Conversions/Conversion.h"

#include "tessera/Dialect/Tessera/TensorTypes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::importer;

namespace {
/// A tensor and the letters of its dimensions.
struct Lettered {
  Value value;
  std::string letters;
};
} // namespace

/// `x` summed over the dimensions whose letters are not among `kept`.
static Lettered sumOthers(Lettered x, StringRef kept, Conversion &c) {
  RankedTensorType type = typeOf(x.value);
  Lettered sum;
  SmallVector<int64_t> dims, shape;
  for (auto [dim, letter] : llvm::enumerate(x.letters)) {
    if (!kept.contains(letter)) {
      dims.push_back(dim);
      continue;
    }
    sum.letters += letter;
    shape.push_back(type.getDimSize(dim));
  }
  if (dims.empty())
    return x;
  auto kind = ReductionAttr::get(c.builder.getContext(), ReductionKind::Sum);
  sum.value =
      ReduceOp::create(c.builder, type.clone(shape), kind, x.value, dims);
  return sum;
}

/// `x` with its dimensions in the order of `letters`, which are the same ones.
static Value inOrder(const Lettered &x, StringRef letters, Conversion &c) {
  if (x.letters == letters)
    return x.value;
  RankedTensorType type = typeOf(x.value);
  SmallVector<int64_t> permutation, shape;
  for (char letter : letters) {
    permutation.push_back(StringRef(x.letters).find(letter));
    shape.push_back(type.getDimSize(permutation.back()));
  }
  return TransposeOp::create(c.builder, type.clone(shape), x.value,
                             permutation);
}

/// The letters that both have and the result keeps, then those of the left,
/// then those of the right.
static Lettered contract(const Lettered &lhs, const Lettered &rhs,
                         StringRef kept, Conversion &c) {
  DotDims dims;
  Lettered product;
  std::string free;
  SmallVector<int64_t> shape, freeShape;
  for (auto [i, letter] : llvm::enumerate(lhs.letters)) {
    size_t j = StringRef(rhs.letters).find(letter);
    int64_t size = typeOf(lhs.value).getDimSize(i);
    if (j == StringRef::npos) {
      free += letter;
      freeShape.push_back(size);
    } else if (kept.contains(letter)) {
      dims.lhsBatching.push_back(i);
      dims.rhsBatching.push_back(j);
      product.letters += letter;
      shape.push_back(size);
    } else {
      dims.lhsContracting.push_back(i);
      dims.rhsContracting.push_back(j);
    }
  }
  for (auto [j, letter] : llvm::enumerate(rhs.letters))
    if (!StringRef(lhs.letters).contains(letter)) {
      free += letter;
      freeShape.push_back(typeOf(rhs.value).getDimSize(j));
    }
  product.letters += free;
  shape.append(freeShape);
  product.value =
      DotGeneralOp::create(c.builder, typeOf(lhs.value).clone(shape), lhs.value,
                           rhs.value, dims.lhsBatching, dims.rhsBatching,
                           dims.lhsContracting, dims.rhsContracting);
  return product;
}

/// Whether `letters` name the dimensions of a tensor of rank `rank`, each once.
static bool fits(StringRef letters, int64_t rank) {
  if (int64_t(letters.size()) != rank || !llvm::all_of(letters, llvm::isAlpha))
    return false;
  llvm::DenseSet<char> seen(letters.begin(), letters.end());
  return seen.size() == letters.size();
}

/// `stablehlo.einsum` and `stablehlo.unary_einsum`.
static LogicalResult convertEinsum(Operation *op, ValueRange operands,
                                   Conversion &c,
                                   SmallVectorImpl<Value> &results) {
  auto config = op->getAttrOfType<StringAttr>("einsum_config");
  RankedTensorType type =
      c.convertType(op->getResult(0).getType(), op->getLoc());
  if (!type)
    return failure();
  auto [inputs, output] = (config ? config.getValue() : "").split("->");
  SmallVector<StringRef> letters;
  inputs.split(letters, ',');
  bool isFitting = letters.size() == operands.size() &&
                   fits(output, type.getRank()) &&
                   elementKind(op->getResult(0).getType()) != ElementKind::Bool;
  // The size of every letter; of the result's, one of an operand.
  llvm::DenseMap<char, int64_t> sizes;
  auto agrees = [&](StringRef word, RankedTensorType of) {
    return llvm::all_of_zip(word, of.getShape(), [&](char letter, int64_t n) {
      return sizes.try_emplace(letter, n).first->second == n;
    });
  };
  for (auto [word, operand] : llvm::zip(letters, operands))
    isFitting = isFitting && fits(word, typeOf(operand).getRank()) &&
                agrees(word, typeOf(operand)) &&
                typeOf(operand).getElementType() == type.getElementType();
  isFitting = isFitting && llvm::all_of(output, [&](char letter) {
                return inputs.contains(letter);
              });
  if (!isFitting || !agrees(output, type))
    return emitError(op->getLoc())
           << "unsupported '" << op->getName()
           << "': expected a letter per dimension of numbers, each once per "
              "operand, as ab,bc->ac, got "
           << (config ? config.getValue() : "none");
  Lettered lhs = {operands[0], letters[0].str()};
  if (operands.size() == 1) {
    results.push_back(inOrder(sumOthers(lhs, output, c), output, c));
    return success();
  }
  Lettered rhs = {operands[1], letters[1].str()};
  lhs = sumOthers(lhs, (output + rhs.letters).str(), c);
  rhs = sumOthers(rhs, (output + lhs.letters).str(), c);
  results.push_back(inOrder(contract(lhs, rhs, output, c), output, c));
  return success();
}

void tessera::importer::addEinsums(ConversionTable &table) {
  static constexpr StringLiteral kEinsum[] = {"einsum_config",
                                              "precision_config"};
  static const OpConversion rows[] = {
      {"stablehlo.einsum", convertEinsum, 2, 1, 0, kEinsum},
      {"stablehlo.unary_einsum", convertEinsum, 1, 1, 0, kEinsum},
  };
  addRows(table, rows);
}
