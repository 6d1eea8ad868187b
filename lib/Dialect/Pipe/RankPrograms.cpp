//===- RankPrograms.cpp - the programs of the pipeline ranks --------------===//

#include "tessera/Dialect/Pipe/RankPrograms.h"

#include "tessera/Dialect/Pipe/Pipe.h"

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

/// Reads which of `main`'s the arguments (results) of `function` are into
/// `numbers`, and marks them in `found`.
static LogicalResult readSide(func::FuncOp function, const Side &side,
                              const Side &main, SmallVector<int64_t> &numbers,
                              llvm::BitVector &found) {
  for (auto [i, type] : llvm::enumerate(side.types)) {
    auto number =
        dyn_cast_or_null<IntegerAttr>(find(side.attributes[i], side.attribute));
    int64_t last = numbers.empty() ? -1 : numbers.back();
    if (!number || number.getInt() <= last ||
        number.getInt() >= int64_t(main.types.size()))
      return function.emitError()
             << "expected in " << side.attribute << " of " << side.what << ' '
             << i << " the number of one of @main's after " << last;
    int64_t global = number.getInt();
    if (type != main.types[global])
      return function.emitError()
             << "expected type " << main.types[global] << " for " << side.what
             << ' ' << i << ", which is number " << global << " of @main, got "
             << type;
    StringRef sharding = TesseraDialect::kShardingAttr;
    if (find(side.attributes[i], sharding) !=
        find(main.attributes[global], sharding))
      return function.emitError()
             << "expected " << side.what << ' ' << i
             << " to have the sharding of number " << global << " of @main";
    numbers.push_back(global);
    found.set(global);
  }
  return success();
}

static LogicalResult checkAllFound(func::FuncOp main, StringRef what,
                                   const llvm::BitVector &found) {
  int missing = found.find_first_unset();
  if (missing < 0)
    return success();
  return main.emitError() << "expected " << what << ' ' << missing
                          << " on a pipeline rank, got it on none";
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
  llvm::BitVector arguments(main.getNumArguments()),
      results(main.getNumResults());
  for (RankProgram &program : programs) {
    func::FuncOp function = program.function;
    if (failed(readSide(function, argumentsOf(function), argumentsOf(main),
                        program.arguments, arguments)) ||
        failed(readSide(function, resultsOf(function), resultsOf(main),
                        program.results, results)))
      return failure();
  }
  if (failed(checkAllFound(main, "argument", arguments)) ||
      failed(checkAllFound(main, "result", results)))
    return failure();
  return programs;
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
