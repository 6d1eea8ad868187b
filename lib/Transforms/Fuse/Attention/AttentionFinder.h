//===- AttentionFinder.h - the search for attention -----------------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONFINDER_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONFINDER_H

#include "Attention/AttentionAlgebra.h"
#include "Attention/AttentionMatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace tessera::fuse {

/// A fill that leaves nothing of a probability next to any score.
inline constexpr double kHiddenScore = -3e4;

/// A side of a matmul by the roles of its dimensions.
struct DotOperand {
  mlir::Value value;
  llvm::ArrayRef<int64_t> batching, contracting;
  llvm::SmallVector<int64_t> free;
};

/// The left (0) or right (1) side of `dot`.
DotOperand getSide(DotGeneralOp dot, unsigned side);

/// A value as a polynomial, and what its dimensions are.
struct Term {
  ScorePolynomial polynomial;
  AxisLayout layout;
};

/// Whether both have the same elements.
bool areSameAxes(llvm::SmallVector<int> a, llvm::SmallVector<int> b);

/// One search (see AttentionMatch.cpp).
class AttentionFinder {
public:
  AttentionFinder(mlir::math::ExpOp exponential, bool splitHeads)
      : exponential(exponential), splitHeads(splitHeads) {}

  AttentionSearch run();
  /// Instead: the matmul of query and key (see findScoreProduct).
  DotGeneralOp findProduct();

private:
  /// How many operations may lie between E and a value that it is combined
  /// with.
  static constexpr unsigned kSteps = 24;
  /// How many operations may follow from E in a row, each of which uses the one
  /// before.
  static constexpr unsigned kUses = 128;

  // Upwards (AttentionSoftmax.cpp).
  bool parseSoftmax();
  bool parseShifted(mlir::arith::SubFOp shifted, ReduceOp maximum);
  bool parseUnshifted(mlir::Value exponent);
  std::optional<AxisLayout> startAt(DotGeneralOp dot);
  AxisDim addHeads(DotGeneralOp dot, unsigned number);
  ReduceOp findMaximum(mlir::Value scores, mlir::Value row);
  void setScores(ScoreExpression scores);
  void startTerms(mlir::Value scores, const AxisLayout &layout,
                  ScorePolynomial exponent);

  // Which axis is which (AttentionMatch.cpp).
  bool assignAxes();
  bool takeMask();

  // Sums of matmuls (AttentionParts.cpp).
  void takeParts();
  std::optional<AttentionMatch::Part> asPart(const ScoreExpression::Bias &bias);
  std::optional<unsigned> findPart(const AxisTensor &tensor, bool isKey);

  // Downwards (AttentionTerms.cpp).
  void follow();
  const Term *evaluate(mlir::Value value, unsigned depth = kSteps);
  void setTerm(mlir::Value value, std::optional<Term> term) {
    terms[value] = term ? std::make_unique<Term>(std::move(*term)) : nullptr;
  }
  std::optional<Term> compute(mlir::Operation *op, mlir::Value value,
                              unsigned depth);
  std::optional<Term> computeElementwise(mlir::Operation *op, unsigned depth);
  std::optional<Term> computeSelect(mlir::arith::SelectOp op, unsigned depth);
  std::optional<Term> computeFunction(mlir::Operation *op, unsigned depth);
  ScorePolynomial maskOf(AxisTensor condition, bool negated);
  AxisLayout unknownLayout(mlir::Value value);
  std::optional<Term> computeMaximum(mlir::Operation *op, unsigned depth);
  std::optional<Term> computeSum(ReduceOp op, unsigned depth);
  std::optional<Term> computeProduct(DotGeneralOp dot, unsigned depth);

  // Outputs that are divided after the product (AttentionOutputs.cpp).
  /// An operand of a matmul: a factor per row times tensor X number
  /// `tensor`.
  struct ScaledTensor {
    ScorePolynomial factor;
    int tensor;
    /// Of the operand.
    AxisLayout layout;
  };
  bool followOutput(DotGeneralOp dot, unsigned side);
  void findUndivided();
  /// The factor c if `term`, which may be null, is c U/L; else 0.
  static double asOutput(const Term *term);
  std::optional<Term> tensorNextTo(const Term &neighbour, mlir::Value value);
  int tensorOf(AxisTensor tensor);
  int tensorOf(int number);
  int productOf(int tensor);
  std::optional<ScaledTensor> asScaled(const ScorePolynomial &polynomial);
  std::optional<ScaledTensor> findScaled(mlir::Value value, unsigned depth);
  std::optional<ScorePolynomial>
  sumOverFeatures(const ScorePolynomial &summand);

  // Numbers per row (AttentionRowValues.cpp).
  static bool isMaximum(const ScorePolynomial &polynomial);
  ScorePolynomial sumOfExponentials() const;
  void findSink();
  std::optional<Term> sinkNextTo(const Term &maximum, mlir::Value value);
  bool takeSink(const ScorePolynomial &exponent);
  bool isOfRows(const AxisLayout &layout) const;
  bool takeRow(mlir::Value value);
  std::optional<AttentionMatch::RowResult::Summand>
  asSummand(const ScorePolynomial::Monomial &monomial, double factor);

  // Matmuls that read terms (AttentionSinks.cpp).
  /// What a matmul reads: a term, with what scales the rows of the other
  /// operand, and that without it.
  struct Sink {
    Term term;
    AxisTensor other;
    /// Of the other operand.
    AxisLayout otherLayout;
  };
  void classify();
  std::optional<Sink> readBy(DotGeneralOp dot, unsigned side);
  bool classifyOne(DotGeneralOp dot, unsigned side, const Sink &sink);
  bool takeOutput(DotGeneralOp dot, unsigned side, const Sink &sink);
  bool takeOverQueries(DotGeneralOp dot, unsigned side, const Sink &sink);
  bool resolveProduct(int number);
  /// The factor c of c E/L times masks, and these.
  struct Probability {
    double factor;
    ScorePolynomial::Monomial masks;
  };
  std::optional<Probability> asProbability(const Term &term) const;
  bool setKeep(const Probability &probability);
  std::optional<std::pair<double, int>>
  asScoreGradient(const Term &term, bool beforeCap = true) const;
  bool takeBias(mlir::OpOperand &use);
  bool takeDivided(mlir::Value value);
  AxisTensor otherOperand(DotGeneralOp dot, unsigned side,
                          const AxisLayout &layout);
  AttentionMatch::Gradient &gradientOf(const AxisTensor &outputGradient);
  AxisLayout resultLayout(DotGeneralOp dot, unsigned side,
                          const AxisLayout &layout,
                          const AxisLayout &otherLayout) const;
  std::optional<AttentionMatch::Result> sumOverGroups(mlir::Value value,
                                                      AxisLayout layout);
  AttentionMatch::Result sumInto(mlir::OpOperand &use, AxisLayout layout);
  bool setValue(const AxisTensor &value);

  // Whether that is attention, and all (AttentionChecks.cpp).
  bool checkUses();
  bool isDead(mlir::Operation *op, unsigned depth);
  bool isDeadYield(mlir::OpOperand &use, unsigned depth);
  bool checkLayouts();

  /// Notes that this is attention but for `op`, the first time; false.
  bool fail(mlir::Operation *op, const llvm::Twine &why);

  mlir::math::ExpOp exponential;
  bool splitHeads;
  AttentionMatch match;
  AttentionSearch result;
  /// The axes that the maximum, or the sum, is taken over.
  llvm::SmallVector<int> softmaxAxes;
  bool masksAreImplied = false;
  /// Whether what scores are reduced by is the maximum of their row.
  bool maximumIsExact = true;
  /// Whether the exponential of `match.sink` is added to the sums.
  bool hasSink = false;
  /// The conditions that masks stand for: first those of scores.
  llvm::SmallVector<ScoreExpression::Condition, 2> masks;
  int scoreMasks = 0;
  /// The masks of the probabilities that are multiplied with values.
  std::optional<ScorePolynomial::Monomial> keep;
  /// What E is e to the power of.
  ScorePolynomial exponent;

  llvm::DenseMap<mlir::Value, std::unique_ptr<Term>> terms;
  /// Matmuls that read a term, with the side that is one.
  llvm::MapVector<mlir::Operation *, unsigned> sinks;
  /// What E is multiplied with, where that is divided by L only later, by which
  /// matmul, and the axes of its features.
  std::optional<AxisTensor> undivided;
  DotGeneralOp undividedDot;
  llvm::SmallVector<int> outputAxes;
  /// Then: a value that is `outputFactor` times U/L, and the tensors X.
  std::optional<AxisTensor> output;
  double outputFactor = 1;
  llvm::SmallVector<AxisTensor> tensors;
  /// A matmul that an atom stands for.
  struct Product {
    /// Null as long as it is only known of what tensor.
    DotGeneralOp dot;
    /// The tensor X that is one of its operands, perhaps scaled; or -1.
    int tensor;
    unsigned tensorSide;
    /// Of its operands, if there is such a tensor.
    AxisLayout layouts[2];
  };
  llvm::SmallVector<Product, 0> products;
  /// The products that sums over the keys of a row are of.
  std::vector<ScorePolynomial::Monomial> rowSums;
  llvm::SmallVector<std::optional<AxisTensor>> productGradients;
  llvm::DenseSet<mlir::Operation *> replaced;
  /// Where terms are read by what is none.
  llvm::SmallVector<mlir::OpOperand *> strangers;
  llvm::DenseMap<mlir::Operation *, bool> dead;
};

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_ATTENTIONFINDER_H
