//===- CheckpointTest.cpp - Indices, pieces and folders of checkpoints ----===//

#include "checkpoint/Checkpoint.h"
#include "TestModel.h"
#include "tessera/Support/Checksum.h"
#include "tessera/Support/File.h"
#include "tessera/Support/TensorFile.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <regex>
#include <thread>

using namespace tessera;
using namespace tessera::checkpoint;
using namespace tessera::runtime::test;
namespace fs = std::filesystem;

/// A state of tensors of several types: `w` in four cells of unequal sizes on
/// ranks 0 and 1, the others on rank 1 alone.
static Snapshot makeSnapshot(int64_t step, std::set<int32_t> ranks = {0, 1}) {
  Snapshot snapshot;
  snapshot.index.step = snapshot.index.position = step;
  snapshot.index.blockBytes = 64;
  snapshot.index.tensors = {
      {"w", ElementType::F32, {5, 7}, "", {}, {}},
      {"flag", ElementType::I1, {3}, "", {}, {}},
      {"small", ElementType::U8, {2, 4}, "f8E4M3FN", {}, {}},
      {"odd", ElementType::U8, {4}, "i4", {}, {}},
      {"none", ElementType::F64, {0, 3}, "", {}, {}},
      {"step", ElementType::I32, {}, "", {}, {}}};
  auto add = [&](size_t tensor, int32_t rank, TensorBox box) {
    if (ranks.contains(rank))
      snapshot.items.push_back({tensor, rank, std::move(box), 0});
    else if (snapshot.others.empty() || snapshot.others.back() != rank)
      snapshot.others.push_back(rank);
  };
  add(0, 0, {{0, 0}, {3, 4}});
  add(0, 0, {{3, 0}, {2, 4}});
  add(0, 1, {{3, 4}, {2, 3}});
  add(0, 1, {{0, 4}, {3, 3}});
  add(1, 1, {{0}, {3}});
  add(2, 1, {{0, 0}, {2, 4}});
  add(3, 1, {{0}, {4}});
  add(5, 1, {{}, {}});
  std::ranges::sort(snapshot.others);
  auto last = std::ranges::unique(snapshot.others);
  snapshot.others.erase(last.begin(), last.end());
  EXPECT_TRUE(snapshot.allocate());
  for (const Snapshot::Item &item : snapshot.items) {
    const Tensor &tensor = snapshot.index.tensors[item.tensor];
    // Each element is its number in the global tensor, plus the step.
    forEachRun(item.box, TensorBox::whole(tensor.shape), item.box,
               [&](int64_t global, int64_t local, int64_t count) {
                 for (int64_t i = 0; i < count; ++i) {
                   std::byte *at = snapshot.buffer.get() + item.offset +
                                   (local + i) * elementSize(tensor.type);
                   if (tensor.type == ElementType::F32)
                     *reinterpret_cast<float *>(at) = global + i + step;
                   else if (tensor.type == ElementType::I1)
                     *at = std::byte((global + i) % 2);
                   else
                     *at = std::byte(global + i + step);
                 }
               });
  }
  return snapshot;
}

namespace {
class Checkpoints : public testing::Test {
protected:
  /// Writes a checkpoint and returns its folder.
  std::string write(int64_t step, int64_t keep = 0) {
    Writer writer(store, makeSnapshot(step), 7, /*leads=*/true, keep);
    writer.start();
    Fallible<void> written = writer.wait();
    EXPECT_TRUE(written) << written.message();
    return store.pathOf(step);
  }

  static std::string read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void overwrite(const std::string &path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  /// With the checksum of what it is now.
  static std::string sealed(const std::string &index) {
    std::string rest = index.substr(index.find('\n') + 1);
    char line[32];
    std::snprintf(line, sizeof line, "{\"crc32\": \"%08x\",\n", crc32(rest));
    return line + rest;
  }

  /// Reads all of a checkpoint; nothing if it does not do.
  static std::optional<std::vector<std::string>>
  contents(const std::string &folder) {
    Fallible<Reader> reader = Reader::open(folder);
    if (!reader)
      return {};
    std::vector<std::string> bytes;
    for (const Tensor &tensor : reader->index().tensors) {
      Fallible<HostTensor> whole = reader->readWhole(tensor);
      if (!whole)
        return {};
      bytes.emplace_back(reinterpret_cast<const char *>(whole->data()),
                         whole->byteSize());
    }
    return bytes;
  }

  /// What is wrong with the index after a change, its checksum made to fit.
  std::string errorAfter(const std::string &from, const std::string &to) {
    std::string index = read(write(1) + "/index.json");
    std::string changed = std::regex_replace(
        index, std::regex(from), to, std::regex_constants::format_first_only);
    EXPECT_NE(index, changed) << from;
    Fallible<Index> parsed = parseIndex(sealed(changed), Extent::Whole);
    return parsed ? "" : parsed.message();
  }

  TemporaryFolder folder;
  Store store{folder.path("run")};
};
} // namespace

TEST_F(Checkpoints, HoldGlobalTensors) {
  std::string path = write(3);
  Fallible<Reader> reader = Reader::open(path);
  ASSERT_TRUE(reader) << reader.message();
  EXPECT_EQ(reader->index().step, 3);
  const Tensor *w = reader->index().find("w");
  ASSERT_TRUE(w);
  EXPECT_EQ(w->pieces.size(), 4u);
  Fallible<HostTensor> whole = reader->readWhole(*w);
  ASSERT_TRUE(whole) << whole.message();
  for (int i = 0; i < 35; ++i)
    EXPECT_EQ(whole->toDouble(i), i + 3);
  EXPECT_EQ(reader->index().find("small")->describeType(),
            "u8[2x4] of f8E4M3FN");
  EXPECT_EQ(reader->readWhole(*reader->index().find("none"))->byteSize(), 0u);
  // Each file by itself is one of the format.
  auto pieces = readTensorFile(path + "/rank-00001.safetensors");
  ASSERT_TRUE(pieces) << pieces.message();
  EXPECT_EQ((*pieces)[0].name, "w@3,4");
  EXPECT_EQ((*pieces)[3].name, "small");
  EXPECT_EQ((*pieces)[3].shortType, "f8E4M3FN");
}

TEST_F(Checkpoints, ReadOnlyBlocksThatAreNeeded) {
  Fallible<Reader> reader = Reader::open(write(0));
  ASSERT_TRUE(reader);
  std::vector<std::string> blocks;
  TensorBox wanted{{1, 5}, {3, 1}};
  Fallible<void> done = reader->read(
      *reader->index().find("w"),
      [&](const TensorBox &box) { return !intersect(box, wanted).isEmpty(); },
      [&](const TensorBox &box, const std::byte *data) -> Fallible<void> {
        blocks.push_back(box.describe());
        EXPECT_EQ(*reinterpret_cast<const float *>(data),
                  box.begin[0] * 7 + box.begin[1]);
        return {};
      });
  ASSERT_TRUE(done) << done.message();
  EXPECT_EQ(blocks, (std::vector<std::string>{"[0:3, 4:7]", "[3:5, 4:7]"}));
}

TEST_F(Checkpoints, OfSeveralProcessesArePutTogether) {
  Writer leader(store, makeSnapshot(2, {0}), 7, /*leads=*/true, 0);
  Writer other(store, makeSnapshot(2, {1}), 7, /*leads=*/false, 0);
  leader.start();
  other.start();
  ASSERT_TRUE(other.wait());
  Fallible<void> written = leader.wait();
  ASSERT_TRUE(written) << written.message();
  auto together = contents(store.pathOf(2));
  fs::rename(store.pathOf(2), folder.path("together"));
  EXPECT_EQ(together, contents(write(2)));
  EXPECT_EQ(store.list().size(), 1u);

  Writer alone(store, makeSnapshot(4, {0}), 7, /*leads=*/true, 0);
  alone.patience = 0.05;
  alone.start();
  written = alone.wait();
  ASSERT_FALSE(written);
  EXPECT_TRUE(written.message().ends_with(
      "rank-00001.json: waited 0 s for what rank 1 writes"))
      << written.message();
  Writer third(store, makeSnapshot(4, {1}), 8, /*leads=*/true, 0);
  third.patience = 0;
  third.start();
  EXPECT_TRUE(third.wait().message().ends_with(" s for what rank 0 writes"));
  // What was begun is gone, what was complete stays.
  EXPECT_EQ(std::distance(fs::directory_iterator(store.path()), {}), 1);
  // Ranks that are not of one model.
  Index whole = makeSnapshot(1).index, part = whole;
  part.tensors[0].shape = {7, 5};
  EXPECT_EQ(addPart(whole, part).message(), "ranks differ in tensor 'w'");
  part.tensors[0] = {"x", ElementType::F32, {5, 7}, "", {}, {}};
  EXPECT_EQ(addPart(whole, part).message(), "ranks differ in tensor 'x'");
}

TEST_F(Checkpoints, AreKeptReplacedAndFound) {
  for (int64_t step : {1, 9, 10})
    write(step, /*keep=*/2);
  fs::create_directories(store.pathOf(11)); // Without an index.
  fs::create_directories(store.path() + "/step-12.tmp-3");
  fs::create_directories(store.path() + "/step-x");
  auto stepsOf = [&] {
    std::vector<int64_t> steps;
    for (const Store::Entry &entry : store.list())
      steps.push_back(entry.step);
    return steps;
  };
  EXPECT_EQ(stepsOf(), (std::vector<int64_t>{9, 10}));
  ASSERT_TRUE(store.prepare());
  EXPECT_FALSE(fs::exists(store.path() + "/step-12.tmp-3"));
  EXPECT_TRUE(fs::exists(store.path() + "/step-x"));
  // Once more: there is one at every moment.
  std::atomic<bool> isReplaced = false;
  std::atomic<int> missing = 0;
  std::thread watcher([&] {
    while (!isReplaced)
      missing += !fs::exists(store.pathOf(9) + "/index.json");
  });
  for (int i = 0; i < 10; ++i)
    write(9);
  isReplaced = true;
  watcher.join();
  EXPECT_EQ(missing, 0);
  EXPECT_EQ(stepsOf(), (std::vector<int64_t>{9, 10}));
  // A run that went back to an earlier step leaves the later ones alone.
  write(5, /*keep=*/1);
  EXPECT_EQ(stepsOf(), (std::vector<int64_t>{5, 9, 10}));
}

/// A job that fails does not lose the state that was just being written.
TEST_F(Checkpoints, AreEndedWithTheRun) {
  Writer(store, makeSnapshot(3), 7, /*leads=*/true, /*keep=*/0).start();
  EXPECT_TRUE(contents(store.pathOf(3)));
}

/// Links to checkpoints elsewhere go, and what they lead to stays.
TEST_F(Checkpoints, LeaveThoseBehindLinksAlone) {
  std::string elsewhere = store.path() + "/of-somebody", link = store.pathOf(7);
  fs::rename(write(1), elsewhere);
  fs::create_directory_symlink("of-somebody", link);
  ASSERT_TRUE(contents(link));
  write(7); // In its place.
  EXPECT_FALSE(fs::is_symlink(link));
  EXPECT_TRUE(contents(elsewhere));
  fs::create_directory_symlink("of-somebody", store.pathOf(6));
  write(8, /*keep=*/1);
  EXPECT_FALSE(fs::is_symlink(fs::symlink_status(store.pathOf(6))));
  EXPECT_FALSE(fs::exists(link));
  EXPECT_TRUE(contents(elsewhere));
}

TEST_F(Checkpoints, SayWhatIsWrongWithAnIndex) {
  const char *cover =
      "the pieces of tensor 'w' do not cover it, each element once";
  EXPECT_EQ(
      errorAfter(R"("begin":\[3,4\],"crc32":\[\d+\],"file":\d,"size":\[2,3\])",
                 R"("begin":[3,4],"crc32":[0],"file":1,"size":[1,3])"),
      cover);
  EXPECT_EQ(errorAfter(R"("begin":\[3,4\])", R"("begin":[3,3])"), cover);
  EXPECT_EQ(errorAfter(R"("shape":\[5,7\])", R"("shape":[6,7])"), cover);
  EXPECT_EQ(errorAfter(R"("dtype":"f32")", R"("dtype":"f31")"),
            "tensor 'w': expected a dtype and a shape");
  EXPECT_EQ(
      errorAfter(R"("shape":\[5,7\])", R"("shape":[4294967296,4294967296])"),
      "tensor 'w': expected a dtype and a shape");
  EXPECT_EQ(errorAfter(R"("pieces":\[\])", R"("pieces":{})"),
            "tensor 'none': expected a list of pieces");
  EXPECT_EQ(errorAfter(R"("pieces":\[\],)", ""),
            "tensor 'none': expected a list of pieces");
  EXPECT_EQ(errorAfter(R"("begin":\[3,4\])", R"("begin":[3])"),
            "tensor 'w': malformed piece");
  EXPECT_EQ(errorAfter(R"("file":0)", R"("file":2)"),
            "tensor 'w': malformed piece");
  EXPECT_EQ(
      errorAfter(R"("begin":\[3,4\])", R"("begin":[9223372036854775807,4])"),
      "tensor 'w': a piece lies outside of it");
  EXPECT_EQ(errorAfter(R"("size":\[2,3\])", R"("size":[2,4])"),
            "tensor 'w': a piece lies outside of it");
  EXPECT_EQ(errorAfter(R"("at":\d+)", R"("at":9223372036854775807)"),
            "tensor 'w': a piece lies outside of its file");
  EXPECT_EQ(errorAfter(R"("size":(\d+))", R"("size":20)"),
            "tensor 'w': a piece lies outside of its file");
  EXPECT_EQ(errorAfter(R"("crc32":\[)", R"("crc32":[1,)"),
            "tensor 'w': expected 1 checksums of a piece, got 2");
  EXPECT_EQ(errorAfter(R"("crc32":\[\d+\])", R"("crc32":[])"),
            "tensor 'w': expected 1 checksums of a piece, got 0");
  EXPECT_EQ(errorAfter(R"("files": \[)", R"("file": [)"),
            "expected a list of files");
  EXPECT_EQ(errorAfter(R"("files": )", R"("files": 7, "others": )"),
            "expected a list of files");
  EXPECT_EQ(errorAfter(R"("size":\d+\})", R"("size":-1})"),
            "expected the name and size of a file");
  EXPECT_EQ(errorAfter(R"(\{"name":"rank-00000.safetensors",)", "{"),
            "expected the name and size of a file");
  EXPECT_EQ(
      errorAfter("rank-00000.safetensors", "../x"),
      "expected the name of a file in the checkpoint's folder, got '../x'");
  EXPECT_EQ(errorAfter("rank-00000.safetensors", "/etc/passwd"),
            "expected the name of a file in the checkpoint's folder, got "
            "'/etc/passwd'");
  EXPECT_EQ(errorAfter("rank-00000.safetensors", ".."),
            "expected the name of a file in the checkpoint's folder, got '..'");
  EXPECT_EQ(errorAfter("a-checkpoint", "a-program"),
            "not the index of a checkpoint");
  EXPECT_EQ(errorAfter("\"format\"", "\"for\""),
            "not the index of a checkpoint");
  EXPECT_EQ(errorAfter("\"version\": 1", "\"version\": 2"),
            "expected version 1 of the format of checkpoints, got 2");
  EXPECT_EQ(errorAfter("\"version\": 1", "\"version\": {}"),
            "expected version 1 of the format of checkpoints, got none");
  EXPECT_EQ(errorAfter("\"block\": 64", "\"block\": 0"),
            "expected step, position and block of a checkpoint");
  for (const char *step : {"-1", "1099511627777", "9223372036854775807"})
    EXPECT_EQ(errorAfter("\"step\": 1", std::string("\"step\": ") + step),
              "expected step, position and block of a checkpoint");
  EXPECT_EQ(errorAfter("\"tensors\"", "\"tensor\""),
            "expected tensors by name");
  EXPECT_EQ(errorAfter("\"tensors\": ", "\"tensors\": [], \"others\": "),
            "expected tensors by name");
  EXPECT_EQ(errorAfter("\"flag\": ", "\"w\": "), "malformed index");
  EXPECT_EQ(errorAfter("\\}\n$", ""), "malformed index");
  std::string index = read(write(1) + "/index.json");
  EXPECT_EQ(parseIndex("x" + index, Extent::Whole).message(),
            "damaged: the checksum at the beginning of the index is not that "
            "of what follows");
  EXPECT_EQ(parseIndex(index + " ", Extent::Whole).message(),
            "damaged: the checksum at the beginning of the index is not that "
            "of what follows");
}

TEST_F(Checkpoints, SayWhatIsWrongWithAFile) {
  std::string path = write(1), file = path + "/rank-00001.safetensors";
  std::string bytes = read(file);
  auto error = [&] {
    Fallible<Reader> reader = Reader::open(path);
    if (!reader)
      return reader.message();
    for (const Tensor &tensor : reader->index().tensors)
      if (Fallible<HostTensor> whole = reader->readWhole(tensor); !whole)
        return whole.message();
    return std::string();
  };
  std::string size = std::to_string(bytes.size());
  overwrite(file, bytes.substr(1));
  EXPECT_EQ(error(), file + ": expected " + size + " bytes, got " +
                         std::to_string(bytes.size() - 1));
  overwrite(file, bytes + "x");
  EXPECT_EQ(error(), file + ": expected " + size + " bytes, got " +
                         std::to_string(bytes.size() + 1));
  std::string other = bytes;
  other.back() ^= 1;
  overwrite(file, other);
  EXPECT_EQ(error(),
            file + ": damaged: tensor 'step' does not have its checksum at []");
  other = bytes;
  other[bytes.size() - 32] ^= 1;
  overwrite(file, other);
  EXPECT_NE(error().find("damaged: tensor '"), std::string::npos);
  fs::rename(file, path + "/elsewhere");
  EXPECT_EQ(error(), file + ": No such file or directory");
  fs::create_symlink("elsewhere", file);
  EXPECT_EQ(error(), file + ": expected a regular file");
}

/// Changes bytes, or cuts some out, or puts some in.
static std::string mutate(std::string bytes, std::mt19937 &random) {
  for (int changes = 1 + random() % 3; changes > 0; --changes) {
    size_t at = random() % bytes.size();
    static const char *const pieces[] = {"0",
                                         "-1",
                                         "[",
                                         "]",
                                         "{",
                                         "\"",
                                         "9223372036854775807",
                                         "1e400",
                                         ",",
                                         "18446744073709551615"};
    switch (random() % 5) {
    case 0:
      bytes[at] = static_cast<char>(random());
      break;
    case 1:
      bytes.erase(at, 1 + random() % 40);
      break;
    case 2:
      bytes.insert(at, pieces[random() % std::size(pieces)]);
      break;
    case 3:
      bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 60));
      break;
    default: // A number.
      if ((at = bytes.find_first_of("0123456789", at)) != bytes.npos)
        bytes[at] = static_cast<char>('0' + random() % 10);
    }
    if (bytes.empty())
      bytes = "{";
  }
  return bytes;
}

/// Damage is noticed, and what somebody has made up, with a checksum that fits,
/// is refused or harmless.
TEST_F(Checkpoints, BearDamage) {
  std::string path = write(1);
  auto expected = contents(path);
  ASSERT_TRUE(expected);
  std::string indexPath = path + "/index.json", index = read(indexPath);
  std::string file = path + "/rank-00001.safetensors", bytes = read(file);
  std::mt19937 random(1);
  int taken = 0;
  for (int i = 0; i < 500; ++i) {
    overwrite(indexPath, mutate(index, random));
    if (auto got = contents(path))
      EXPECT_EQ(got, expected) << i;
    overwrite(indexPath, sealed(mutate(index, random)));
    taken += contents(path).has_value();
  }
  EXPECT_LT(taken, 200);
  overwrite(indexPath, index);
  for (int i = 0; i < 200; ++i) {
    overwrite(file, mutate(bytes, random));
    if (auto got = contents(path))
      EXPECT_EQ(got, expected) << i;
  }
}
