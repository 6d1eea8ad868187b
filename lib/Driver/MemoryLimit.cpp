//===- MemoryLimit.cpp - what a device has, and what a program needs ------===//

#include "MemoryLimit.h"

#include "Quantities.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Why.h"
#include "tessera/Support/StableSort.h"
#include "tessera/Transforms/Schedule/ArenaPeak.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace tessera;

std::optional<MemoryLimit> tessera::findMemoryLimit(ModuleOp module,
                                                    int64_t asked) {
  if (asked > 0)
    return MemoryLimit{asked, "as --memory-limit says"};
  for (MeshOp mesh : module.getOps<MeshOp>())
    if (mesh.getOnAttr())
      return MemoryLimit{mesh.getMachine().memory,
                         "which is what a device of the described machine has"};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What takes memory
//===----------------------------------------------------------------------===//

namespace {

/// Collects what one program holds.
class UseFinder {
public:
  explicit UseFinder(func::FuncOp program)
      : program(program), use{program.getLoc(), {}} {}

  MemoryUse run();

private:
  void add(const std::string &what, int64_t bytes) {
    MemoryUse::Piece &piece = pieces[what];
    piece.bytes += bytes;
    ++piece.count;
  }
  void addBoundary();
  void addTemporaries();
  bool isWhole(unsigned argument);

  func::FuncOp program;
  MemoryUse use;
  std::map<std::string, MemoryUse::Piece> pieces;
};

} // namespace

/// Whether each device of several has all of an argument.
bool UseFinder::isWhole(unsigned argument) {
  auto sharding = program.getArgAttrOfType<ShardingAttr>(
      argument, TesseraDialect::kShardingAttr);
  auto module = program->getParentOfType<ModuleOp>();
  auto isShared = [](MeshOp mesh) {
    return mesh.getMesh().getMesh().numDevices() > 1;
  };
  return llvm::any_of(module.getOps<MeshOp>(), isShared) &&
         (!sharding ||
          llvm::all_of(sharding.getValue().dims, [](const DimSharding &dim) {
            return dim.axes.empty();
          }));
}

void UseFinder::addBoundary() {
  SmallVector<bool> isDonated(program.getNumResults(), false);
  llvm::DenseMap<Type, int64_t> free;
  for (unsigned i = 0; i < program.getNumArguments(); ++i) {
    Type type = program.getArgumentTypes()[i];
    int64_t bytes = spmd::bytesOf(type);
    add(withoutLayerNumbers(
            boundaryName("argument", i, program.getArgAttrDict(i))),
        bytes);
    if (isWhole(i))
      use.whole += bytes;
    if (std::optional<unsigned> donated = getDonatedResult(program, i))
      isDonated[*donated] = true;
    else
      ++free[type];
  }
  for (unsigned i = 0; i < program.getNumResults(); ++i) {
    if (isDonated[i])
      continue;
    Type type = program.getResultTypes()[i];
    add(withoutLayerNumbers(
            boundaryName("result", i, program.getResultAttrDict(i))),
        spmd::bytesOf(type));
    if (free[type] > 0) {
      --free[type];
      use.mayBeDonated += spmd::bytesOf(type);
    }
  }
}

void UseFinder::addTemporaries() {
  schedule::ArenaPeak peak = schedule::findArenaPeak(program);
  if (!peak.op)
    return;
  use.peak = peak.op->getLoc();
  for (Value value : peak.held) {
    std::string what;
    llvm::raw_string_ostream os(what);
    os << "temporary " << value.getType();
    if (std::string file = describeFile(value.getLoc()); !file.empty())
      os << " made at " << file;
    add(what, spmd::bytesOf(value.getType()));
  }
}

MemoryUse UseFinder::run() {
  addBoundary();
  addTemporaries();
  for (auto &[what, piece] : pieces)
    use.pieces.push_back({what, piece.bytes, piece.count});
  stableSort(use.pieces,
             [](const auto &a, const auto &b) { return a.bytes > b.bytes; });
  return std::move(use);
}

FailureOr<MemoryUse> tessera::findMemoryUse(ModuleOp module) {
  FailureOr<LargestProgram> largest = findLargestProgram(module);
  if (failed(largest))
    return failure();
  return UseFinder(largest->function).run();
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

static void listPieces(Diagnostic &note, const MemoryUse &use) {
  constexpr size_t kMost = 5;
  note << "temporaries take most here; the largest pieces of all:";
  for (const MemoryUse::Piece &piece : ArrayRef(use.pieces).take_front(kMost)) {
    note << (&piece == &use.pieces.front() ? " " : "; ")
         << formatBytes(piece.bytes) << " in ";
    if (piece.count > 1)
      note << piece.count << " x ";
    note << piece.what;
  }
}

/// Says what might need less, the most promising first.
static void suggest(Diagnostic &note, const ProgramNeeds &needs,
                    int64_t microbatches) {
  const ProgramMemory &memory = needs.memory;
  SmallVector<std::pair<int64_t, std::string>> ways;
  auto add = [&](int64_t bytes, const Twine &what) {
    if (bytes > 0)
      ways.push_back({bytes, (what + " (" + formatBytes(bytes) + ")").str()});
  };
  add(needs.use.mayBeDonated,
      "donate the arguments that results of the same type replace");
  add(needs.use.whole,
      "shard or cut into --stages what each device has all of");
  add(memory.temporary, microbatches > 1 ? "more --microbatches"
                                         : "--microbatches, for temporaries");
  add(memory.arguments - needs.use.whole,
      "a larger --mesh along the axes that arguments are sharded over, or more "
      "--stages");
  stableSort(ways,
             [](const auto &a, const auto &b) { return a.first > b.first; });
  note << "what may need less: "
       << llvm::join(llvm::make_second_range(ways), "; ");
}

void tessera::reportTooMuchMemory(MLIRContext &context,
                                  const MemoryLimit &limit,
                                  const ProgramNeeds &needs,
                                  int64_t microbatches) {
  const ProgramMemory &memory = needs.memory;
  InFlightDiagnostic diagnostic = emitError(UnknownLoc::get(&context));
  diagnostic << "expected a program of at most " << limit.bytes
             << " bytes per device, " << limit.source << ", got "
             << memory.peak();
  if (needs.rank)
    diagnostic << " on pipeline rank " << *needs.rank;
  diagnostic << " as the nearest that was found: "
             << formatBytes(memory.arguments) << " of arguments, "
             << formatBytes(memory.results - memory.donated)
             << " of results that take no argument's memory, "
             << formatBytes(memory.temporary) << " of temporaries and "
             << formatBytes(memory.headroom) << " of headroom";
  listPieces(diagnostic.attachNote(needs.use.peak), needs.use);
  suggest(diagnostic.attachNote(), needs, microbatches);
}
