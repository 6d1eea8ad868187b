//===- PlanTimes.cpp - How long the reshard planner takes -----------------===//
//
// Plans random reshards on meshes of four axes and prints how long a plan takes
// when it is new (mean, median, 95th and 99th percentile, largest) and when it
// is known.
//
//===----------------------------------------------------------------------===//
#include "tessera/Sharding/Reshard/ReshardPlanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>
#include <random>

using namespace tessera;

/// A sharding of `rank` dimensions in which every axis, or each of two parts of
/// it, splits some dimension, is not used or, at times, is pending.
static TensorSharding randomSharding(const Mesh &mesh, size_t rank,
                                     bool cutsAxes, std::mt19937 &random) {
  AxisList axes;
  for (const MeshAxis &axis : mesh.axes)
    if (cutsAxes && axis.size % 2 == 0 && axis.size > 2 && random() % 3 == 0) {
      axes.push_back(AxisRef(axis.name, 1, 2));
      axes.push_back(AxisRef(axis.name, 2, axis.size / 2));
    } else {
      axes.push_back(axis.name);
    }
  for (size_t i = axes.size(); i > 1; --i)
    std::swap(axes[i - 1], axes[random() % i]);
  TensorSharding sharding = TensorSharding::getReplicated(rank);
  for (const AxisRef &axis : axes) {
    size_t role = random() % (rank + 2);
    if (role < rank)
      sharding.dims[role].axes.push_back(axis);
    else if (role == rank && random() % 3 == 0)
      sharding.unreduced.push_back(axis);
  }
  return sharding.canonical(mesh);
}

/// The processor time of this thread, which other programs do not disturb.
static double processorSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static void measure(llvm::ArrayRef<int64_t> sizes, bool cutsAxes,
                    bool twoLevels) {
  constexpr int kProblems = 1000;
  static const char *names[] = {"w", "x", "y", "z"};
  llvm::SmallVector<MeshAxis> axes;
  for (auto [name, size] : llvm::zip_equal(names, sizes))
    axes.push_back({name, size});
  Mesh mesh(axes);
  ReshardOptions options;
  if (twoLevels) {
    options.links.resize(sizes.size());
    options.links[0] = {2e-5, 5e9};
  }
  ReshardPlanner planner(mesh, options);
  std::mt19937 random(20261121);
  llvm::SmallVector<ReshardProblem, 0> problems;
  for (int i = 0; i < kProblems; ++i) {
    size_t rank = 2 + i % 2;
    llvm::SmallVector<int64_t> shape(rank, 4 * mesh.numDevices());
    TensorSharding source = randomSharding(mesh, rank, cutsAxes, random);
    TensorSharding target = randomSharding(mesh, rank, cutsAxes, random);
    problems.push_back({source, target, shape, 2});
  }
  llvm::SmallVector<std::pair<double, int>, 0> times;
  double sum = 0;
  for (auto [index, problem] : llvm::enumerate(problems)) {
    double start = processorSeconds();
    planner.plan(problem);
    times.push_back({processorSeconds() - start, index});
    sum += times.back().first;
  }
  double start = processorSeconds();
  for (const ReshardProblem &problem : problems)
    planner.plan(problem);
  double known = processorSeconds() - start;
  llvm::sort(times);
  llvm::interleave(sizes, llvm::outs(), " x ");
  llvm::outs() << (cutsAxes ? ", parts of axes" : ", whole axes")
               << (twoLevels ? ", two levels" : "") << ": mean "
               << llvm::format("%.0f", sum / kProblems * 1e6) << " us, median "
               << llvm::format("%.0f", times[kProblems / 2].first * 1e6)
               << " us, 95% below "
               << llvm::format("%.0f", times[kProblems * 95 / 100].first * 1e6)
               << " us, 99% below "
               << llvm::format("%.0f", times[kProblems * 99 / 100].first * 1e6)
               << " us, largest "
               << llvm::format("%.0f", times.back().first * 1e6)
               << " us; known " << llvm::format("%.0f", known / kProblems * 1e9)
               << " ns\n";
  llvm::outs().flush();
}

int main() {
  using Sizes = llvm::SmallVector<int64_t>;
  for (const Sizes &sizes : {Sizes{2, 2, 2, 2}, Sizes{2, 8, 4, 4},
                             Sizes{6, 4, 2, 8}, Sizes{4, 16, 8, 16}})
    for (bool cutsAxes : {false, true})
      for (bool twoLevels : {false, true})
        measure(sizes, cutsAxes, twoLevels);
  return 0;
}
