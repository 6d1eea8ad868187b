//===- TensorFileTest.cpp - safetensors and .npy, good and broken ---------===//

#include "tessera/Support/TensorFile.h"
#include "tessera/Support/File.h"
#include "tessera/Support/RandomTensor.h"
#include "tessera/Support/TensorComparison.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace tessera;
namespace fs = std::filesystem;

namespace {
class TensorFileTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "tessera-files-XXXXXX";
    folder = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string &name) { return (folder / name).string(); }

  std::string write(const std::string &name, const std::string &bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  /// A safetensors file of that header and so many bytes of data.
  std::string safetensors(const std::string &header, size_t dataBytes) {
    uint64_t size = header.size();
    std::string bytes(reinterpret_cast<char *>(&size), sizeof size);
    return write("x.safetensors",
                 bytes + header + std::string(dataBytes, '\1'));
  }

  /// The message of reading a file, without its path.
  std::string error(const std::string &file) {
    auto tensors = readTensorFile(file);
    if (tensors)
      return "no error";
    EXPECT_TRUE(tensors.message().starts_with(file + ": "))
        << tensors.message();
    return tensors.message().substr(file.size() + 2);
  }

  /// One random tensor of each element type and several ranks.
  std::vector<NamedTensor> everyType() {
    std::vector<NamedTensor> tensors;
    for (int32_t code = 0; code < elementTypeCount; ++code) {
      auto type = static_cast<ElementType>(code);
      Shape shape = Shape{2, 3, 5};
      shape.resize(code % 4);
      tensors.push_back({"p['" + std::string(elementTypeName(type)) + "']/%",
                         randomTensor(type, shape, 1, code)});
    }
    tensors.push_back({"empty", HostTensor(ElementType::F32, {0, 4})});
    return tensors;
  }
  fs::path folder;
};
} // namespace

static void expectSame(const std::vector<NamedTensor> &got,
                       const std::vector<NamedTensor> &expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].name, expected[i].name);
    EXPECT_EQ(got[i].tensor.describeType(), expected[i].tensor.describeType());
    EXPECT_EQ(std::memcmp(got[i].tensor.data(), expected[i].tensor.data(),
                          got[i].tensor.byteSize()),
              0);
  }
}

/// The kind of a file is seen from its content, whatever the first byte is (the
/// lowest of a .safetensors header's length, or the first of .npy's magic) and
/// whatever the file is called.
TEST_F(TensorFileTest, KindsAreSeenFromTheContent) {
  std::string header = R"({"x": {"dtype": "U8", "shape": [1],
                           "data_offsets": [0, 1]}})";
  for (size_t padding = 0; padding < 512; ++padding) {
    auto tensors =
        readTensorFile(safetensors(header + std::string(padding, ' '), 1));
    ASSERT_TRUE(tensors) << padding << ": " << tensors.message();
    EXPECT_EQ(tensors->front().name, "x");
  }
  HostTensor tensor = randomTensor(ElementType::F32, {3}, 1, 0);
  ASSERT_TRUE(writeNpy(path("tensor.safetensors"), tensor));
  auto npy = readTensorFile(path("tensor.safetensors"));
  ASSERT_TRUE(npy) << npy.message();
  EXPECT_EQ(npy->front().name, "tensor");
  ASSERT_TRUE(writeSafetensors(path("tensor.npy"), {{"t", tensor}}));
  auto safe = readTensorFile(path("tensor.npy"));
  ASSERT_TRUE(safe) << safe.message();
  EXPECT_EQ(safe->front().name, "t");
  EXPECT_EQ(error(write("empty.npy", "")),
            "not a safetensors file: expected at least 8 bytes, got 0");
  EXPECT_EQ(error(write("short.npy", "\x93NUM")),
            "not a safetensors file: expected at least 8 bytes, got 4");
  EXPECT_EQ(error(write("magic.npy", "\x93NUMPY")),
            "not a .npy file: too short");
  EXPECT_EQ(error(write("version.npy", "\x93NUMPY\1\0\1")),
            "not a .npy file: too short");
}

/// Nothing but a regular file is replaced, and only by a whole one.
TEST_F(TensorFileTest, OnlyRegularFilesAreReplaced) {
  std::vector<NamedTensor> tensors = {{"t", HostTensor(ElementType::F32, {4})}};
  fs::create_symlink("target.safetensors", path("link.safetensors"));
  ASSERT_TRUE(writeTensorFile(path("link.safetensors"), tensors));
  EXPECT_TRUE(fs::is_symlink(path("link.safetensors")));
  EXPECT_TRUE(readTensorFile(path("target.safetensors")));
  fs::create_symlink("/dev/full", path("full"));
  Fallible<void> full = writeTensorFile(path("full"), tensors);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.message(), path("full") + ": No space left on device");
  EXPECT_TRUE(fs::is_symlink(path("full")));
  fs::create_symlink("/dev/null", path("null"));
  EXPECT_TRUE(writeTensorFile(path("null"), tensors));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(writeTensorFile("-", tensors).message(),
            "expected a file or a folder for tensors, got standard output");
  EXPECT_EQ(writeTensorFile("-", {}).message(),
            "expected a file or a folder for tensors, got standard output");
  write("other", "kept");
  EXPECT_EQ(writeTensorFile(path("other"), tensors).message(),
            path("other") + ": expected a folder, .safetensors or .npy, got "
                            "another file");
  write("numbers.bin", "kept, too");
  EXPECT_EQ(writeTensorFile(path("numbers.bin"), {}).message(),
            path("numbers.bin") +
                ": expected a folder, .safetensors or .npy, got another file");
  tensors.push_back({"u", HostTensor(ElementType::F32, {1})});
  EXPECT_EQ(writeTensorFile(path("two.npy"), tensors).message(),
            path("two.npy") + ": a .npy file holds one tensor, got 2");
  EXPECT_EQ(writeTensorFile(path("none.npy"), {}).message(),
            path("none.npy") + ": a .npy file holds one tensor, got 0");
  tensors.pop_back();
  fs::permissions(path("target.safetensors"),
                  fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(writeTensorFile(path("link.safetensors"), tensors));
  EXPECT_EQ(fs::status(path("target.safetensors")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(TensorFileTest, SafetensorsComeBackAsWritten) {
  std::vector<NamedTensor> tensors = everyType();
  ASSERT_TRUE(writeTensorFile(path("all.safetensors"), tensors));
  auto read = readTensorFile(path("all.safetensors"));
  ASSERT_TRUE(read) << read.message();
  expectSame(*read, tensors);
}

TEST_F(TensorFileTest, FoldersOfNpyComeBackAsWritten) {
  std::vector<NamedTensor> tensors = everyType();
  ASSERT_TRUE(writeTensorFile(path("all"), tensors));
  auto read = readTensorFile(path("all"));
  ASSERT_TRUE(read) << read.message();
  std::sort(tensors.begin(), tensors.end(),
            [](auto &a, auto &b) { return a.name < b.name; });
  std::sort(read->begin(), read->end(),
            [](auto &a, auto &b) { return a.name < b.name; });
  expectSame(*read, tensors);
}

TEST_F(TensorFileTest, NpyReadsColumnMajorAndNonZeroBooleans) {
  std::string header =
      "{'descr': '|b1', 'fortran_order': True, 'shape': (2, 3), }";
  header.resize(118, ' ');
  std::string bytes = std::string("\x93NUMPY\1\0", 8) + "\x76" +
                      std::string(1, '\0') + header +
                      std::string("\1\0\0\0\7\1", 6);
  auto read = readTensorFile(write("name.npy", bytes));
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(read->front().name, "name");
  std::vector<int> values;
  for (uint8_t value : read->front().tensor.elements<uint8_t>())
    values.push_back(value);
  EXPECT_EQ(values, (std::vector<int>{1, 0, 1, 0, 0, 1}));
}

TEST_F(TensorFileTest, FloatsOfEightBitsAreBytes) {
  for (auto [dtype, type] : {std::pair("F8_E4M3", "f8E4M3FN"),
                             {"F8_E5M2", "f8E5M2"},
                             {"F8_E8M0", "f8E8M0FNU"}}) {
    std::string header = R"({"x":{"dtype":")" + std::string(dtype) +
                         R"(","shape":[3],"data_offsets":[0,3]}})";
    uint64_t size = header.size();
    std::string start(reinterpret_cast<char *>(&size), sizeof size);
    auto read = readTensorFile(write(
        "x.safetensors", start + header + std::string("\x38\x80\x7f", 3)));
    ASSERT_TRUE(read) << read.message();
    const HostTensor &tensor = read->front().tensor;
    ASSERT_EQ(tensor.describeType(), "u8[3]");
    EXPECT_EQ(tensor.toDouble(1), 128);
    EXPECT_EQ(read->front().shortType, type);
  }
}

/// `read`, a file of one complex tensor, has the parts in a last dimension.
static void expectParts(const Fallible<std::vector<NamedTensor>> &read,
                        const std::string &type,
                        const std::vector<double> &parts) {
  ASSERT_TRUE(read) << read.message();
  const HostTensor &tensor = read->front().tensor;
  ASSERT_EQ(tensor.describeType(), type);
  for (size_t i = 0; i < parts.size(); ++i)
    EXPECT_EQ(tensor.toDouble(i), parts[i]);
}

TEST_F(TensorFileTest, ComplexNumbersArePairs) {
  float single[] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::string bytes(reinterpret_cast<char *>(single), sizeof single);
  std::string header =
      R"({"z":{"dtype":"C64","shape":[2,2],"data_offsets":[0,32]}})";
  uint64_t size = header.size();
  std::string start(reinterpret_cast<char *>(&size), sizeof size);
  expectParts(readTensorFile(write("z.safetensors", start + header + bytes)),
              "f32[2x2x2]", {1, 2, 3, 4, 5, 6, 7, 8});

  auto npy = [&](std::string header, const std::string &bytes) {
    header.resize(118, ' ');
    return write("z.npy", std::string("\x93NUMPY\1\0", 8) + "\x76" +
                              std::string(1, '\0') + header + bytes);
  };
  expectParts(
      readTensorFile(npy("{'descr': '<c8', 'fortran_order': True, 'shape': "
                         "(2, 2), }",
                         bytes)),
      "f32[2x2x2]", {1, 2, 5, 6, 3, 4, 7, 8});
  double both[] = {1, 2};
  expectParts(
      readTensorFile(npy("{'descr': '<c16', 'fortran_order': False, 'shape': "
                         "(), }",
                         std::string(reinterpret_cast<char *>(both), 16))),
      "f64[2]", {1, 2});
}

TEST_F(TensorFileTest, UnreadablePathsGiveTheSystemsReason) {
  EXPECT_EQ(error(path("missing")), "No such file or directory");
  EXPECT_EQ(error("/dev/null"), "expected a regular file");
  EXPECT_EQ(error(folder.string()), "no .npy file in this folder");
  EXPECT_EQ(error("/dev/full"), "expected a regular file");
  write("x.txt", "no tensor");
  EXPECT_EQ(error(folder.string()), "no .npy file in this folder");
  auto written = writeTensorFile(path("no/such/x.safetensors"), {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.message(), path("no/such/x.safetensors") + ": no folder '" +
                                   path("no/such") + "'");
}

/// Somebody may cut a file off while it is read.
TEST_F(TensorFileTest, FilesThatBecomeShorterAreRefused) {
  char bytes[8];
  Fallible<InputFile> file = InputFile::open(write("cut", "12345678"));
  ASSERT_TRUE(file) << file.message();
  fs::resize_file(path("cut"), 7);
  EXPECT_EQ(file->read(bytes, 8).message(),
            path("cut") + ": unexpected end of file");
  fs::resize_file(path("cut"), 0);
  EXPECT_EQ(file->read(bytes, 1).message(),
            path("cut") + ": unexpected end of file");
}

TEST_F(TensorFileTest, RefusesMalformedSafetensorsHeaders) {
  EXPECT_EQ(error(write("a", "short")),
            "not a safetensors file: expected at least 8 bytes, got 5");
  EXPECT_EQ(error(write("b", "\xff\xff\xff\xff\xff\xff\xff\x7f{}")),
            "not a safetensors file: header of 9223372036854775807 bytes in a "
            "file of 10 bytes");
  EXPECT_EQ(error(write("c", std::string("\x3\0\0\0\0\0\0\0{}", 10))),
            "not a safetensors file: header of 3 bytes in a file of 10 bytes");
  for (const char *header :
       {"", "[]", "{", "{\"a\":1,}", "{} {}", "{\"a\":{},\"a\":{}}", "\xff"})
    EXPECT_EQ(error(safetensors(header, 0)), "malformed safetensors header")
        << header;
  EXPECT_EQ(error(safetensors(std::string(100000, '['), 0)),
            "malformed safetensors header");
}

TEST_F(TensorFileTest, RefusesMalformedSafetensorsEntries) {
  auto entryError = [&](const std::string &entry, size_t dataBytes) {
    return error(safetensors("{\"w\":" + entry + "}", dataBytes));
  };
  auto with = [&](const std::string &dtype, const std::string &shape,
                  const std::string &offsets) {
    return entryError("{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
                          ",\"data_offsets\":" + offsets + "}",
                      8);
  };
  EXPECT_EQ(entryError("{\"dtype\":\"F32\"}", 0),
            "tensor 'w': expected an object of dtype, shape and data_offsets");
  EXPECT_EQ(entryError("[1]", 0),
            "tensor 'w': expected an object of dtype, shape and data_offsets");
  EXPECT_EQ(with("F8_E9M9", "[8]", "[0,8]"),
            "tensor 'w': unsupported element type 'F8_E9M9'");
  EXPECT_EQ(with("F32", "[-2]", "[0,8]"), "tensor 'w': malformed shape [-2]");
  EXPECT_EQ(with("F32", "[4611686018427387904,4]", "[0,8]"),
            "tensor 'w': malformed shape [4611686018427387904,4]");
  EXPECT_EQ(with("F32", "\"x\"", "[0,8]"), "tensor 'w': malformed shape \"x\"");
  EXPECT_EQ(with("F32", "[2]", "[8,0]"),
            "tensor 'w': malformed data_offsets [8,0]");
  EXPECT_EQ(with("F32", "[2]", "[0]"),
            "tensor 'w': malformed data_offsets [0]");
  EXPECT_EQ(with("F32", "[4]", "[0,16]"),
            "tensor 'w': truncated file: expected 16 bytes of data, got 8");
  EXPECT_EQ(with("F32", "[3]", "[0,8]"),
            "tensor 'w': expected 12 bytes for f32[3], got 8");
  EXPECT_EQ(with("F32", "[1]", "[4,8]"),
            "tensor 'w': expected its data to begin at byte 0, where the "
            "previous tensor ends, got 4");
  EXPECT_EQ(with("F32", "[1]", "[0,4]"), "expected 4 bytes of data, got 8");
  NamedTensor tensor{"w", HostTensor(ElementType::F32, {1})},
      other{"a/b", tensor.tensor};
  EXPECT_EQ(writeSafetensors(path("twins"), {tensor, tensor}).message(),
            path("twins") + ": two tensors named 'w'");
  EXPECT_EQ(writeSafetensors(path("twins"), {other, tensor, other}).message(),
            path("twins") + ": two tensors named 'a/b'");
}

TEST_F(TensorFileTest, RefusesOverlappingTensors) {
  EXPECT_EQ(error(safetensors(
                R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                12)),
            "tensor 'b': expected its data to begin at byte 8, where the "
            "previous tensor ends, got 4");
}

// Whatever the file is cut down to, reading fails and names the file.
TEST_F(TensorFileTest, RefusesEveryTruncation) {
  NamedTensor tensor{"w", randomTensor(ElementType::F32, {3, 2}, 1, 0)};
  for (const char *name : {"t.safetensors", "t.npy"}) {
    ASSERT_TRUE(writeTensorFile(path(name), {tensor}));
    auto size = fs::file_size(path(name));
    while (size-- > 0) {
      fs::resize_file(path(name), size);
      EXPECT_NE(error(path(name)), "no error") << name << " of " << size;
    }
  }
}

// Files with a few bytes changed at random are read or refused, whatever the
// bytes are.
TEST_F(TensorFileTest, SurvivesRandomChanges) {
  RandomStream random(42);
  NamedTensor tensor{"w", randomTensor(ElementType::F32, {3, 2}, 1, 0)};
  for (const char *name : {"t.safetensors", "t.npy"}) {
    ASSERT_TRUE(writeTensorFile(path(name), {tensor}));
    std::ifstream file(path(name), std::ios::binary);
    std::string original((std::istreambuf_iterator<char>(file)), {});
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
      std::string bytes = original;
      for (uint64_t change = 0; change <= random.next() % 3; ++change)
        bytes[random.next() % bytes.size()] = static_cast<char>(random.next());
      auto tensors = readTensorFile(write(name, bytes));
      refused += !tensors;
    }
    EXPECT_GT(refused, 100) << name;
  }
}

TEST_F(TensorFileTest, RefusesMalformedNpy) {
  auto npy = [&](std::string header) {
    return error(write("x.npy", std::string("\x93NUMPY\1\0", 8) +
                                    static_cast<char>(header.size()) + '\0' +
                                    header + std::string(8, '\0')));
  };
  EXPECT_EQ(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}"),
            "unsupported element type '>f4'");
  EXPECT_EQ(npy("{'descr': '<c32', 'fortran_order': False, 'shape': (1,)}"),
            "unsupported element type '<c32'");
  EXPECT_EQ(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}"),
            "malformed .npy shape");
  EXPECT_EQ(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                "(4611686018427387904, 4)}"),
            "malformed .npy shape");
  EXPECT_EQ(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}"),
            "expected 12 bytes of data for f32[3], got 8");
  EXPECT_EQ(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2,)}"),
            "expected 16 bytes of data for f64[2], got 8");
  EXPECT_EQ(npy("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}"),
            "malformed .npy header");
  for (const char *header :
       {"", "{", "{'descr': '<f4'}", "{'descr': [('a', '<f4')]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}"})
    EXPECT_EQ(npy(header), "malformed .npy header") << header;
  EXPECT_EQ(error(write("v.npy", "\x93NUMPY\11\1\1\1\1\1")),
            "unsupported .npy version 9");
  EXPECT_EQ(error(write("w.npy", std::string("\x93NUMPY\0\0\1\1\1\1", 12))),
            "unsupported .npy version 0");
}
