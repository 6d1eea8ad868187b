//===- VocabularyTerms.cpp - reductions that need no meeting before -------===//

#include "Vocabulary/VocabularyTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Interfaces/IndexingMaps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::stage;

//===----------------------------------------------------------------------===//
// What has the form
//===----------------------------------------------------------------------===//

/// Whether `value` repeats a row along `dim`.
static bool repeatsRow(Value value, int64_t dim) {
  return repeatsAlong(value.getDefiningOp<BroadcastOp>(), dim);
}

/// Whether `value` is a sum of what needs no partials and of rows.
static bool isShifted(const VocabularyLayer &layer, Value value, int64_t dim) {
  if (!layer.isLate(value) || repeatsRow(value, dim))
    return true;
  Operation *op = value.getDefiningOp();
  return isa<arith::AddFOp, arith::SubFOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isShifted(layer, operand, dim);
         });
}

static bool hasTerms(const VocabularyLayer &layer, Value value, int64_t dim) {
  if (!layer.isLate(value) || repeatsRow(value, dim))
    return true;
  Operation *op = value.getDefiningOp();
  if (isa<math::ExpOp>(op))
    return isShifted(layer, op->getOperand(0), dim);
  if (isa<arith::DivFOp>(op))
    return hasTerms(layer, op->getOperand(0), dim) &&
           (!layer.isLate(op->getOperand(1)) ||
            repeatsRow(op->getOperand(1), dim));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return !layer.isLate(select.getCondition()) &&
           select.getCondition().getType() !=
               IntegerType::get(op->getContext(), 1) &&
           hasTerms(layer, select.getTrueValue(), dim) &&
           hasTerms(layer, select.getFalseValue(), dim);
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::ExtFOp, arith::TruncFOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return hasTerms(layer, operand, dim);
         });
}

/// The operand of `op`, which reduces the vocabulary, that depends on partials.
static unsigned lateOperand(const VocabularyLayer &layer, Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (layer.isLate(operand.get()))
      return operand.getOperandNumber();
  return 0;
}

bool EarlyReductions::isPossible(const VocabularyLayer &layer, Value partial) {
  Operation *op = reductionOf(partial);
  ShardingRule rule = *partRule(op);
  FactorId factor = layer.factorOf(op);
  unsigned late = lateOperand(layer, op);
  std::optional<int64_t> dim = dimAt(rule, late, factor);
  if (!dim || llvm::count_if(op->getOperands(), [&](Value operand) {
                return layer.isLate(operand);
              }) > 1)
    return false;
  if (!hasTerms(layer, op->getOperand(late), *dim))
    return false;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKind().getKind() == ReductionKind::Sum &&
           isa<FloatType>(getElementTypeOrSelf(reduce.getType()));
  if (isa<GatherOp>(op) ? late != 0 : !isa<DotGeneralOp>(op))
    return false;
  // A row of the operand is one of the result.
  for (auto [at, factors] : llvm::enumerate(rule.operands[late].dims))
    for (FactorId other : factors)
      if (int64_t(at) != *dim &&
          (factors.size() != 1 || !dimAt(rule, op->getNumOperands(), other)))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Operations with shardings
//===----------------------------------------------------------------------===//

static Value like(Value made, Value model) {
  setSharding(made, getSharding(model));
  return made;
}

template <typename Op>
static Value compute(OpBuilder &builder, Value a, Value b) {
  return like(Op::create(builder, a.getLoc(), a, b), a);
}

template <typename Op> static Value compute(OpBuilder &builder, Value a) {
  return like(Op::create(builder, a.getLoc(), a), a);
}

/// A constant like `model` with `number` everywhere.
static Value filled(OpBuilder &builder, Value model, double number) {
  auto attribute = builder.getFloatAttr(typeOf(model).getElementType(), number);
  return like(arith::ConstantOp::create(
                  builder, model.getLoc(),
                  DenseElementsAttr::get(typeOf(model), attribute)),
              model);
}

/// `value` with elements of the type that those of `type` have.
static Value converted(OpBuilder &builder, Value value, Type type) {
  auto from = cast<FloatType>(typeOf(value).getElementType()),
       to = cast<FloatType>(getElementTypeOrSelf(type));
  if (from == to)
    return value;
  RankedTensorType wanted = typeOf(value).clone(to);
  return like(
      from.getWidth() < to.getWidth()
          ? Value(arith::ExtFOp::create(builder, value.getLoc(), wanted, value))
          : arith::TruncFOp::create(builder, value.getLoc(), wanted, value),
      value);
}

static Value resharded(OpBuilder &builder, Value value, ShardingAttr sharding) {
  if (!sharding || getSharding(value) == sharding)
    return value;
  Value moved = ReshardOp::create(builder, value.getLoc(), value, sharding);
  setSharding(moved, sharding);
  return moved;
}

/// `value` with nothing pending over devices.
static Value resolved(OpBuilder &builder, Value value) {
  ShardingAttr sharding = getSharding(value);
  if (!sharding || sharding.getValue().unreduced.empty())
    return value;
  TensorSharding whole = sharding.getValue();
  whole.unreduced.clear();
  whole.unreducedKind = ReductionKind::Sum;
  return resharded(
      builder, value,
      ShardingAttr::get(sharding.getContext(), sharding.getMesh(), whole));
}

/// `value` reduced over `dims`; pending over the devices that share them out.
static Value reduced(OpBuilder &builder, Value value, ReductionKind kind,
                     ArrayRef<int64_t> dims) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape, kept;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dims, int64_t(dim))) {
      shape.push_back(size);
      kept.push_back(dim);
    }
  auto attribute = ReductionAttr::get(builder.getContext(), kind);
  Value made = ReduceOp::create(builder, value.getLoc(), type.clone(shape),
                                attribute, value, dims);
  ShardingAttr sharding = rearranged(getSharding(value), kept);
  if (sharding) {
    TensorSharding pending = sharding.getValue();
    for (int64_t dim : dims)
      llvm::append_range(pending.unreduced,
                         getSharding(value).getValue().dims[dim].axes);
    if (!pending.unreduced.empty())
      pending.unreducedKind = kind;
    sharding =
        ShardingAttr::get(sharding.getContext(), sharding.getMesh(), pending);
  }
  setSharding(made, sharding);
  return made;
}

static SmallVector<int64_t> dimsBut(int64_t rank, int64_t dim) {
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim)
      dims.push_back(i);
  return dims;
}

/// `row`, repeated for every element of a tensor of `type` and `sharding`: its
/// dimension i is `dims[i]` there.
static Value repeated(OpBuilder &builder, Value row, ArrayRef<int64_t> dims,
                      RankedTensorType type, ShardingAttr sharding) {
  row = resharded(builder, row, rearranged(sharding, dims));
  RankedTensorType wanted = type.clone(typeOf(row).getElementType());
  if (row.getType() == wanted && llvm::is_sorted(dims))
    return row;
  Value made = BroadcastOp::create(builder, row.getLoc(), wanted, row,
                                   builder.getDenseI64ArrayAttr(dims));
  setSharding(made, sharding);
  return made;
}

/// The row that `broadcast` repeats along `dim`, with all other dimensions of
/// its result; `row` stands for its operand.
static Value wholeRow(OpBuilder &builder, BroadcastOp broadcast, Value row,
                      int64_t dim) {
  RankedTensorType type = broadcast.getType();
  SmallVector<int64_t> dims(broadcast.getDims());
  SmallVector<int64_t> others = dimsBut(type.getRank(), dim);
  if (auto at = llvm::find(dims, dim); at != dims.end()) {
    int64_t dropped = at - dims.begin();
    SmallVector<int64_t> kept = dimsBut(dims.size(), dropped);
    SmallVector<int64_t> shape(typeOf(row).getShape());
    shape.erase(shape.begin() + dropped);
    dims.erase(at);
    Value smaller =
        ReshapeOp::create(builder, row.getLoc(), typeOf(row).clone(shape), row);
    setSharding(smaller, rearranged(getSharding(row), kept));
    row = smaller;
  }
  for (int64_t &at : dims)
    at -= at > dim;
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  ShardingAttr sharding =
      rearranged(getSharding(broadcast.getResult()), others);
  bool isWhole =
      typeOf(row).getShape() == ArrayRef(shape) && llvm::is_sorted(dims);
  if (isWhole)
    return resharded(builder, row, sharding);
  Value made =
      BroadcastOp::create(builder, row.getLoc(), typeOf(row).clone(shape), row,
                          builder.getDenseI64ArrayAttr(dims));
  setSharding(made, sharding);
  return made;
}

/// `row` for every element of something like `model`; its dimension i is
/// `dims[i]` there, or has size 1 and is none for -1.
static Value spread(OpBuilder &builder, Value row, ArrayRef<int64_t> dims,
                    Value model) {
  SmallVector<int64_t> kept, to, shape;
  for (auto [at, dim] : llvm::enumerate(dims))
    if (dim >= 0) {
      kept.push_back(at);
      to.push_back(dim);
      shape.push_back(typeOf(row).getDimSize(at));
    }
  if (kept.size() != dims.size()) {
    Value smaller =
        ReshapeOp::create(builder, row.getLoc(), typeOf(row).clone(shape), row);
    setSharding(smaller, rearranged(getSharding(row), kept));
    row = smaller;
  }
  return repeated(builder, row, to, typeOf(model), getSharding(model));
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// `exponents` have one base and rows; the exponential of the base is shifted
/// by its largest elements, which come back in the coefficient.
EarlyReductions::Term EarlyReductions::exponential(Operation *op, int64_t dim,
                                                   const Terms &exponents,
                                                   VocabularyPart &rank,
                                                   RowSite &site) {
  Value base, shift;
  for (const Term &term : exponents)
    if (term.base)
      base = base ? compute<arith::AddFOp>(rank.builder, base, term.base)
                  : term.base;
    else
      shift =
          shift ? compute<arith::AddFOp>(site.builder, shift, term.coefficient)
                : term.coefficient;
  auto &[largest, shifted] = exponentials[base];
  OpBuilder &b = rank.builder;
  if (!largest) {
    Value maximum = resolved(b, reduced(b, base, ReductionKind::Max, {dim}));
    // Where a part has nothing but minus infinity.
    auto element = cast<FloatType>(typeOf(maximum).getElementType());
    Value lowest = filled(
        b, maximum,
        APFloat::getLargest(element.getFloatSemantics(), /*Negative=*/true)
            .convertToDouble());
    largest = compute<arith::MaximumFOp>(b, maximum, lowest);
    SmallVector<int64_t> dims = dimsBut(typeOf(base).getRank(), dim);
    Value everywhere =
        repeated(b, largest, dims, typeOf(base), getSharding(base));
    shifted =
        compute<math::ExpOp>(b, compute<arith::SubFOp>(b, base, everywhere));
  }
  Value exponent =
      shift ? compute<arith::AddFOp>(site.builder, shift, largest) : largest;
  return {compute<math::ExpOp>(site.builder, exponent), shifted};
}

EarlyReductions::Terms EarlyReductions::product(const Terms &a, const Terms &b,
                                                VocabularyPart &rank,
                                                RowSite &site) {
  auto times = [](OpBuilder &builder, Value x, Value y) {
    return !x || !y ? (x ? x : y) : compute<arith::MulFOp>(builder, x, y);
  };
  Terms terms;
  for (const Term &x : a)
    for (const Term &y : b)
      terms.push_back({times(site.builder, x.coefficient, y.coefficient),
                       times(rank.builder, x.base, y.base)});
  return terms;
}

/// The terms of `value`, which is `a` divided by the term `b`.
EarlyReductions::Terms EarlyReductions::quotient(Terms a, const Term &b,
                                                 Value value, int64_t dim,
                                                 VocabularyPart &rank,
                                                 RowSite &site) {
  for (Term &term : a) {
    if (b.base) {
      Value base = term.base ? term.base : rank.ones(value, dim);
      term.base = compute<arith::DivFOp>(rank.builder, base, b.base);
      continue;
    }
    if (!term.coefficient)
      term.coefficient = filled(site.builder, b.coefficient, 1);
    term.coefficient =
        compute<arith::DivFOp>(site.builder, term.coefficient, b.coefficient);
  }
  return a;
}

/// `terms`, with zeros but where the condition of `select` is `where`.
EarlyReductions::Terms EarlyReductions::masked(arith::SelectOp select,
                                               Terms terms, bool where,
                                               int64_t dim,
                                               VocabularyPart &rank) {
  Value mask = rank.part(select.getCondition(), dim);
  for (Term &term : terms) {
    Value base = term.base ? term.base : rank.ones(select.getResult(), dim);
    Value zero = filled(rank.builder, base, 0);
    term.base =
        arith::SelectOp::create(rank.builder, select.getLoc(), mask,
                                where ? base : zero, where ? zero : base);
    setSharding(term.base, getSharding(base));
  }
  return terms;
}

/// Writes `value` as a sum of terms, each a coefficient for every row times a
/// base that needs no late row. `rank` computes the parts of the vocabulary,
/// `site` the rows; `dim` is the dimension of the vocabulary. Follows
/// exponentials, sums, products, quotients, negation, selections and
/// conversions.
EarlyReductions::Terms EarlyReductions::termsOf(Value value, int64_t dim,
                                                VocabularyPart &rank,
                                                RowSite &site) {
  if (!layer.isLate(value))
    return {{Value(), rank.part(value, dim)}};
  if (repeatsRow(value, dim)) {
    auto broadcast = value.getDefiningOp<BroadcastOp>();
    return {{wholeRow(site.builder, broadcast, site.row(broadcast.getOperand()),
                      dim),
             Value()}};
  }
  Operation *op = value.getDefiningOp();
  auto of = [&](unsigned operand) {
    return termsOf(op->getOperand(operand), dim, rank, site);
  };
  // Changes the coefficient, or the base where that is 1.
  auto negated = [&](Terms terms) {
    for (Term &term : terms)
      if (term.coefficient)
        term.coefficient =
            compute<arith::NegFOp>(site.builder, term.coefficient);
      else
        term.base = compute<arith::NegFOp>(rank.builder, term.base);
    return terms;
  };
  // Rows are added up.
  auto sum = [&](Terms a, const Terms &b) {
    for (const Term &term : b) {
      auto same = llvm::find_if(
          a, [&](const Term &other) { return !other.base && !term.base; });
      if (same == a.end())
        a.push_back(term);
      else
        same->coefficient = compute<arith::AddFOp>(
            site.builder, same->coefficient, term.coefficient);
    }
    return a;
  };
  if (isa<math::ExpOp>(op))
    return {exponential(op, dim, of(0), rank, site)};
  if (isa<arith::AddFOp>(op))
    return sum(of(0), of(1));
  if (isa<arith::SubFOp>(op))
    return sum(of(0), negated(of(1)));
  if (isa<arith::NegFOp>(op))
    return negated(of(0));
  if (isa<arith::MulFOp>(op))
    return product(of(0), of(1), rank, site);
  if (isa<arith::DivFOp>(op))
    return quotient(of(0), of(1).front(), value, dim, rank, site);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return sum(masked(select, of(1), /*where=*/true, dim, rank),
               masked(select, of(2), /*where=*/false, dim, rank));
  Terms terms = of(0);
  for (Term &term : terms) {
    if (term.coefficient)
      term.coefficient =
          converted(site.builder, term.coefficient, value.getType());
    if (term.base)
      term.base = converted(rank.builder, term.base, value.getType());
  }
  return terms;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// What `op` gives of `base` as its operand number `operand`, over the
/// vocabulary only.
Value EarlyReductions::contribution(Operation *op, unsigned operand,
                                    int64_t dim, Value base,
                                    VocabularyPart &rank) {
  if (isa<ReduceOp>(op))
    return resolved(rank.builder,
                    reduced(rank.builder, base, ReductionKind::Sum, {dim}));
  ShardingRule rule = *partRule(op);
  FactorId factor = layer.factorOf(op);
  SmallVector<Value> operands;
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    std::optional<int64_t> at = dimAt(rule, number, factor);
    operands.push_back(number == operand ? base
                       : at              ? rank.part(value, *at)
                                         : rank.row(value));
  }
  return resolved(rank.builder,
                  rank.apply(op, operands, op->getResult(0).getType()));
}

Value EarlyReductions::combine(Value partial, RowSite &site) {
  Operation *op = reductionOf(partial);
  ShardingRule rule = *partRule(op);
  unsigned late = lateOperand(layer, op);
  Value reducedValue = op->getOperand(late);
  int64_t dim = *dimAt(rule, late, layer.factorOf(op));
  SmallVector<int64_t> rowDims;
  for (int64_t at : dimsBut(typeOf(reducedValue).getRank(), dim)) {
    std::optional<int64_t> to;
    if (!rule.operands[late].dims[at].empty())
      to = dimAt(rule, op->getNumOperands(),
                 rule.operands[late].dims[at].front());
    rowDims.push_back(to.value_or(-1));
  }
  Value total;
  for (VocabularyPart *rank : ranks)
    for (const Term &term : termsOf(reducedValue, dim, *rank, site)) {
      Value base = term.base ? term.base : rank->ones(reducedValue, dim);
      Value part = contribution(op, late, dim, base, *rank);
      if (term.coefficient) {
        Value number =
            converted(site.builder, term.coefficient, part.getType());
        if (!isa<ReduceOp>(op))
          number = spread(site.builder, number, rowDims, part);
        else
          number = resharded(site.builder, number, getSharding(part));
        part = compute<arith::MulFOp>(site.builder, part, number);
      }
      total = total ? compute<arith::AddFOp>(site.builder, total, part) : part;
    }
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    SmallVector<int64_t> others;
    for (int64_t at : reduce.getDims())
      if (at != dim)
        others.push_back(at - (at > dim));
    if (!others.empty())
      total = reduced(site.builder, total, ReductionKind::Sum, others);
  }
  return resharded(site.builder, total, getSharding(partial));
}
