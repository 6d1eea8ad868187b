//===- Attention.cpp - attention and its gradient -------------------------===//
//
// One row of scores at a time, in double; what is stored is rounded once.
//
//===----------------------------------------------------------------------===//

#include "ElementAccess.h"
#include "OperationTable.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tessera;

namespace {

/// The elements of a tensor as numbers.
struct Numbers {
  explicit Numbers(const HostTensor &tensor) : shape(tensor.shape()) {
    elements.resize(tensor.elementCount());
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = tensor.toDouble(i);
  }

  /// Where row `i` of head `h` begins.
  double *row(int64_t b, int64_t h, int64_t i) {
    return &elements[((b * shape[1] + h) * shape[2] + i) * shape[3]];
  }
  const double *row(int64_t b, int64_t h, int64_t i) const {
    return const_cast<Numbers *>(this)->row(b, h, i);
  }

  /// The element at given indices among the scores; dimensions of size 1 are
  /// repeated.
  double &repeated(std::array<int64_t, 4> at) {
    for (size_t dim = 0; dim < 4; ++dim)
      if (shape[dim] == 1)
        at[dim] = 0;
    return row(at[0], at[1], at[2])[at[3]];
  }
  double repeated(std::array<int64_t, 4> at) const {
    return const_cast<Numbers *>(this)->repeated(at);
  }

  HostTensor toTensor(HostTensor result) const {
    for (size_t i = 0; i < elements.size(); ++i)
      result.setFromDouble(i, elements[i]);
    return result;
  }

  Shape shape;
  std::vector<double> elements;
};

/// The scores of an operation on attention.
template <typename Op> class Scores {
public:
  Scores(Invocation &in, Op op)
      : query(operand(in, op.getQueryMutable())),
        key(operand(in, op.getKeyMutable())),
        value(operand(in, op.getValueMutable())) {
    for (OpOperand &bias : op.getBiasesMutable())
      biases.emplace_back(operand(in, bias));
    if (op.getMask())
      mask.emplace(operand(in, *op.getMaskMutable().begin()));
    if (op.getKeep()) {
      keep.emplace(operand(in, *op.getKeepMutable().begin()));
      keepScale = op.getKeepScale()->convertToDouble();
    }
    if (op.getSoftcap())
      softcap = op.getSoftcap()->convertToDouble();
    fill = op.getFill() ? op.getFill()->convertToDouble()
                        : -std::numeric_limits<double>::infinity();
    // As what it is compared with is stored.
    if (!getElementTypeOrSelf(op.getMaximum()).isF64())
      fill = static_cast<float>(fill);
    scale = op.getScale().convertToDouble();
    if (op.getCausal())
      causal = int64_t(*op.getCausal());
  }

  static Numbers operand(Invocation &in, OpOperand &operand) {
    return Numbers(in.operand(operand.getOperandNumber()));
  }

  int64_t queries() const { return query.shape[2]; }
  int64_t keys() const { return key.shape[2]; }
  int64_t features() const { return query.shape[3]; }
  int64_t valueFeatures() const { return value.shape[3]; }
  int64_t keyHead(int64_t head) const {
    return head / (query.shape[1] / key.shape[1]);
  }

  bool isVisible(int64_t b, int64_t h, int64_t i, int64_t j) const {
    return (!mask || mask->repeated({b, h, i, j}) != 0) &&
           (!causal || j <= i + *causal);
  }

  /// The scaled product of query `i` and key `j`.
  double product(int64_t b, int64_t h, int64_t i, int64_t j) const {
    return scale *
           dot(query.row(b, h, i), key.row(b, keyHead(h), j), features());
  }

  /// The scores of query `i`.
  std::vector<double> row(int64_t b, int64_t h, int64_t i) const {
    std::vector<double> scores(keys(), fill);
    for (int64_t j = 0; j < keys(); ++j) {
      if (!isVisible(b, h, i, j))
        continue;
      double score = product(b, h, i, j);
      scores[j] = softcap ? *softcap * std::tanh(score / *softcap) : score;
      for (const Numbers &bias : biases)
        scores[j] += bias.repeated({b, h, i, j});
    }
    return scores;
  }

  /// What a score changes by when the product of query and key does.
  double slope(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (!softcap)
      return 1;
    double capped = std::tanh(product(b, h, i, j) / *softcap);
    return 1 - capped * capped;
  }

  /// What a probability is multiplied with before values are.
  double kept(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (!keep)
      return 1;
    return keep->repeated({b, h, i, j}) != 0 ? keepScale : 0;
  }

  /// Calls `body` with the batch, head and number of every row of scores.
  template <typename Body> void forEachRow(Body body) const {
    for (int64_t b = 0; b < query.shape[0]; ++b)
      for (int64_t h = 0; h < query.shape[1]; ++h)
        for (int64_t i = 0; i < queries(); ++i)
          body(b, h, i);
  }

  static double dot(const double *a, const double *b, int64_t size) {
    double sum = 0;
    for (int64_t i = 0; i < size; ++i)
      sum += a[i] * b[i];
    return sum;
  }
  /// to += factor * from.
  static void addScaled(double *to, double factor, const double *from,
                        int64_t size) {
    for (int64_t i = 0; i < size; ++i)
      to[i] += factor * from[i];
  }

  Numbers query, key, value;
  std::vector<Numbers> biases;
  std::optional<Numbers> mask, keep;
  double scale, fill, keepScale = 1;
  std::optional<double> softcap;
  std::optional<int64_t> causal;
};

} // namespace

static LogicalResult attention(Invocation &in) {
  Scores<AttentionOp> scores(in, cast<AttentionOp>(in.op));
  Numbers output(in.makeResult(0)), maximum(in.makeResult(1)),
      sum(in.makeResult(2));
  int64_t number = 0;
  scores.forEachRow([&](int64_t b, int64_t h, int64_t i) {
    std::vector<double> row = scores.row(b, h, i);
    double largest = -std::numeric_limits<double>::infinity(), total = 0;
    for (double score : row)
      largest = std::max(largest, score);
    double shift = std::max(largest, std::numeric_limits<double>::lowest());
    for (double &score : row)
      total += score = std::exp(score - shift);
    for (int64_t j = 0; total != 0 && j < scores.keys(); ++j)
      scores.addScaled(
          output.row(b, h, i), row[j] / total * scores.kept(b, h, i, j),
          scores.value.row(b, scores.keyHead(h), j), scores.valueFeatures());
    maximum.elements[number] = largest;
    sum.elements[number++] = total;
  });
  (void)in.give(output.toTensor(in.makeResult(0)));
  (void)in.give(maximum.toTensor(in.makeResult(1)));
  return in.give(sum.toTensor(in.makeResult(2)));
}

/// Computes the gradients of query, key, value and bias row by row from the
/// forward pass's output, maximum and sum, as FlashAttention does:
/// probabilities are made again, and sum(p * dp) is the product of output and
/// its gradient. A row without visible keys (sum 0) has none.
static LogicalResult attentionGradient(Invocation &in) {
  auto op = cast<AttentionGradientOp>(in.op);
  Scores<AttentionGradientOp> scores(in, op);
  Numbers output = scores.operand(in, op.getOutputMutable()),
          maximum = scores.operand(in, op.getMaximumMutable()),
          sum = scores.operand(in, op.getSumMutable()),
          gradient = scores.operand(in, op.getOutputGradientMutable());
  Numbers dQuery(in.makeResult(0)), dKey(in.makeResult(1)),
      dValue(in.makeResult(2));
  std::optional<Numbers> dBias;
  if (op.getBiasGradient())
    dBias.emplace(in.makeResult(3));
  int64_t number = 0, width = scores.valueFeatures();
  scores.forEachRow([&](int64_t b, int64_t h, int64_t i) {
    int64_t keyHead = scores.keyHead(h);
    const double *dOutput = gradient.row(b, h, i);
    double delta = scores.dot(output.row(b, h, i), dOutput, width);
    std::vector<double> row = scores.row(b, h, i);
    for (int64_t j = 0; sum.elements[number] != 0 && j < scores.keys(); ++j) {
      double p =
          std::exp(row[j] - maximum.elements[number]) / sum.elements[number];
      double kept = scores.kept(b, h, i, j);
      scores.addScaled(dValue.row(b, keyHead, j), p * kept, dOutput, width);
      if (!scores.isVisible(b, h, i, j))
        continue;
      double dScore =
          p *
          (kept * scores.dot(dOutput, scores.value.row(b, keyHead, j), width) -
           delta);
      if (dBias)
        dBias->repeated({b, h, i, j}) += dScore;
      double dProduct = scores.scale * scores.slope(b, h, i, j) * dScore;
      scores.addScaled(dQuery.row(b, h, i), dProduct,
                       scores.key.row(b, keyHead, j), scores.features());
      scores.addScaled(dKey.row(b, keyHead, j), dProduct,
                       scores.query.row(b, h, i), scores.features());
    }
    ++number;
  });
  (void)in.give(dQuery.toTensor(in.makeResult(0)));
  (void)in.give(dKey.toTensor(in.makeResult(1)));
  LogicalResult given = in.give(dValue.toTensor(in.makeResult(2)));
  return dBias ? in.give(dBias->toTensor(in.makeResult(3))) : given;
}

void tessera::addAttention(OperationTable &table) {
  table.add("tessera.attention", attention);
  table.add("tessera.attention_gradient", attentionGradient);
}
