//===- CheckPhases.cpp - does a phase keep the model's meaning? -----------===//

#include "CheckPhases.h"

#include "tessera/Dialect/Tessera/ChangedMathematics.h"
#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Support/TensorComparison.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tessera;

/// Phases may sum in another order, on other devices; what they compute must
/// agree up to this part of a result's largest magnitude.
static constexpr Tolerance kTolerance{1e-4, 0};

/// What a phase that changes the mathematics may add: what is quantized to 8
/// bits is off by 1/254 of the largest around it, twice in a sum.
static constexpr Tolerance kChangedTolerance{5e-2, 0};

/// How many sentences say what `module` computes otherwise than the model.
static size_t countChanges(ModuleOp module) {
  auto changes = module->getAttrOfType<ArrayAttr>(kMathematicsAttr);
  return changes ? changes.size() : 0;
}

namespace {

/// The result that differs most, relative to what is allowed.
struct Worst {
  size_t result = 0;
  TensorDifference difference;
  bool within = true;
};

} // namespace

/// Compares all results; `got` has as many as `expected`, or more.
static Worst findWorst(const std::vector<HostTensor> &got,
                       const std::vector<HostTensor> &expected,
                       const Tolerance &tolerance) {
  Worst worst;
  auto badness = [](const TensorDifference &difference, bool within) {
    return std::pair(!within, difference.relativeError());
  };
  for (size_t i = 0; i < expected.size(); ++i) {
    TensorDifference difference = compareTensors(got[i], expected[i]);
    bool within = difference.within(tolerance);
    if (badness(difference, within) > badness(worst.difference, worst.within))
      worst = {i, difference, within};
  }
  return worst;
}

/// Takes what is not finite in `got` for expected where the result was not
/// finite either, as random inputs may make it: quantized, an infinity is a
/// NaN.
static void allowNotFinite(const std::vector<HostTensor> &got,
                           std::vector<HostTensor> &expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    for (int64_t place = 0; place < expected[i].elementCount(); ++place)
      if (double value = got[i].toDouble(place);
          !std::isfinite(value) && !std::isfinite(expected[i].toDouble(place)))
        expected[i].setFromDouble(place, value);
}

ExitStatus PhaseChecker::check(ModuleOp module, const PhaseInfo &phase) {
  FailureOr<Boundary> boundary = Boundary::of(module);
  if (failed(boundary))
    return kWrongRequest;
  bool first = firstPhase.empty();
  if (first) {
    firstPhase = phase.name;
    inputs = boundary->randomInputs(seed);
    changes = countChanges(module);
  }
  for (size_t i = inputs.size(); i < boundary->arguments.size(); ++i)
    inputs.emplace_back(boundary->arguments[i].type,
                        boundary->arguments[i].shape);
  FailureOr<Interpretation> run = interpretModule(module, inputs);
  if (failed(run)) {
    os << "note: while interpreting the program after phase '" << phase.name
       << "'\n";
    return kValuesDiffer;
  }
  if (first) {
    expected = std::move(run->results);
    os << "check-phases: seed " << seed << ", " << phase.name
       << " is the reference\n";
    return kDone;
  }
  bool isChanged = countChanges(module) > changes;
  changes = countChanges(module);
  return compare(*boundary, std::move(run->results), phase, isChanged);
}

/// Compares what the program gives after `phase` with what it gave before.
ExitStatus PhaseChecker::compare(const Boundary &boundary,
                                 std::vector<HostTensor> results,
                                 const PhaseInfo &phase, bool isChanged) {
  if (expected.empty())
    return kDone;
  const Tolerance &tolerance = isChanged ? kChangedTolerance : kTolerance;
  if (isChanged)
    allowNotFinite(results, expected);
  Worst worst = findWorst(results, expected, tolerance);
  std::string name =
      slotName(boundary.results[worst.result], worst.result, "result");
  if (worst.within) {
    os << "check-phases: " << phase.name << " agrees with " << firstPhase
       << ", largest relative error "
       << llvm::format("%.1e", worst.difference.relativeError()) << " in "
       << name;
    if (isChanged) {
      os << " of " << llvm::format("%.0e", tolerance.relative)
         << " that are allowed, as it changes the mathematics; it is the "
            "reference from here on";
      expected = std::move(results);
      firstPhase = phase.name;
    }
    os << '\n';
    return kDone;
  }
  os << "error: after phase '" << phase.name << "' result " << name
     << " differs from that after '" << firstPhase << "': "
     << worst.difference.describe(tolerance, expected[worst.result].shape())
     << " (seed " << seed << ")\n";
  return kValuesDiffer;
}
