//===- IndexingMapsTest.cpp - what operations do to indices ---------------===//

#include "tessera/Interfaces/IndexingMaps.h"
#include "tessera/Dialect/Spmd/KernelStructure.h"
#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Driver/Registration.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tessera;

namespace {

class IndexingMapsTest : public testing::Test {
protected:
  IndexingMapsTest() {
    DialectRegistry registry;
    tessera::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The last operation in `body`, a function of the arguments `arguments`.
  Operation *parse(llvm::StringRef arguments, llvm::StringRef body) {
    std::string text =
        ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str();
    module = parseSourceString<ModuleOp>(text, &context);
    return (*module->getOps<func::FuncOp>().begin())
        .front()
        .getTerminator()
        ->getPrevNode();
  }

  /// A view of a tensor of `from` that has type `to`.
  Operation *view(llvm::StringRef mnemonic, llvm::StringRef attributes,
                  llvm::StringRef from, llvm::StringRef to) {
    return parse(("%a: tensor<" + from + "xf32>").str(),
                 ("%0 = tessera." + mnemonic + " %a " + attributes +
                  " : tensor<" + from + "xf32> -> tensor<" + to + "xf32>")
                     .str());
  }

  static std::string print(std::optional<AffineMap> map) {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    if (map)
      map->print(os);
    return printed;
  }

  /// Where result 0 of `op` takes its elements from in operand `operand`, and
  /// where these go.
  static std::pair<std::string, std::string> mapsOf(Operation *op,
                                                    unsigned operand = 0) {
    IndexingMaps maps = cast<IndexingMapInterface>(op).getIndexingMaps();
    unsigned result = maps.getNumOperands();
    return {print(maps.getMap(result, operand)),
            print(maps.getMap(operand, result))};
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using Maps = std::pair<std::string, std::string>;

TEST_F(IndexingMapsTest, TransposesAreTheirInverseBackwards) {
  EXPECT_EQ(
      mapsOf(view("transpose", "permutation = [2, 0, 1]", "2x3x4", "4x2x3")),
      Maps("(d0, d1, d2) -> (d1, d2, d0)", "(d0, d1, d2) -> (d2, d0, d1)"));
}

TEST_F(IndexingMapsTest, RepeatedElementsGoToNoSinglePlace) {
  EXPECT_EQ(mapsOf(view("broadcast", "dims = [0, 2]", "3x1", "3x4x5")),
            Maps("(d0, d1, d2) -> (d0, 0)", ""));
}

TEST_F(IndexingMapsTest, StridesDivideBackwards) {
  EXPECT_EQ(mapsOf(view("slice", "[1] to [8] by [3]", "9", "3")),
            Maps("(d0) -> (d0 * 3 + 1)", "(d0) -> ((d0 - 1) floordiv 3)"));
}

TEST_F(IndexingMapsTest, ReversalsAreTheirOwnInverse) {
  Operation *op = parse("%a: tensor<5xf32>", "%0 = tessera.reverse %a dims = "
                                             "[0] : tensor<5xf32>");
  EXPECT_EQ(mapsOf(op), Maps("(d0) -> (-d0 + 4)", "(d0) -> (-(d0 - 4))"));
}

TEST_F(IndexingMapsTest, ReshapesChangeDigitsWithinSmallestGroups) {
  EXPECT_EQ(mapsOf(view("reshape", "", "6x5", "2x3x5")),
            Maps("(d0, d1, d2) -> (d0 * 3 + d1, d2)",
                 "(d0, d1) -> (d0 floordiv 3, d0 mod 3, d1)"));
  EXPECT_EQ(mapsOf(view("reshape", "", "2x3", "3x1x2")),
            Maps("(d0, d1, d2) -> ((d0 * 2 + d2) floordiv 3, (d0 * 2 + d2) "
                 "mod 3)",
                 "(d0, d1) -> ((d0 * 3 + d1) floordiv 2, 0, (d0 * 3 + d1) mod "
                 "2)"));
}

TEST_F(IndexingMapsTest, PartsOfAConcatenationBeginWhereOthersEnd) {
  Operation *op = parse("%a: tensor<2x3xf32>, %b: tensor<2x4xf32>",
                        "%0 = tessera.concatenate %a, %b dim = 1 : "
                        "(tensor<2x3xf32>, tensor<2x4xf32>) -> "
                        "tensor<2x7xf32>");
  EXPECT_EQ(mapsOf(op, 1),
            Maps("(d0, d1) -> (d0, d1 - 3)", "(d0, d1) -> (d0, d1 + 3)"));
}

TEST_F(IndexingMapsTest, PadsSayWhereTheirOperandGoes) {
  Operation *op = parse("%a: tensor<3xf32>, %v: tensor<f32>",
                        "%0 = tessera.pad %a with %v low = [2] high = [0] "
                        "interior = [1] : (tensor<3xf32>, tensor<f32>) -> "
                        "tensor<7xf32>");
  EXPECT_EQ(mapsOf(op),
            Maps("(d0) -> (d0 floordiv 2 - 1)", "(d0) -> (d0 * 2 + 2)"));
}

TEST_F(IndexingMapsTest, OperandsOfAProductAreNoFunctionOfItsResult) {
  Operation *op = parse("%a: tensor<2x3xf32>, %b: tensor<3x4xf32>",
                        "%0 = tessera.dot_general %a, %b batching = [] x [] "
                        "contracting = [1] x [0] : (tensor<2x3xf32>, "
                        "tensor<3x4xf32>) -> tensor<2x4xf32>");
  EXPECT_EQ(mapsOf(op), Maps("", ""));
}

/// The access of a view, as its kind and length.
static std::pair<int, int64_t> accessOf(Operation *op) {
  std::optional<ElementAccess> access = getViewAccess(op);
  return access ? std::pair(int(access->kind), access->length)
                : std::pair(-1, int64_t(0));
}

TEST_F(IndexingMapsTest, OrderIsKeptWhereRowMajorPlacesAreEqual) {
  std::pair<int, int64_t> identity(ElementAccess::Identity, 1),
      mapped(ElementAccess::Mapped, 1);
  EXPECT_EQ(accessOf(view("reshape", "", "2x3x4", "4x6")), identity);
  EXPECT_EQ(
      accessOf(view("transpose", "permutation = [1, 0, 2]", "2x1x3", "1x2x3")),
      identity);
  EXPECT_EQ(accessOf(view("transpose", "permutation = [1, 0]", "2x3", "3x2")),
            mapped);
  EXPECT_EQ(accessOf(view("slice", "[0, 0] to [1, 4] by [1, 1]", "2x4", "1x4")),
            mapped);
  EXPECT_EQ(accessOf(view("broadcast", "dims = [0, 2]", "2x3", "2x1x3")),
            identity);
}

TEST_F(IndexingMapsTest, RowsAreRepeatedWhereTheLastDimensionsAreNew) {
  EXPECT_EQ(accessOf(view("broadcast", "dims = [0]", "2", "2x3x4")),
            std::pair(int(ElementAccess::Row), int64_t(12)));
  EXPECT_EQ(accessOf(view("broadcast", "dims = [1]", "3", "2x3")),
            std::pair(int(ElementAccess::Mapped), int64_t(1)));
}

TEST_F(IndexingMapsTest, EveryElementOfAReshapeComesFromItsPlaceInMemory) {
  SmallVector<int64_t> from = {4, 3, 5, 2}, to = {2, 6, 10};
  Operation *op = view("reshape", "", "4x3x5x2", "2x6x10");
  std::optional<AffineMap> map = getViewMaps(op)->getMap(1, 0);
  ASSERT_TRUE(map);
  for (int64_t place = 0; place < 120; ++place) {
    SmallVector<int64_t> indices = {place / 60, place / 10 % 6, place % 10};
    int64_t source = 0;
    for (auto [size, index] : llvm::zip_equal(from, map->compose(indices)))
      source = source * size + index;
    EXPECT_EQ(source, place);
  }
}

TEST_F(IndexingMapsTest, DimensionsThatTheOperandLacksAreRepeated) {
  Operation *op = view("broadcast", "dims = [0, 2]", "3x1", "3x4x5");
  EXPECT_FALSE(repeatsAlong(op, 0));
  EXPECT_TRUE(repeatsAlong(op, 1));
  EXPECT_TRUE(repeatsAlong(op, 2));
}

} // namespace
