//===- QuantizeCollectives.cpp - gathers and sums of bytes ----------------===//
//
// ZeRO++ (Wang et al. 2023): quantized gathers of parameters (qwZ), quantized
// sums of gradients (qgZ), with error feedback.
//
// What is a parameter and what a gradient follows from the flow of data. A
// gathered parameter is made of the step's state without any product; what
// becomes of a gradient's sum reaches the state without any product. Sums of
// activations are neither: what quantization loses of them in one step has
// nothing to do with those of the next.
//
// Where every device keeps a whole parameter and updates its part (ZeRO-1), the
// parts that are gathered are the state itself, which 8 bits cannot hold. There
// what the update adds is quantized, gathered, and added to the old parameter.
// Whatever else would be in the next state number by number is left as it is.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeline.h"
#include "ProgramSeconds.h"
#include "Quantization/BlockQuantization.h"
#include "Quantization/KeptState.h"
#include "Quantization/QuantizationRequest.h"
#include "Quantization/QuantizedForm.h"
#include "StepState.h"
#include "tessera/Dialect/Tessera/TensorTypes.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tessera-quantize-collectives"

namespace tessera::communicate {
#define GEN_PASS_DEF_QUANTIZECOLLECTIVES
#include "tessera/Transforms/Communicate/Passes.h.inc"
} // namespace tessera::communicate

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace {

/// A collective that may be quantized.
struct Candidate {
  spmd::CollectiveOpInterface op;
  QuantizedForm form;
  /// Where there is feedback, what the errors are called.
  std::string state;
  /// Whether the user names the axes, so that no price is asked.
  bool isNamed = false;
  /// Of a gather of what replaces an argument, that argument.
  BlockArgument old = {};
};

struct QuantizeCollectives
    : communicate::impl::QuantizeCollectivesBase<QuantizeCollectives> {
  using QuantizeCollectivesBase::QuantizeCollectivesBase;

  void runOnOperation() override;

private:
  FailureOr<SmallVector<QuantizationRequest, 2>> parseRequests(MeshOp mesh);
  SmallVector<Candidate> findCandidates(func::FuncOp main, MeshOp mesh,
                                        ArrayRef<QuantizationRequest> requests);
  DenseMap<Operation *, double> findStalls(ArrayRef<Candidate> candidates,
                                           MeshOp mesh,
                                           spmd::DeviceSeconds &links) const;
  bool pays(const Candidate &candidate, double stall, MeshOp mesh,
            spmd::DeviceSeconds &links) const;
  void quantizeAll(ArrayRef<Candidate> candidates, func::FuncOp main,
                   MeshOp mesh);
};

} // namespace

FailureOr<SmallVector<QuantizationRequest, 2>>
QuantizeCollectives::parseRequests(MeshOp mesh) {
  SmallVector<QuantizationRequest, 2> requests;
  for (const std::string &text : collectives) {
    auto request = QuantizationRequest::parse(text, mesh.getMesh().getMesh());
    if (!request)
      return mesh.emitError() << request.message();
    requests.push_back(*request);
  }
  return requests;
}

/// What is asked for and may be quantized, in the order of the text.
SmallVector<Candidate>
QuantizeCollectives::findCandidates(func::FuncOp main, MeshOp mesh,
                                    ArrayRef<QuantizationRequest> requests) {
  KeptState state(main);
  SmallVector<Candidate> candidates;
  main.walk([&](spmd::CollectiveOpInterface op) {
    auto form = QuantizedForm::of(op, mesh.getMesh().getMesh());
    if (!form || !form->fillsBlocks() ||
        form->bytesSent() >= form->plainBytesSent())
      return;
    const QuantizationRequest *asked = nullptr;
    for (const QuantizationRequest &request : requests)
      if (request.isSum == form->isSum() &&
          request.matches(op.getAxes().getAxes()) &&
          (!asked || asked->axes.empty()))
        asked = &request;
    if (!asked)
      return;
    Candidate candidate{op, *form, "", !asked->axes.empty()};
    if (form->isSum()) {
      // Errors of a sum in a loop would be as many as iterations.
      if (op->getParentOp() != main)
        return;
      std::optional<std::string> name = state.findUpdatedBy(op->getResult(0));
      if (!name)
        return;
      candidate.state = *name;
    } else if (!state.isParameter(op->getOperand(0)) ||
               state.isIn(op->getResult(0))) {
      candidate.old = state.findOld(cast<spmd::AllGatherOp>(*op));
      if (!candidate.old)
        return;
      candidate.state = state.nameOf(candidate.old.getArgNumber());
    }
    candidates.push_back(candidate);
  });
  return candidates;
}

/// How long readers wait for the collectives of the blocks with candidates.
DenseMap<Operation *, double>
QuantizeCollectives::findStalls(ArrayRef<Candidate> candidates, MeshOp mesh,
                                spmd::DeviceSeconds &links) const {
  ProgramSeconds costs(mesh->getParentOfType<ModuleOp>(), mesh.getMachine());
  llvm::SetVector<Block *> blocks;
  for (const Candidate &candidate : candidates)
    blocks.insert(candidate.op->getBlock());
  DenseMap<Operation *, double> stalls;
  for (Block *block : blocks) {
    BlockTimeline timeline(*block, links, collectiveSeconds,
                           [&](Operation *op) { return costs.of(op); });
    for (const Transfer &transfer : timeline.transfers())
      stalls[transfer.op] = transfer.stall;
  }
  return stalls;
}

/// Whether `candidate`, for which its reader waits `stall` seconds, saves more
/// of them than the quantizing takes.
bool QuantizeCollectives::pays(const Candidate &candidate, double stall,
                               MeshOp mesh, spmd::DeviceSeconds &links) const {
  spmd::CollectiveOpInterface op = candidate.op;
  int64_t devices = totalSize(op.getAxes().getAxes(), mesh.getMesh().getMesh());
  double before = collectiveSeconds + links.of(op);
  double kernels =
      double(candidate.form.touchedBytes(!candidate.state.empty())) /
      mesh.getMachine().memoryBandwidth;
  double after = 0;
  for (const QuantizedForm::Call &call : candidate.form.calls())
    after +=
        collectiveSeconds + links.linksOf(op.getAxes())
                                .seconds(call.kind, devices, call.operandBytes);
  bool isTaken = candidate.isNamed || kernels < std::min(before - after, stall);
  auto options =
      remark::RemarkOpts::name("quantized").category("tessera-communicate");
  auto remark = isTaken ? remark::passed(op->getLoc(), options)
                        : remark::missed(op->getLoc(), options);
  if (remark)
    remark << llvm::formatv(
                  "{0} of {1} takes {2:f1} us, for which its reader waits "
                  "{3:f1} us, and sends {4} bytes; as blocks of int8 {5:f1} us "
                  "and {6} bytes, and {7:f1} us to quantize{8}",
                  op->getName().stripDialect(),
                  candidate.form.isSum() ? "a gradient" : "a parameter",
                  before * 1e6, stall * 1e6, candidate.form.plainBytesSent(),
                  after * 1e6, candidate.form.bytesSent(), kernels * 1e6,
                  isTaken ? ", which changes the mathematics" : "")
                  .str();
  return isTaken;
}

/// What `gather` would have to gather for its result to be `whole`.
static Value partOf(Value whole, spmd::AllGatherOp gather) {
  OpBuilder builder(gather);
  Location loc = gather.getLoc();
  RankedTensorType part = typeOf(gather.getOperand());
  auto scalar = RankedTensorType::get({}, builder.getI32Type());
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(scalar,
                               builder.getI32IntegerAttr(int32_t(number))));
  };
  SmallVector<Value> places(part.getRank(), constant(0));
  auto dim = int64_t(gather.getDim());
  Value index =
      spmd::AxisIndexOp::create(builder, loc, scalar, gather.getAxes());
  places[dim] = arith::MulIOp::create(builder, loc, index,
                                      constant(part.getDimSize(dim)));
  return DynamicSliceOp::create(builder, loc, part, whole, places);
}

/// Replaces `candidate` by its form.
static void quantizeOne(const Candidate &candidate, func::FuncOp main,
                        MeshOp mesh) {
  const QuantizedForm &form = candidate.form;
  spmd::CollectiveOpInterface op = candidate.op;
  OpBuilder builder(op);
  BlockArgument sent, gathered;

  auto addErrors = [&](StringRef kind, int64_t count, BlockArgument &state) {
    if (count > 0)
      state = addDeviceState(main, (kind + "[" + candidate.state + "]").str(),
                             mesh, count);
  };
  if (!candidate.state.empty()) {
    addErrors("__error", form.sentErrors(), sent);
    addErrors("__gathered_error", form.gatheredErrors(), gathered);
  }
  if (candidate.old)
    op->setOperand(0, arith::SubFOp::create(
                          builder, op->getLoc(), op->getOperand(0),
                          partOf(candidate.old, cast<spmd::AllGatherOp>(*op))));
  QuantizedForm::Built built = form.build(sent, gathered);
  if (candidate.old)
    built.result = arith::AddFOp::create(builder, op->getLoc(), candidate.old,
                                         built.result);
  if (sent)
    setNextState(sent, built.sentError);
  if (gathered)
    setNextState(gathered, built.gatheredError);
  LDBG() << describeOperation(op);
  op->getResult(0).replaceAllUsesWith(built.result);
  op->erase();
}

/// `1 sum of gradients`, `7 gathers of parameters`.
static std::string countOf(bool isSum, int64_t count) {
  return llvm::formatv("{0} {1}{2} of {3}", count, isSum ? "sum" : "gather",
                       count == 1 ? "" : "s",
                       isSum ? "gradients" : "parameters")
      .str();
}

/// Quantizes `candidates`, and says what has changed.
void QuantizeCollectives::quantizeAll(ArrayRef<Candidate> candidates,
                                      func::FuncOp main, MeshOp mesh) {
  int64_t count[2] = {0, 0}, before = 0, after = 0;
  for (const Candidate &candidate : candidates) {
    ++count[candidate.form.isSum()];
    before += candidate.form.plainBytesSent();
    after += candidate.form.bytesSent();
    quantizeOne(candidate, main, mesh);
  }
  for (bool isSum : {false, true})
    if (count[isSum] > 0)
      addChangedMathematics(
          getOperation(),
          countOf(isSum, count[isSum]) +
              llvm::formatv(
                  " sent as int8, in blocks of {0} numbers with a scale{1} "
                  "(--quantize-collectives)",
                  kBlockNumbers,
                  isSum ? "; what is lost is added in the next step "
                          "(`__error[...]`, `__gathered_error[...]`)"
                        : "")
                  .str());
  auto options =
      remark::RemarkOpts::name("quantized").category("tessera-communicate");
  if (auto remark = remark::analysis(mesh.getLoc(), options))
    remark << llvm::formatv("the mathematics has changed: {0} and {1} are sent "
                            "as int8, {2} bytes instead of {3}",
                            countOf(false, count[0]), countOf(true, count[1]),
                            after, before)
                  .str();
}

void QuantizeCollectives::runOnOperation() {
  if (collectives.empty())
    return;
  FailureOr<MeshOp> mesh = findPricedMesh(getOperation(), /*always=*/true);
  if (failed(mesh))
    return signalPassFailure();
  auto main = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!*mesh || !main || main.isExternal()) {
    getOperation().emitError("--quantize-collectives: expected a program with "
                             "a mesh and without stages");
    return signalPassFailure();
  }
  auto requests = parseRequests(*mesh);
  if (failed(requests))
    return signalPassFailure();
  SmallVector<Candidate> candidates = findCandidates(main, *mesh, *requests);
  // What is asked for beside what there is may be there on another mesh.
  for (const QuantizationRequest &request : *requests)
    if (llvm::none_of(candidates, [&](const Candidate &candidate) {
          return candidate.form.isSum() == request.isSum;
        })) {
      bool isRefused = candidates.empty() && !isAmongOthers;
      InFlightDiagnostic message =
          isRefused ? main.emitError() : main.emitWarning();
      message << "--quantize-collectives: expected "
              << (request.isSum ? "a sum of gradients, outside of loops and "
                                  "read by no product,"
                                : "a gather of parameters")
              << " over the axes, got none";
      if (isRefused)
        return message.report(), signalPassFailure();
    }
  spmd::DeviceSeconds links(getOperation());
  DenseMap<Operation *, double> stalls = findStalls(candidates, *mesh, links);
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    return !pays(candidate, stalls.lookup(candidate.op), *mesh, links);
  });
  if (!candidates.empty())
    quantizeAll(candidates, main, *mesh);
}
