//===- RankPrograms.cpp - the programs of the pipeline ranks --------------===//

#include "tessera/Dialect/Pipe/RankPrograms.h"

#include "tessera/Dialect/Pipe/BoundaryRows.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Tessera/Tessera.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;
using pipe::PipeDialect;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

/// The arguments or the results of a function.
struct Side {
  StringRef what;
  /// Says which of `@main`'s they are.
  StringRef attribute;
  ArrayRef<Type> types;
  SmallVector<DictionaryAttr> attributes;
};

} // namespace

static Side argumentsOf(func::FuncOp function) {
  Side side{
      "argument", PipeDialect::kArgumentAttr, function.getArgumentTypes(), {}};
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    side.attributes.push_back(function.getArgAttrDict(i));
  return side;
}

static Side resultsOf(func::FuncOp function) {
  Side side{"result", PipeDialect::kResultAttr, function.getResultTypes(), {}};
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    side.attributes.push_back(function.getResultAttrDict(i));
  return side;
}

static Attribute find(DictionaryAttr attributes, StringRef name) {
  return attributes ? attributes.get(name) : Attribute();
}

/// The type of `count` rows of a tensor along `dim`.
static Type rowsOf(Type type, int64_t dim, int64_t count) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || dim >= tensor.getRank())
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] = count;
  return tensor.clone(shape);
}

/// Whether devices share out the rows of a tensor along `dim`.
static bool splitsRows(DictionaryAttr attributes, int64_t dim) {
  auto sharding = dyn_cast_or_null<ShardingAttr>(
      find(attributes, StringRef(TesseraDialect::kShardingAttr)));
  return sharding && !sharding.getValue().dims[dim].axes.empty();
}

namespace {

/// Collects what pipeline ranks have of one side of `@main`.
class SideReader {
public:
  SideReader(const Side &main) : main(main), found(main.types.size()) {}

  /// Reads what the arguments (results) of `function` are.
  LogicalResult read(func::FuncOp function, const Side &side,
                     SmallVector<BoundaryRows> &rows);
  /// A diagnostic from `function` where something is on no rank, or, if `all`,
  /// some row of it.
  LogicalResult checkFound(func::FuncOp function, bool all) const;

private:
  LogicalResult readOne(func::FuncOp function, const Side &side, unsigned i,
                        BoundaryRows &rows);

  /// What of one argument (result) is on some rank.
  struct Found {
    bool all = false;
    /// Where there are rows, the dimension that they are of, and which.
    std::optional<int64_t> dim;
    llvm::BitVector rows;
  };

  LogicalResult readRows(func::FuncOp function, const Side &side, unsigned i,
                         int64_t first, BoundaryRows &rows);

  Side main;
  /// By number.
  SmallVector<Found> found;
};

} // namespace

/// Reads which rows of @main's an argument (result) is, from `first` on.
LogicalResult SideReader::readRows(func::FuncOp function, const Side &side,
                                   unsigned i, int64_t first,
                                   BoundaryRows &rows) {
  auto whole = dyn_cast<RankedTensorType>(main.types[rows.number]);
  auto tensor = cast<RankedTensorType>(side.types[i]);
  Found &known = found[rows.number];
  rows.first = first;
  rows.dim = rowDim(main.types[rows.number], tensor);
  rows.count = tensor.getDimSize(rows.dim);
  int64_t size =
      whole && rows.dim < whole.getRank() ? whole.getDimSize(rows.dim) : 0;
  if (first < 0 || first + *rows.count > size ||
      splitsRows(main.attributes[rows.number], rows.dim))
    return function.emitError()
           << "expected in " << PipeDialect::kFirstRowAttr << " of "
           << side.what << ' ' << i << " rows of number " << rows.number
           << " of @main that every device has, got " << *rows.count << " from "
           << first;
  if (known.dim.value_or(rows.dim) != rows.dim)
    return function.emitError()
           << "expected rows of number " << rows.number
           << " of @main along dimension " << *known.dim << " in " << side.what
           << ' ' << i << ", got some along " << rows.dim;
  known.dim = rows.dim;
  known.rows.resize(size);
  known.rows.set(first, first + *rows.count);
  return success();
}

LogicalResult SideReader::readOne(func::FuncOp function, const Side &side,
                                  unsigned i, BoundaryRows &rows) {
  Type type = side.types[i], expected = main.types[rows.number];
  auto first = dyn_cast_or_null<IntegerAttr>(
      find(side.attributes[i], StringRef(PipeDialect::kFirstRowAttr)));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (first && tensor && tensor.getRank()) {
    if (failed(readRows(function, side, i, first.getInt(), rows)))
      return failure();
    expected = rowsOf(expected, rows.dim, *rows.count);
  } else {
    found[rows.number].all = true;
  }
  if (type != expected)
    return function.emitError()
           << "expected type " << expected << " for " << side.what << ' ' << i
           << ", which is number " << rows.number << " of @main, got " << type;
  StringRef sharding = TesseraDialect::kShardingAttr;
  if (find(side.attributes[i], sharding) !=
      find(main.attributes[rows.number], sharding))
    return function.emitError()
           << "expected " << side.what << ' ' << i
           << " to have the sharding of number " << rows.number << " of @main";
  return success();
}

LogicalResult SideReader::read(func::FuncOp function, const Side &side,
                               SmallVector<BoundaryRows> &rows) {
  for (unsigned i = 0; i < side.types.size(); ++i) {
    auto number =
        dyn_cast_or_null<IntegerAttr>(find(side.attributes[i], side.attribute));
    int64_t last = rows.empty() ? -1 : rows.back().number;
    bool mayRepeat =
        !rows.empty() && rows.back().count &&
        find(side.attributes[i], StringRef(PipeDialect::kFirstRowAttr));
    if (!number || number.getInt() < last + !mayRepeat ||
        number.getInt() >= int64_t(main.types.size()))
      return function.emitError()
             << "expected in " << side.attribute << " of " << side.what << ' '
             << i << " the number of one of @main's after " << last;
    BoundaryRows &next = rows.emplace_back(BoundaryRows{number.getInt()});
    if (failed(readOne(function, side, i, next)))
      return failure();
    if (next.number != last)
      continue;
    const BoundaryRows &before = rows[rows.size() - 2];
    if (next.first < before.first + *before.count)
      return function.emitError()
             << "expected rows of number " << last << " of @main from "
             << before.first + *before.count << " on in " << side.what << ' '
             << i << ", got " << next.first;
  }
  return success();
}

LogicalResult SideReader::checkFound(func::FuncOp function, bool all) const {
  for (auto [number, known] : llvm::enumerate(found)) {
    bool isFound =
        known.all || (all && known.dim ? known.rows.all() : known.rows.any());
    if (!isFound)
      return function.emitError()
             << "expected " << main.what << ' ' << number
             << " on a pipeline rank, got "
             << (known.rows.none() ? "it" : "one of its rows") << " on none";
  }
  return success();
}

FailureOr<SmallVector<RankProgram>> tessera::getRankPrograms(ModuleOp module) {
  SmallVector<RankProgram> programs;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto rank =
            function->getAttrOfType<IntegerAttr>(PipeDialect::kRankAttr)) {
      if (rank.getInt() != int64_t(programs.size()))
        return function.emitError()
               << "expected pipeline rank " << programs.size() << ", got "
               << rank.getInt();
      programs.push_back({function, {}, {}});
    }
  if (programs.empty())
    return programs;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || !main.isExternal())
    return programs.front().function.emitError()
           << "expected a declaration of @main, the boundary of all pipeline "
              "ranks";
  SideReader arguments(argumentsOf(main)), results(resultsOf(main));
  for (RankProgram &program : programs) {
    func::FuncOp function = program.function;
    if (failed(arguments.read(function, argumentsOf(function),
                              program.arguments)) ||
        failed(results.read(function, resultsOf(function), program.results)))
      return failure();
  }
  if (failed(arguments.checkFound(main, /*all=*/false)) ||
      failed(results.checkFound(main, /*all=*/true)))
    return failure();
  return programs;
}

LogicalResult tessera::verifyHaveBodies(ArrayRef<RankProgram> programs) {
  for (auto [rank, program] : llvm::enumerate(programs))
    if (func::FuncOp function = program.function; function.isExternal())
      return function.emitError() << "expected the program of pipeline rank "
                                  << rank << ", got a declaration";
  return success();
}

//===----------------------------------------------------------------------===//
// Schedules as attributes
//===----------------------------------------------------------------------===//

FailureOr<StageSchedule>
tessera::readSchedule(pipe::ScheduleAttr attribute,
                      function_ref<InFlightDiagnostic()> emitError) {
  StageSchedule schedule;
  schedule.name = attribute.getName().str();
  schedule.stages = static_cast<int32_t>(attribute.getStages());
  schedule.microbatches = static_cast<int32_t>(attribute.getMicrobatches());
  schedule.vocabularyMeetings = static_cast<int32_t>(attribute.getMeetings());
  for (StringAttr line : attribute.getRanks()) {
    std::vector<StageTask> &tasks = schedule.ranks.emplace_back();
    SmallVector<StringRef> words;
    llvm::SplitString(line, words);
    for (StringRef word : words) {
      std::optional<StageTask> task = parseStageTask(word);
      if (!task)
        return emitError() << "expected a task like 2F5, got '" << word << "'";
      if (task->stage >= schedule.stages ||
          task->microbatch >= schedule.microbatches)
        return emitError() << "expected a task of " << schedule.stages
                           << " stages and " << schedule.microbatches
                           << " microbatches, got '" << word << "'";
      tasks.push_back(*task);
    }
  }
  return schedule;
}

pipe::ScheduleAttr tessera::writeSchedule(MLIRContext *context,
                                          const StageSchedule &schedule) {
  SmallVector<StringAttr> ranks;
  for (const std::vector<StageTask> &tasks : schedule.ranks)
    ranks.push_back(StringAttr::get(
        context, llvm::join(llvm::map_range(tasks,
                                            [](const StageTask &task) {
                                              return toString(task);
                                            }),
                            " ")));
  return pipe::ScheduleAttr::get(
      context, StringAttr::get(context, schedule.name), schedule.stages,
      schedule.microbatches, schedule.vocabularyMeetings, ranks);
}
