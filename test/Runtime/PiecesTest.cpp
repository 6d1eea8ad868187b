//===- PiecesTest.cpp - Boxes of arguments, out of a job and into one -----===//

#include "tessera/pieces.h"
#include "ProgramFixture.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace tessera::runtime::test;

TEST_F(ProgramTest, PiecesCoverArgumentsOnce) {
  // Rows of w in shards of two along x, of which the last has one row; replicas
  // along y.
  std::string w =
      R"({"name": "w", "dtype": "i32", "shape": [5, 2], "local_shape": [2, 2],
          "sharding": [[{"axis": "x"}], []]})";
  std::string scalar = R"({"name": "s", "dtype": "i32", "shape": [],
                           "local_shape": [], "sharding": []})";
  std::string sum =
      R"({"name": "sum", "dtype": "f32", "shape": [2], "local_shape": [2],
          "sharding": [[]], "unreduced": [{"axis": "x"}], "reduction": "sum"})";
  std::string total =
      R"({"name": "total", "dtype": "f32", "shape": [], "local_shape": [],
          "sharding": [], "unreduced": [{"axis": "y"}], "reduction": "sum"})";
  buildModel(
      folder.path("m.tsx"),
      manifestOf(R"([{"name": "x", "size": 3}, {"name": "y", "size": 2}])",
                 "[" + w + ", " + scalar + ", " + sum + ", " + total + "]",
                 "[]"),
      "int32_t tessera_main(TesseraContext *c, void *const *a, void "
      "*const *r, void *m) { return 0; }");
  TesseraProgram *program = load(folder.path("m.tsx"));
  TesseraJob *job = start(program, {}), *other = start(program, {});
  std::vector<int32_t> values(10);
  int32_t seven = 7;
  std::iota(values.begin(), values.end(), 1);
  ASSERT_EQ(tessera_job_set_argument(job, 0, values.data()), TESSERA_OK);
  ASSERT_EQ(tessera_job_set_argument(job, 1, &seven), TESSERA_OK);

  const TesseraPiece *pieces = nullptr;
  int64_t count = 0;
  int32_t both[] = {0, 1};
  ASSERT_EQ(tessera_job_divide(job, both, 2, &pieces, &count), TESSERA_OK);
  ASSERT_EQ(count, 4);
  std::map<int32_t, int> byRank;
  ASSERT_EQ(tessera_job_begin_argument(other, 0), TESSERA_OK);
  for (int64_t i = 0; i < count; ++i) {
    EXPECT_TRUE(tessera_job_has_rank(job, pieces[i].rank));
    ++byRank[pieces[i].rank];
    std::vector<int32_t> data(4, -1);
    ASSERT_EQ(tessera_job_get_piece(job, i, data.data()), TESSERA_OK);
    if (pieces[i].argument == 1) {
      EXPECT_EQ(data[0], 7);
      continue;
    }
    ASSERT_EQ(tessera_job_set_box(other, pieces[i].begin, pieces[i].size,
                                  data.data()),
              TESSERA_OK);
    int64_t row = pieces[i].begin[0], rows = pieces[i].size[0];
    EXPECT_EQ(rows, row == 4 ? 1 : 2);
    for (int j = 0; j < 4; ++j)
      EXPECT_EQ(data[j], j < 2 * rows ? 2 * row + j + 1 : -1);
  }
  ASSERT_EQ(tessera_job_end_argument(other), TESSERA_OK);
  EXPECT_EQ(byRank.size(), 4u) << "ranks share what several hold";
  std::vector<int32_t> copied(10);
  ASSERT_EQ(tessera_job_get_argument(other, 0, copied.data()), TESSERA_OK);
  EXPECT_EQ(copied, values);

  int64_t outside[] = {5, 0}, none[] = {0, 2}, begin[] = {4, 1}, one[] = {1, 1};
  ASSERT_EQ(tessera_job_begin_argument(job, 0), TESSERA_OK);
  EXPECT_FALSE(tessera_job_needs_box(job, outside, none));
  EXPECT_TRUE(tessera_job_needs_box(job, begin, one));
  ASSERT_EQ(tessera_job_end_argument(job), TESSERA_OK);
  EXPECT_FALSE(tessera_job_needs_box(job, begin, one));

  auto message = [](TesseraStatus status) -> std::string {
    return status == TESSERA_INVALID ? tessera_error_message() : "";
  };
  int32_t wrong[] = {2, 3, 4};
  EXPECT_EQ(message(tessera_job_divide(job, wrong, 1, &pieces, &count)),
            "argument 'sum' is a sum that ranks hold the parts of");
  EXPECT_EQ(message(tessera_job_divide(job, wrong + 1, 1, &pieces, &count)),
            "argument 'total' is a sum that ranks hold the parts of");
  EXPECT_EQ(message(tessera_job_divide(job, wrong + 2, 1, &pieces, &count)),
            "the program has no argument 4");
  EXPECT_EQ(message(tessera_job_get_piece(job, 4, values.data())),
            "this process has no piece 4");
  EXPECT_EQ(message(tessera_job_get_piece(job, -1, values.data())),
            "this process has no piece -1");
  EXPECT_EQ(message(tessera_job_set_box(job, begin, one, values.data())),
            "no argument was begun");
  EXPECT_EQ(message(tessera_job_end_argument(job)), "no argument was begun");
  EXPECT_EQ(message(tessera_job_begin_argument(job, -1)),
            "the program has no argument -1");
  tessera_job_destroy(job);
  tessera_job_destroy(other);
  tessera_program_destroy(program);
}
