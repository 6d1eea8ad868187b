//===- CheckPhases.cpp - does a phase keep the model's meaning? -----------===//

#include "CheckPhases.h"

#include "tessera/Interpreter/Boundary.h"
#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Support/TensorComparison.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tessera;

/// Phases may sum in another order, on other devices; what they compute must
/// agree up to this part of a result's largest magnitude.
static constexpr Tolerance kTolerance{1e-4, 0};

namespace {

/// The result that differs most, relative to what is allowed.
struct Worst {
  size_t result = 0;
  TensorDifference difference;
  bool within = true;
};

} // namespace

/// Compares all results; `got` has as many as `expected`.
static Worst findWorst(const std::vector<HostTensor> &got,
                       const std::vector<HostTensor> &expected) {
  Worst worst;
  auto badness = [](const TensorDifference &difference, bool within) {
    return std::pair(!within, difference.relativeError());
  };
  for (size_t i = 0; i < expected.size(); ++i) {
    TensorDifference difference = compareTensors(got[i], expected[i]);
    bool within = difference.within(kTolerance);
    if (badness(difference, within) > badness(worst.difference, worst.within))
      worst = {i, difference, within};
  }
  return worst;
}

ExitStatus PhaseChecker::check(ModuleOp module, const PhaseInfo &phase) {
  FailureOr<Boundary> boundary = Boundary::of(module);
  if (failed(boundary))
    return kWrongRequest;
  bool first = firstPhase.empty();
  if (first) {
    firstPhase = phase.name;
    inputs = boundary->randomInputs(seed);
  }
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
  if (expected.empty())
    return kDone;
  Worst worst = findWorst(run->results, expected);
  std::string name =
      slotName(boundary->results[worst.result], worst.result, "result");
  if (worst.within) {
    os << "check-phases: " << phase.name << " agrees with " << firstPhase
       << ", largest relative error "
       << llvm::format("%.1e", worst.difference.relativeError()) << " in "
       << name << '\n';
    return kDone;
  }
  os << "error: after phase '" << phase.name << "' result " << name
     << " differs from that after '" << firstPhase << "': "
     << worst.difference.describe(kTolerance, expected[worst.result].shape())
     << " (seed " << seed << ")\n";
  return kValuesDiffer;
}
