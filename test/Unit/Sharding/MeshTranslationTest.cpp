#include "tessera/Sharding/Algebra/MeshTranslation.h"
#include "PlacementGraph.h"
#include "Printing.h"
#include "SimulatedDevices.h"

#include "tessera/Sharding/Reshard/ReshardPlanner.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

Mesh meshOf(llvm::ArrayRef<const char *> names, llvm::ArrayRef<int64_t> sizes,
            llvm::ArrayRef<int64_t> deviceIds = {}) {
  llvm::SmallVector<MeshAxis> axes;
  for (auto [name, size] : llvm::zip_equal(names, sizes))
    axes.push_back({name, size});
  return Mesh(axes, deviceIds);
}

std::string text(const std::optional<AxisList> &axes) {
  return axes ? toString(*axes) : "none";
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

TEST(MeshTranslation, AxesOfOtherSizesAreParts) {
  Mesh wide = meshOf({"x", "y"}, {4, 2}), tall = meshOf({"a", "b"}, {2, 4});
  EXPECT_EQ(text(translateAxes({"a"}, tall, wide)), R"({"x":(1)2})");
  EXPECT_EQ(text(translateAxes({"b"}, tall, wide)), R"({"x":(2)2, "y"})");
  EXPECT_EQ(text(translateAxes({"x"}, wide, tall)), R"({"a", "b":(1)2})");
  EXPECT_EQ(text(translateAxes({AxisRef("x", 2, 2)}, wide, tall)),
            R"({"b":(1)2})");
  EXPECT_EQ(text(translateAxes({"b", "a"}, tall, wide)),
            R"({"x":(2)2, "y", "x":(1)2})");
}

TEST(MeshTranslation, ATransposedOrderOfDevicesIsOtherAxes) {
  Mesh rows = meshOf({"x", "y"}, {2, 3});
  Mesh columns = meshOf({"a", "b"}, {3, 2}, {0, 3, 1, 4, 2, 5});
  EXPECT_EQ(text(translateAxes({"a"}, columns, rows)), R"({"y"})");
  EXPECT_EQ(text(translateAxes({"b"}, columns, rows)), R"({"x"})");
}

TEST(MeshTranslation, CutsThatDoNotDivideHaveNoAxes) {
  Mesh rows = meshOf({"x", "y"}, {2, 3}), columns = meshOf({"a", "b"}, {3, 2});
  EXPECT_EQ(text(translateAxes({"a"}, columns, rows)), "none");
  EXPECT_EQ(text(translateAxes({"b"}, columns, rows)), "none");
  EXPECT_EQ(text(translateAxes({"a", "b"}, columns, rows)), R"({"x", "y"})");
  Mesh flat = meshOf({"f"}, {6});
  EXPECT_EQ(text(translateAxes({"a"}, columns, flat)), R"({"f":(1)3})");
  EXPECT_EQ(text(translateAxes({"y"}, rows, flat)), R"({"f":(2)3})");
}

TEST(MeshTranslation, ARingHasNoAxes) {
  Mesh ring = meshOf({"x"}, {4}, {0, 1, 3, 2}), line = meshOf({"x"}, {4});
  EXPECT_EQ(text(translateAxes({"x"}, ring, line)), "none");
  EXPECT_EQ(text(translateAxes({AxisRef("x", 1, 2)}, ring, line)),
            R"({"x":(1)2})");
  EXPECT_EQ(text(translateAxes({}, ring, line)), "{}");
  EXPECT_EQ(text(translateSet({"x"}, ring, line)), R"({"x"})");
  EXPECT_EQ(text(translateSet({AxisRef("x", 2, 2)}, ring, line)), "none");
}

TEST(MeshTranslation, RefinedAxesAreThoseOfAllMeshes) {
  Mesh wide = meshOf({"x", "y"}, {4, 6});
  Mesh columns = meshOf({"a", "b", "c"}, {3, 4, 2},
                        {0,  1,  6,  7,  12, 13, 18, 19, 2,  3,  8,  9,
                         14, 15, 20, 21, 4,  5,  10, 11, 16, 17, 22, 23});
  Mesh halves = meshOf({"p", "q"}, {2, 12});
  std::optional<Mesh> refined = refinedMesh(wide, {columns, halves});
  ASSERT_TRUE(refined);
  EXPECT_EQ(*refined, meshOf({"x_1", "x_2", "y_1", "y_3"}, {2, 2, 3, 2}));
  EXPECT_EQ(text(translateAxes({"a"}, columns, *refined)), R"({"y_1"})");
  EXPECT_EQ(text(translateAxes({"b"}, columns, *refined)), R"({"x_1", "x_2"})");
  EXPECT_EQ(text(translateAxes({"q"}, halves, *refined)),
            R"({"x_2", "y_1", "y_3"})");
  // Cuts at 2 and at 3 of 6.
  EXPECT_EQ(refinedMesh(meshOf({"x"}, {6}), {meshOf({"a", "b"}, {2, 3}),
                                             meshOf({"a", "b"}, {3, 2})}),
            std::nullopt);
  // What cannot be expressed cuts nothing.
  EXPECT_EQ(refinedMesh(meshOf({"x"}, {4}), meshOf({"x"}, {4}, {0, 1, 3, 2})),
            meshOf({"x"}, {4}));
}

TEST(MeshTranslation, AnyGridIsArrangedOnPrimeAxes) {
  Mesh grid = primeMesh(meshOf({"x", "y"}, {2, 12}));
  EXPECT_EQ(grid, meshOf({"x", "y_1", "y_2", "y_4"}, {2, 2, 2, 3}));
  Mesh mesh = meshOf({"a", "b", "c"}, {3, 4, 2});
  EXPECT_EQ(text(translateAxes({"a"}, mesh, grid)), "none");
  Mesh arranged = arrangedOn(grid, mesh);
  EXPECT_EQ(arranged.axes, mesh.axes);
  EXPECT_EQ(text(translateAxes({"a"}, arranged, grid)), R"({"y_4"})");
  EXPECT_EQ(text(translateAxes({"b"}, arranged, grid)), R"({"x", "y_1"})");
  EXPECT_EQ(text(translateAxes({"c"}, arranged, grid)), R"({"y_2"})");
  // What has common cuts stays as it is, in the grid's order of devices.
  Mesh ring = primeMesh(meshOf({"x"}, {4}, {0, 1, 3, 2}));
  EXPECT_EQ(arrangedOn(ring, meshOf({"a", "b"}, {2, 2})),
            meshOf({"a", "b"}, {2, 2}, {0, 1, 3, 2}));
}

TEST(MeshTranslation, MeshesAreCutWherePartsEnd) {
  Mesh mesh = meshOf({"x", "y"}, {2, 12});
  EXPECT_EQ(cutMesh(mesh, {"x", AxisRef("y", 3, 2)}),
            meshOf({"x", "y_1", "y_3", "y_6"}, {2, 3, 2, 2}));
  EXPECT_EQ(cutMesh(mesh, {AxisRef("y", 1, 2), AxisRef("y", 1, 3)}),
            std::nullopt);
  // Prime sizes keep these cuts, which arrangements are made of.
  Mesh grid = primeMesh(*cutMesh(mesh, {AxisRef("y", 1, 3)}));
  EXPECT_EQ(grid, meshOf({"x", "y_1", "y_3_1", "y_3_2"}, {2, 3, 2, 2}));
}

//===----------------------------------------------------------------------===//
// Plans from mesh to mesh
//===----------------------------------------------------------------------===//

struct MeshPair {
  Mesh source, target;
  size_t rank;
};

void PrintTo(const MeshPair &pair, std::ostream *os) {
  *os << toString(pair.source) << " to " << toString(pair.target) << " rank "
      << pair.rank;
}

class AllPairsOfMeshes : public testing::TestWithParam<MeshPair> {};

/// The cheapest way from a sharding on one mesh to any on another: on the first
/// to any sharding, from there by an exchange of whole parts, or for nothing,
/// to any on the second, and on from there.
class ChangesOfMesh {
public:
  ChangesOfMesh(const PlacementGraph &from, const Mesh &source,
                const PlacementGraph &to, const Mesh &target, double bytes)
      : from(from), to(to), source(source), target(target) {
    LinkCosts link;
    for (size_t s = 0; s < from.size(); ++s)
      for (size_t t = 0; t < to.size(); ++t) {
        TensorSharding before = from.sharding(s), after = to.sharding(t);
        auto counts = partsOf(before, source);
        if (counts != partsOf(after, target))
          continue;
        double local = bytes;
        for (size_t dim = 0; dim + 1 < counts.size(); ++dim)
          local /= counts[dim];
        std::optional<TensorSharding> same = translate(before, source, target);
        bool isFree = same && same->samePlacement(after, target);
        changes.push_back(
            {s, t, isFree ? 0 : 2 * link.latency + local / link.bandwidth});
      }
  }

  double seconds(size_t start, size_t goal) const {
    // Data becomes unreduced only over what is unreduced in the end.
    AxisList allowed = from.sharding(start).unreduced;
    if (auto wanted = translateSet(to.sharding(goal).unreduced, target, source))
      llvm::append_range(allowed, *wanted);
    double best = std::numeric_limits<double>::infinity();
    for (const Change &change : changes) {
      AxisList unreduced = from.sharding(change.from).unreduced;
      double cost = from.seconds(start, change.from) + change.seconds +
                    to.seconds(change.to, goal);
      if (cost < best && llvm::all_of(unreduced, [&](const AxisRef &axis) {
            return llvm::any_of(allowed, [&](const AxisRef &other) {
              return other.contains(axis, source);
            });
          }))
        best = cost;
    }
    return best;
  }

private:
  static std::vector<int64_t> partsOf(const TensorSharding &sharding,
                                      const Mesh &mesh) {
    std::vector<int64_t> counts;
    for (const DimSharding &dim : sharding.dims)
      counts.push_back(totalSize(dim.axes, mesh));
    counts.push_back(totalSize(sharding.unreduced, mesh));
    return counts;
  }

  struct Change {
    size_t from, to;
    double seconds;
  };
  const PlacementGraph &from, &to;
  const Mesh &source, &target;
  std::vector<Change> changes;
};

TEST_P(AllPairsOfMeshes, PlansAreRightAndTheCheapest) {
  const auto &[source, target, rank] = GetParam();
  constexpr int64_t kElementBytes = 1 << 16;
  llvm::SmallVector<int64_t> shape(rank, source.numDevices());
  PlacementGraph from(source, shape, kElementBytes);
  PlacementGraph to(target, shape, kElementBytes);
  from.findShortestPaths(/*withReassemblies=*/false);
  to.findShortestPaths(/*withReassemblies=*/false);
  double bytes = kElementBytes;
  for (int64_t size : shape)
    bytes *= size;
  ChangesOfMesh changes(from, source, to, target, bytes);

  ReshardOptions options;
  options.memoryLimit = std::numeric_limits<int64_t>::max();
  ReshardPlanner planner(source, target, options);
  for (size_t start = 0; start < from.size(); ++start) {
    SimulatedDevices atSource(source, shape, from.sharding(start), &target);
    for (size_t goal = 0; goal < to.size(); ++goal) {
      ReshardProblem problem{from.sharding(start), to.sharding(goal), shape,
                             kElementBytes};
      const ReshardResult &result = planner.plan(problem);
      ASSERT_TRUE(result.plan) << result.error;
      std::string what = toString(problem.source) + " -> " +
                         toString(problem.target) + ": " +
                         toString(*result.plan);
      ASSERT_EQ(result.plan->verify(problem, source, target), "") << what;
      SimulatedDevices devices = atSource;
      for (const ReshardStep &step : result.plan->steps)
        devices.run(step);
      ASSERT_EQ(devices.check(problem.target), "") << what;
      double best = changes.seconds(start, goal);
      // An exchange that moves nothing may turn out to be free.
      ASSERT_LE(result.plan->seconds, best * (1 + 1e-9) + 1e-10) << what;
    }
  }
}

std::vector<MeshPair> meshPairs() {
  Mesh grid = meshOf({"x", "y"}, {2, 2});
  std::vector<std::pair<Mesh, Mesh>> pairs = {
      {meshOf({"x"}, {4}), meshOf({"x"}, {4}, {0, 1, 3, 2})},
      {grid, meshOf({"x", "y"}, {2, 2}, {0, 2, 1, 3})},
      {grid, meshOf({"x", "y"}, {2, 2}, {3, 1, 0, 2})},
      {grid, meshOf({"x"}, {4})},
      {meshOf({"x", "y"}, {4, 2}), meshOf({"y", "x"}, {2, 4})},
      {meshOf({"x", "y"}, {2, 3}), meshOf({"x", "y"}, {3, 2})},
      {meshOf({"x", "y"}, {2, 3}),
       meshOf({"a", "b"}, {3, 2}, {0, 3, 1, 4, 2, 5})},
      {meshOf({"x"}, {6}), meshOf({"x", "y"}, {3, 2}, {5, 0, 4, 1, 3, 2})}};
  std::vector<MeshPair> list;
  for (const auto &[source, target] : pairs)
    for (size_t rank : {1, 2})
      list.push_back({source, target, rank});
  return list;
}

INSTANTIATE_TEST_SUITE_P(SmallMeshes, AllPairsOfMeshes,
                         testing::ValuesIn(meshPairs()));

} // namespace
