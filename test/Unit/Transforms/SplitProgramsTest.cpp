//===- SplitProgramsTest.cpp - Programs of ranks against the loop ---------===//
//
// The property that everything rests on: under any schedule the programs of the
// pipeline ranks together give what the loop over microbatches gives.
//
//===----------------------------------------------------------------------===//

#include "StagedStep.h"

#include "tessera/Driver/Registration.h"
#include "tessera/Interpreter/Boundary.h"
#include "tessera/Interpreter/Interpreter.h"
#include "tessera/Stages/Schedules/ScheduleGenerators.h"
#include "tessera/Support/TensorComparison.h"
#include "tessera/Transforms/Partition/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace tessera;
using namespace tessera::test;

/// Compares the step under `schedule` before and after it is split.
static void checkStep(const StageSchedule &schedule, StagedStep::Shape shape) {
  std::string text = StagedStep(schedule, shape).write();
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  auto boundary = Boundary::of(*module);
  ASSERT_TRUE(succeeded(boundary));
  std::vector<HostTensor> inputs = boundary->randomInputs(1);
  auto expected = interpretModule(*module, inputs);
  ASSERT_TRUE(succeeded(expected));

  mlir::PassManager passes(&context);
  passes.addPass(partition::createSplitPrograms());
  passes.addPass(partition::createVerifyPartitioned());
  ASSERT_TRUE(succeeded(passes.run(*module))) << text;
  auto got = interpretModule(*module, inputs);
  ASSERT_TRUE(succeeded(got)) << text;
  Tolerance tolerance{1e-5, 0};
  for (size_t i = 0; i < got->results.size(); ++i) {
    auto difference = compareTensors(got->results[i], expected->results[i]);
    EXPECT_TRUE(difference.within(tolerance))
        << "result " << i << ": "
        << difference.describe(tolerance, got->results[i].shape()) << "\n"
        << text;
  }
}

TEST(SplitPrograms, PublishedSchedulesGiveWhatTheLoopGives) {
  int32_t checked = 0;
  for (const PublishedSchedule &published : listSchedules())
    for (int32_t ranks : {2, 4})
      for (int32_t microbatches : {ranks, 2 * ranks}) {
        auto schedule =
            makeSchedule(published.name, {ranks, microbatches, /*chunks=*/0});
        // Not all take all numbers; stages whose output layer is spread over
        // the ranks are no fragments.
        if (!schedule || schedule->vocabularyMeetings)
          continue;
        SCOPED_TRACE(std::string(published.name) + ", " +
                     std::to_string(ranks) + " ranks, " +
                     std::to_string(microbatches) + " microbatches");
        checkStep(*schedule, {/*hasSkip=*/microbatches > ranks,
                              /*hasTwoGroups=*/ranks > 2});
        ++checked;
      }
  EXPECT_GE(checked, 30);
}

//===----------------------------------------------------------------------===//
// Any order
//===----------------------------------------------------------------------===//

namespace {

/// Makes schedules that nobody would publish: each stage on one or two random
/// ranks, tasks in any order that their inputs allow.
class RandomSchedule {
public:
  explicit RandomSchedule(uint32_t seed) : random(seed) {}

  StageSchedule make();

private:
  int32_t draw(int32_t n) { return static_cast<int32_t>(random() % n); }
  std::vector<StageTask> readyTasks() const;
  bool isDone(TaskKind kind, int32_t stage, int32_t microbatch,
              int32_t part = StageTask::kWhole) const {
    return done.count({kind, stage, microbatch, part});
  }

  std::mt19937 random;
  StageSchedule schedule;
  bool splits = false;
  /// Whether every other weight gradient is taken apart.
  bool hasParts = false;
  std::set<std::tuple<TaskKind, int32_t, int32_t, int32_t>> done;
};

} // namespace

/// What could run now, not yet done.
std::vector<StageTask> RandomSchedule::readyTasks() const {
  std::vector<StageTask> ready;
  TaskKind backward = splits ? TaskKind::InputGradient : TaskKind::Backward;
  for (int32_t s = 0; s < schedule.stages; ++s)
    for (int32_t i = 0; i < schedule.microbatches; ++i) {
      auto offer = [&](TaskKind kind, bool hasInputs,
                       int32_t part = StageTask::kWhole) {
        if (hasInputs && !isDone(kind, s, i, part))
          ready.push_back({kind, s, i, part});
      };
      offer(TaskKind::Forward, s == 0 || isDone(TaskKind::Forward, s - 1, i));
      offer(backward,
            isDone(TaskKind::Forward, s, i) &&
                (s == schedule.stages - 1 ? isDone(TaskKind::Forward, s, i)
                                          : isDone(backward, s + 1, i)));
      const TaskKind weight = TaskKind::WeightGradient;
      if (splits && hasParts && (s + i) % 2) {
        offer(weight, isDone(backward, s, i), 0);
        offer(weight, isDone(weight, s, i, 0), 1);
      } else if (splits) {
        offer(weight, isDone(backward, s, i));
      }
    }
  return ready;
}

StageSchedule RandomSchedule::make() {
  int32_t ranks = 1 + draw(4);
  schedule.name = "random";
  schedule.stages = 2 + draw(4);
  schedule.microbatches = 1 + draw(5);
  schedule.ranks.resize(ranks);
  splits = draw(2);
  hasParts = draw(2);
  std::vector<std::pair<int32_t, int32_t>> copies;
  for (int32_t s = 0; s < schedule.stages; ++s)
    copies.push_back({draw(ranks), draw(ranks)});
  for (std::vector<StageTask> ready = readyTasks(); !ready.empty();
       ready = readyTasks()) {
    StageTask task = ready[draw(static_cast<int32_t>(ready.size()))];
    auto [even, odd] = copies[task.stage];
    schedule.ranks[task.microbatch % 2 ? odd : even].push_back(task);
    done.insert({task.kind, task.stage, task.microbatch, task.part});
  }
  return schedule;
}

TEST(SplitPrograms, AnyOrderThatCanBeFollowedGivesWhatTheLoopGives) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    StageSchedule schedule = RandomSchedule(seed).make();
    std::vector<int32_t> parts = schedule.weightParts();
    bool hasParts = *std::max_element(parts.begin(), parts.end()) > 0;
    checkStep(schedule, {/*hasSkip=*/seed % 2 == 0,
                         /*hasTwoGroups=*/hasParts || seed % 3 == 0, hasParts});
  }
}
