//===- Options.cpp - The command line of tessera-sim ----------------------===//

#include "Options.h"

#include "tessera/Simulator/StageTimes.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tessera;
using namespace tessera::sim;
namespace cl = llvm::cl;

static cl::OptionCategory
    schedules("Schedules",
              "tessera-sim --schedule=zb-h1 --stages=4 --microbatches=8 "
              "--times=F=18.5,B=18.1,W=9.3,transfer=0.6\n"
              "  tessera-sim --schedule=mine.csv --times=F=2,B=2,W=1\n"
              "  tessera-sim --list");
static cl::OptionCategory
    programs("Compiled programs",
             "tessera-sim gpt.tsx --cluster=cluster.yaml --svg=gpt.svg");
static cl::OptionCategory outputs(
    "Looking",
    "tessera-sim --schedule=1f1b --stages=8 --microbatches=16 --svg=1f1b.svg\n"
    "  tessera-sim --schedule=zb-v --stages=4 --microbatches=8 --json "
    "--trace=zb-v.json");

static cl::opt<std::string>
    schedule("schedule", cl::cat(schedules), cl::value_desc("name|file.csv"),
             cl::desc("A published schedule (--list), auto to search for the "
                      "best one, or a file as --csv writes it"));
static cl::opt<int64_t> stages("stages", cl::cat(schedules),
                               cl::value_desc("p"),
                               cl::desc("How many ranks share the model"));
static cl::opt<int64_t> microbatches("microbatches", cl::cat(schedules),
                                     cl::value_desc("m"),
                                     cl::desc("Microbatches in a step"));
static cl::opt<int64_t>
    chunks("chunks", cl::cat(schedules), cl::value_desc("v"),
           cl::desc("Stages on each rank (the schedule's own by default)"));
static cl::opt<std::string> times(
    "times", cl::cat(schedules),
    cl::desc("What one microbatch takes on one rank: forward, input "
             "gradient, weight gradient, and until another rank has a "
             "result (1, 1, 1, 0); S and T for the vocabulary's passes, FB "
             "for F and both gradients side by side (dualpipe). W=2:1 "
             "is a weight gradient that auto may take apart into two "
             "tasks. Or a file of comma-separated values with a column F, B, "
             "W, B+W, S, T, transfer, activations, kept, parameters each, and "
             "a row per stage (docs/schedules.md)"),
    cl::value_desc("F=ms,B=ms,W=ms,transfer=ms|file.csv"));
static cl::opt<double> weightInput(
    "weight-input", cl::cat(schedules), cl::value_desc("x"), cl::init(1),
    cl::desc("The part of an activation that the weight gradient needs (1 by "
             "default): the rest is given back when B ends"));
static cl::opt<ScheduleFigure> minimize(
    "minimize", cl::cat(schedules), cl::init(ScheduleFigure::Step),
    cl::desc("What auto makes least; of schedules that are equal, the one that "
             "is less by the other:"),
    cl::values(clEnumValN(ScheduleFigure::Step, "step",
                          "the whole step (by default)"),
               clEnumValN(ScheduleFigure::LongestStage, "longest-stage",
                          "from the first to the last task of a rank, where "
                          "ranks begin the next step as they ended")));
static cl::opt<std::string>
    scales("stage-scales", cl::cat(schedules), cl::value_desc("x,x,..."),
           cl::desc("For each stage a factor for its times and activations"));
static cl::opt<double>
    memoryLimit("memory-limit", cl::cat(schedules), cl::value_desc("x"),
                cl::desc("What a rank may hold, in activations of one "
                         "microbatch on one rank: 4, 2.5 (no bytes)"));
static cl::opt<int64_t> copies(
    "copies", cl::cat(schedules), cl::value_desc("1|2"), cl::init(2),
    cl::desc("On how many ranks auto may put a stage with its parameters "
             "(2 by default)"));
static cl::opt<bool> list("list", cl::cat(schedules),
                          cl::desc("List the published schedules"));

static cl::opt<std::string> program(cl::Positional, cl::cat(programs),
                                    cl::desc("[FILE.tsx]"));
static cl::opt<std::string>
    cluster("cluster", cl::cat(programs), cl::value_desc("file.yaml"),
            cl::desc("The machine that it runs on (docs/cluster.md); by "
                     "default the one that it was compiled for"));

static cl::opt<bool> json("json", cl::cat(outputs),
                          cl::desc("Print the figures as JSON"));
static cl::opt<std::string>
    trace("trace", cl::cat(outputs), cl::value_desc("file.json"),
          cl::desc("Write what happens when, for ui.perfetto.dev"));
static cl::opt<std::string>
    svg("svg", cl::cat(outputs), cl::value_desc("file.svg"),
        cl::desc("Draw the schedule, with the memory of each rank"));
static cl::opt<std::string>
    html("html", cl::cat(outputs), cl::value_desc("file.html"),
         cl::desc("Write a page with the picture and the figures"));
static cl::opt<std::string> csv("csv", cl::cat(outputs),
                                cl::value_desc("file.csv"),
                                cl::desc("Write the schedule itself"));

/// A file of times says itself what the flags beside it would.
static Fallible<void> checkFileAlone() {
  for (const cl::Option *option :
       {(cl::Option *)&scales, (cl::Option *)&weightInput})
    if (option->getNumOccurrences())
      return Failure{"--" + option->ArgStr.str() +
                     ": expected times of a rank, got a file with a row per "
                     "stage, which says that itself"};
  return {};
}

/// What is to be played through.
static Fallible<SimulationRequest> readRequest() {
  SimulationRequest request;
  request.schedule = schedule;
  request.ranks = stages;
  request.microbatches = microbatches;
  request.chunks = chunks;
  if (chunks.getNumOccurrences() && chunks < 1)
    return Failure{"--chunks: expected at least 1, got " +
                   std::to_string(chunks)};
  if (isTimesFile(times)) {
    if (Fallible<void> alone = checkFileAlone(); !alone)
      return alone.failure();
    Fallible<StageCosts> read = readStageTimes(times);
    if (!read)
      return read.failure();
    request.stageCosts = *std::move(read);
  } else if (times.getNumOccurrences()) {
    Fallible<TaskTimes> parsed = parseTaskTimes(times);
    if (!parsed)
      return parsed.failure();
    request.times = *parsed;
  }
  if (!(weightInput >= 0 && weightInput <= 1))
    return Failure{"--weight-input: expected a number from 0 to 1"};
  request.times.weightInput = weightInput;
  if (scales.getNumOccurrences()) {
    Fallible<std::vector<double>> parsed = parseStageScales(scales);
    if (!parsed)
      return parsed.failure();
    request.stageScales = *std::move(parsed);
  }
  if (memoryLimit.getNumOccurrences()) {
    if (!std::isfinite(memoryLimit) || memoryLimit <= 0)
      return Failure{"--memory-limit: expected a number above 0"};
    request.memoryLimit = memoryLimit;
  }
  if (copies != 1 && copies != 2)
    return Failure{"--copies: expected 1 or 2, got " + std::to_string(copies)};
  request.mayCopyStages = copies == 2;
  if (minimize.getNumOccurrences() && schedule != "auto")
    return Failure{"--minimize: expected --schedule=auto, got " + schedule};
  request.minimizes = minimize;
  return request;
}

Fallible<Options> sim::parseOptions(int argc, char **argv) {
  cl::HideUnrelatedOptions({&schedules, &programs, &outputs});
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "tessera-sim " TESSERA_VERSION "\n"; });
  cl::ParseCommandLineOptions(
      argc, argv,
      "Plays a schedule of stages and microbatches through: how long a step "
      "takes, how long ranks wait, what they hold\n");
  Options options;
  options.list = list;
  options.json = json;
  options.csv = csv;
  options.files = {svg, html, trace};
  if (list)
    return options;
  options.program = program;
  options.cluster = cluster;
  if (program.empty() == schedule.empty())
    return Failure{"expected either --schedule or a compiled program; see "
                   "tessera-sim --help"};
  if (cluster.getNumOccurrences() && program.empty())
    return Failure{"--cluster: expected a compiled program; of a schedule by "
                   "itself, --times says what tasks take"};
  if (!program.empty()) {
    for (const cl::Option *option :
         {(cl::Option *)&stages, (cl::Option *)&microbatches,
          (cl::Option *)&chunks, (cl::Option *)&times, (cl::Option *)&scales,
          (cl::Option *)&weightInput, (cl::Option *)&memoryLimit,
          (cl::Option *)&copies, (cl::Option *)&minimize, (cl::Option *)&csv})
      if (option->getNumOccurrences())
        return Failure{"--" + option->ArgStr.str() +
                       ": expected --schedule, got a compiled program"};
    return options;
  }
  Fallible<SimulationRequest> request = readRequest();
  if (!request)
    return request.failure();
  options.request = *std::move(request);
  return options;
}
