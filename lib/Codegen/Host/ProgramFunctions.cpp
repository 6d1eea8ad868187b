//===- ProgramFunctions.cpp - The functions that run, and what they send --===//

#include "tessera/Codegen/Host/ProgramFunctions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Spmd/Combined.h"
#include "tessera/Dialect/Tessera/Provenance.h"
#include "tessera/Dialect/Tessera/Why.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::codegen;

/// How often `op` runs in one run of its function: the product of the constant
/// trip counts around it.
static int64_t tripsAround(Operation *op) {
  int64_t times = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    if (std::optional<APInt> count = loop.getStaticTripCount())
      times *= count->getSExtValue();
  return times;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

/// Counts how often one run of a function runs each function.
class RunCounter {
public:
  using Counts = llvm::MapVector<func::FuncOp, int64_t>;

  explicit RunCounter(ModuleOp module) : symbols(module) {}

  /// Of `function` itself and all that it calls; null after a diagnostic.
  const Counts *count(func::FuncOp function) {
    auto [found, fresh] = known.try_emplace(function);
    if (!fresh)
      return found->second.get();
    auto counts = std::make_unique<Counts>();
    (*counts)[function] = 1;
    WalkResult result = function.walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      const Counts *inner =
          callee && !callee.isExternal() ? count(callee) : nullptr;
      if (!inner) {
        call->emitError()
            << "expected the call of a function that has a body and does not "
               "call itself, got "
            << call.getCalleeAttr();
        return WalkResult::interrupt();
      }
      int64_t trips = tripsAround(call);
      for (auto [callee, times] : *inner)
        (*counts)[callee] += trips * times;
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return nullptr;
    return (known[function] = std::move(counts)).get();
  }

private:
  SymbolTable symbols;
  /// Null for functions that are being counted.
  llvm::DenseMap<Operation *, std::unique_ptr<Counts>> known;
};

} // namespace

/// `@main` if it has a body, or the functions of the pipeline ranks in their
/// order.
static FailureOr<SmallVector<EntryProgram>> findEntries(ModuleOp module) {
  SmallVector<EntryProgram> entries;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (main && !main.isExternal()) {
    entries.push_back({main, std::nullopt, {}});
    return entries;
  }
  FailureOr<SmallVector<RankProgram>> ranks = getRankPrograms(module);
  if (failed(ranks) || failed(verifyHaveBodies(*ranks)))
    return failure();
  for (const RankProgram &rank : *ranks)
    entries.push_back({rank.function, int64_t(entries.size()), {}});
  if (entries.empty())
    return module.emitError("expected a function @main with a body");
  return entries;
}

static std::string nameOf(const EntryProgram &program) {
  std::string name = rt::RtDialect::kEntryName.str();
  return program.rank ? name + "_" + std::to_string(*program.rank) : name;
}

FailureOr<ProgramFunctions> ProgramFunctions::find(ModuleOp module) {
  FailureOr<SmallVector<EntryProgram>> entries = findEntries(module);
  if (failed(entries))
    return failure();
  ProgramFunctions program{std::move(*entries), {}};
  RunCounter counter(module);
  llvm::DenseSet<Operation *> known;
  for (EntryProgram &entry : program.entries) {
    const RunCounter::Counts *runs = counter.count(entry.entry);
    if (!runs)
      return failure();
    entry.runs = *runs;
    for (auto [function, times] : *runs) {
      bool isEntry = function == entry.entry;
      if (!isEntry && function->hasAttr(pipe::PipeDialect::kRankAttr))
        return function->emitError(
            "expected no call of a pipeline rank's program");
      if (!known.insert(function).second)
        continue;
      program.functions.push_back(
          {function,
           isEntry ? nameOf(entry)
                   : "tessera_function_" + function.getName().str(),
           isEntry, MemoryMap(function)});
    }
  }
  return program;
}

//===----------------------------------------------------------------------===//
// Communication
//===----------------------------------------------------------------------===//

CommunicationTable::CommunicationTable(const ProgramFunctions &program)
    : b(program.entries.front().entry->getContext()),
      hasStages(program.entries.front().rank.has_value()) {
  for (const HostFunction &function : program.functions) {
    func::FuncOp source = function.source;
    source.walk([&](Operation *op) {
      if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op))
        communicators.insert(collective.getAxes());
      if (auto start = dyn_cast<spmd::StartOp>(op))
        number(spmd::startsOfCall(start));
      if (auto index = dyn_cast<spmd::AxisIndexOp>(op))
        communicators.insert(index.getAxes());
    });
  }
  for (const EntryProgram &entry : program.entries)
    for (auto [function, runs] : entry.runs)
      function.walk([&, runs = runs](Operation *op) {
        if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op))
          record(collective, runs * tripsAround(op), entry.rank);
        if (auto send = dyn_cast<spmd::SendOp>(op))
          record(send, runs * tripsAround(op), entry.rank.value_or(0));
      });
}

void CommunicationTable::number(ArrayRef<spmd::StartOp> call) {
  if (call.size() < 2)
    return;
  for (spmd::StartOp start : call)
    calls[start] = numCalls;
  ++numCalls;
}

void CommunicationTable::record(spmd::CollectiveOpInterface op, int64_t times,
                                std::optional<int64_t> rank) {
  int64_t size = groupSize(op, op.getAxes());
  MeshOp mesh = lookupMesh(op, op.getAxes().getMesh());
  int64_t devices = mesh.getMesh().getMesh().numDevices();
  // The larger of operand and result names the collective.
  Type operand = op->getOperand(0).getType(),
       result = op->getResult(0).getType();
  const CollectiveInfo &info = collectiveInfo(op.getCollectiveKind());
  Type type = info.joinsResult ? result : operand;
  SmallVector<NamedAttribute> entry = {
      b.getNamedAttr("kind", b.getStringAttr(info.name)),
      b.getNamedAttr("axes", op.getAxes()),
      b.getNamedAttr("groups", b.getI64IntegerAttr(devices / size)),
      b.getNamedAttr("type", TypeAttr::get(type)),
      b.getNamedAttr("times", b.getI64IntegerAttr(times)),
      b.getNamedAttr("bytes",
                     b.getI64IntegerAttr(times * op.getBytesSent(size))),
      b.getNamedAttr("location", b.getStringAttr(describeFile(op->getLoc())))};
  if (auto call = calls.find(op->getParentOp()); call != calls.end())
    entry.push_back(b.getNamedAttr("call", b.getI64IntegerAttr(call->second)));
  if (rank)
    entry.push_back(b.getNamedAttr("rank", b.getI64IntegerAttr(*rank)));
  if (ProvenanceAttr why = findProvenance(op->getLoc()))
    entry.push_back(b.getNamedAttr("why", why));
  collectives.push_back(b.getDictionaryAttr(entry));
}

void CommunicationTable::record(spmd::SendOp op, int64_t times, int64_t rank) {
  transfers[{rank, op.getRank(), op.getOperand().getType(),
             b.getStringAttr(describeFile(op->getLoc())),
             findProvenance(op->getLoc())}] += times;
}

void CommunicationTable::write(ModuleOp module) const {
  Builder builder(module.getContext());
  module->setAttr(rt::RtDialect::kCommunicatorsAttr,
                  builder.getArrayAttr(communicators.getArrayRef()));
  module->setAttr(rt::RtDialect::kCollectivesAttr,
                  builder.getArrayAttr(collectives));
  if (!hasStages)
    return;
  SmallVector<Attribute> list;
  for (const auto &[key, times] : transfers) {
    const auto &[source, target, type, location, why] = key;
    auto tensor = cast<RankedTensorType>(type);
    int64_t bytes = tensor.getNumElements() *
                    llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
    auto number = [&](StringRef name, int64_t value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    SmallVector<NamedAttribute> entry = {
        number("source", source),
        number("target", target),
        builder.getNamedAttr("type", TypeAttr::get(type)),
        number("times", times),
        number("bytes", times * bytes),
        builder.getNamedAttr("location", location)};
    if (why)
      entry.push_back(builder.getNamedAttr("why", why));
    list.push_back(builder.getDictionaryAttr(entry));
  }
  module->setAttr(rt::RtDialect::kTransfersAttr, builder.getArrayAttr(list));
}
