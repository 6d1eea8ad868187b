//===- DecomposeCollectives.cpp - collectives by levels of the network ----===//
//
// Elsewhere: hierarchical collectives, two-level all-reduce, BlueConnect; one-
// shot all-reduce.
//
// Per block: when everything happens is estimated (BlockTimeline). Each call is
// tried as calls inside of the groups of each level that its devices span and
// calls across (Hierarchy). What takes least by the described machine is taken
// if it saves a call for each of its calls and takes no longer than a reader
// has waited, since a chain of calls is harder to hide than one; and tried
// again, since there may be more levels than two.
//
//===----------------------------------------------------------------------===//

#include "BlockTimeline.h"
#include "Hierarchy/LevelCalls.h"
#include "ProgramSeconds.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Transforms/Communicate/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tessera-decompose-collectives"

using namespace mlir;
using namespace tessera;
using namespace tessera::communicate;

namespace tessera::communicate {
#define GEN_PASS_DEF_DECOMPOSECOLLECTIVES
#include "tessera/Transforms/Communicate/Passes.h.inc"
} // namespace tessera::communicate

namespace {

/// What calls take on the machine under the only mesh.
class CallSeconds {
public:
  CallSeconds(spmd::DeviceSeconds &links, MeshOp mesh, double callSeconds)
      : mesh(mesh), links(links), callSeconds(callSeconds) {}

  /// Of a collective, or of several in one call.
  double of(Operation *call) { return callSeconds + links.of(call); }
  /// Of the calls instead of it, with what is copied for them.
  double of(const LevelCalls &form);
  /// Of one of these, as it is or as what becomes of it then: an all-reduce a
  /// gather, a gather one for each level.
  double of(const LevelCall &call);
  /// Every way of taking `call` apart where the levels of the network do; with
  /// `always`, in the middle of its group if they do not. Of an all-reduce also
  /// a gather, whatever the network is, but with `always` not alone.
  SmallVector<LevelCalls, 4> formsOf(Operation *call, bool always);

private:
  AxesAttr axesAttr(ArrayRef<AxisRef> axes) {
    return AxesAttr::get(mesh.getContext(),
                         FlatSymbolRefAttr::get(mesh.getSymNameAttr()), axes);
  }
  const GroupLinks &linksAlong(ArrayRef<AxisRef> axes) {
    return links.linksOf(axesAttr(axes));
  }

  MeshOp mesh;
  spmd::DeviceSeconds &links;
  double callSeconds;
};

struct DecomposeCollectives
    : communicate::impl::DecomposeCollectivesBase<DecomposeCollectives> {
  using DecomposeCollectivesBase::DecomposeCollectivesBase;

  void runOnOperation() override;

private:
  SmallVector<std::pair<Operation *, double>>
  findCalls(Block &block, spmd::DeviceSeconds &links,
            ProgramSeconds &costs) const;
  void decompose(Operation *call, double stall, CallSeconds &seconds);

  /// With `always`, how many calls were taken apart: in their forms by turns.
  size_t taken = 0;
};

} // namespace

double CallSeconds::of(const LevelCalls &form) {
  double seconds =
      double(form.copiedBytes()) / mesh.getMachine().memoryBandwidth;
  for (const LevelCall &call : form.calls())
    seconds += of(call);
  return seconds;
}

double CallSeconds::of(const LevelCall &call) {
  GroupLinks group = links.linksOf(call.axes);
  double whole =
      callSeconds + group.seconds(call.kind, call.devices, call.bytes);
  double best = whole;
  // With the margin that it needs to be taken.
  auto take = [&](double seconds, int64_t calls) {
    if (seconds + double(calls) * callSeconds < whole)
      best = std::min(best, seconds);
  };
  if (call.kind == CollectiveKind::AllReduce)
    take(of({CollectiveKind::AllGather, call.axes, call.devices, call.bytes}) +
             double((call.devices + 1) * call.bytes) /
                 mesh.getMachine().memoryBandwidth,
         1);
  if (call.kind != CollectiveKind::AllGather)
    return best;
  const Mesh &devices = mesh.getMesh().getMesh();
  for (int32_t level = 0; level < group.level; ++level) {
    std::optional<GroupSplit> split =
        splitGroup(call.axes.getAxes(), devices, [&](ArrayRef<AxisRef> inner) {
          return linksAlong(inner).level <= level;
        });
    if (!split || split->order == GroupSplit::Mixed)
      continue;
    int64_t outer = totalSize(split->outer, devices);
    take(of({call.kind, axesAttr(split->outer), outer, call.bytes}) +
             of({call.kind, axesAttr(split->inner), call.devices / outer,
                 call.bytes * outer}),
         2);
  }
  return best;
}

SmallVector<LevelCalls, 4> CallSeconds::formsOf(Operation *call, bool always) {
  const Mesh &devices = mesh.getMesh().getMesh();
  ArrayRef<AxisRef> axes = spmd::partsOf(call).front().getAxes().getAxes();
  SmallVector<LevelCalls, 4> forms;
  auto add = [&](function_ref<bool(ArrayRef<AxisRef>)> isNear) {
    if (std::optional<GroupSplit> split = splitGroup(axes, devices, isNear))
      llvm::append_range(forms, LevelCalls::formsOf(call, *split, devices));
  };
  for (int32_t level = 0; level < linksAlong(axes).level; ++level)
    add([&](ArrayRef<AxisRef> inner) {
      return linksAlong(inner).level <= level;
    });
  int64_t size = totalSize(axes, devices);
  if (always && forms.empty())
    add([&](ArrayRef<AxisRef> inner) {
      int64_t part = totalSize(inner, devices);
      return part * part <= size;
    });
  if (!(always && forms.empty()) && size > 1 &&
      isa<spmd::AllReduceOp>(*spmd::partsOf(call).front()))
    forms.push_back(LevelCalls::gathered(call, size));
  return forms;
}

/// The calls of `block` with the seconds that their readers wait for them.
SmallVector<std::pair<Operation *, double>>
DecomposeCollectives::findCalls(Block &block, spmd::DeviceSeconds &links,
                                ProgramSeconds &costs) const {
  BlockTimeline timeline(block, links, collectiveSeconds,
                         [&](Operation *op) { return costs.of(op); });
  SmallVector<std::pair<Operation *, double>> calls;
  for (const Transfer &transfer : timeline.transfers())
    if (!spmd::partsOf(transfer.op).empty())
      calls.push_back({transfer.op, transfer.stall});
  return calls;
}

/// Tells those who listen (`--remarks`) what became of `call`.
static void emitRemarkOn(Operation *call, double stall, const LevelCalls &form,
                         double before, double after, bool isTaken) {
  auto options =
      remark::RemarkOpts::name("hierarchy").category("tessera-communicate");
  auto remark = isTaken ? remark::passed(call->getLoc(), options)
                        : remark::missed(call->getLoc(), options);
  if (remark)
    remark << llvm::formatv(
                  "{0} in one call takes {1:f1} us, for which its reader waits "
                  "{2:f1} us; as {3} {4:f1} us",
                  spmd::partsOf(call).front()->getName().stripDialect(),
                  before * 1e6, stall * 1e6, form.describe(), after * 1e6)
                  .str();
}

/// Takes `call`, for which readers wait `stall` seconds, apart, and what it
/// becomes, as long as that pays.
void DecomposeCollectives::decompose(Operation *call, double stall,
                                     CallSeconds &seconds) {
  SmallVector<LevelCalls, 4> forms = seconds.formsOf(call, always);
  if (forms.empty())
    return;
  LevelCalls &best =
      always ? forms[taken++ % forms.size()]
             : *std::min_element(forms.begin(), forms.end(),
                                 [&](const auto &a, const auto &b) {
                                   return seconds.of(a) < seconds.of(b);
                                 });
  double before = seconds.of(call), after = seconds.of(best);
  // No estimate is right to a call, and each of the calls has one.
  double margin = double(best.calls().size()) * collectiveSeconds;
  bool isTaken = always || (after < stall && after + margin < before);
  emitRemarkOn(call, stall, best, before, after, isTaken);
  if (!isTaken)
    return;
  LDBG() << describeOperation(call) << ": " << best.describe();
  for (Operation *made : best.apply())
    decompose(made, stall, seconds);
}

void DecomposeCollectives::runOnOperation() {
  FailureOr<MeshOp> mesh = findPricedMesh(getOperation(), always);
  if (failed(mesh))
    return signalPassFailure();
  if (!*mesh)
    return;
  taken = 0;
  spmd::DeviceSeconds links(getOperation());
  ProgramSeconds costs(getOperation(), mesh->getMachine());
  SmallVector<std::pair<Operation *, double>> calls;
  getOperation()->walk([&](Block *block) {
    Operation *parent = block->getParentOp();
    if (isa<spmd::CombinedOp, spmd::StartOp>(parent))
      return;
    if (llvm::any_of(*block,
                     [](Operation &op) { return !spmd::partsOf(&op).empty(); }))
      llvm::append_range(calls, findCalls(*block, links, costs));
  });
  CallSeconds seconds(links, *mesh, collectiveSeconds);
  for (auto [call, stall] : calls)
    decompose(call, stall, seconds);
}
