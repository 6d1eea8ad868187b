//===- UnsupportedTest.cpp - each kind has its section --------------------===//

#include "tessera/Transforms/Import/Conversions/Unsupported.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include "gtest/gtest.h"

#include <fstream>
#include <set>

using namespace mlir;
using namespace tessera;

namespace {

/// The third-level headings of the page, which are links of their own text.
std::multiset<std::string> sectionsOfPage() {
  std::multiset<std::string> sections;
  std::ifstream page(UNSUPPORTED_PAGE);
  EXPECT_TRUE(page) << "expected a readable " << UNSUPPORTED_PAGE;
  for (std::string line; std::getline(page, line);)
    if (line.rfind("### ", 0) == 0)
      sections.insert(line.substr(4));
  return sections;
}

struct UnsupportedTest : testing::Test {
  UnsupportedTest() { context.allowUnregisteredDialects(); }

  /// The section of a custom call of `target` under the name `name`.
  std::string sectionOfCall(StringRef target, StringRef name = "f") {
    OperationState state(NameLoc::get(builder.getStringAttr(name)),
                         "stablehlo.custom_call");
    state.addAttribute("call_target_name", builder.getStringAttr(target));
    Operation *op = Operation::create(state);
    std::string section = importer::unsupportedKind(op).anchor.str();
    op->destroy();
    return section;
  }

  std::string sectionOfType(Type element, int64_t size = 4) {
    const importer::Unsupported *kind =
        importer::unsupportedKind(RankedTensorType::get({size}, element));
    return kind ? kind->anchor.str() : "";
  }

  MLIRContext context;
  Builder builder{&context};
};

TEST_F(UnsupportedTest, EveryKindHasASectionAndEverySectionIsOfAKind) {
  std::multiset<std::string> kinds;
  for (const importer::Unsupported &kind : importer::unsupportedKinds())
    kinds.insert(kind.anchor.str());
  EXPECT_EQ(kinds, sectionsOfPage());
}

TEST_F(UnsupportedTest, AlternativesAreWordsForANote) {
  for (const importer::Unsupported &kind : importer::unsupportedKinds()) {
    EXPECT_TRUE(llvm::isLower(kind.alternative.front())) << kind.anchor.str();
    EXPECT_NE(kind.alternative.back(), '.') << kind.anchor.str();
  }
}

TEST_F(UnsupportedTest, TargetsOfLibrariesAreToldApart) {
  for (StringRef target :
       {"cusolver_potrf_ffi", "cu_lu_pivots_to_permutation",
        "hipsolver_geqrf_ffi", "cusolver_gesvdj_ffi", "LuDecomposition",
        "lapack_ssyevr_ffi", "cusparse_gtsv2_f32_ffi"})
    EXPECT_EQ(sectionOfCall(target), "linear-algebra") << target.str();
  EXPECT_EQ(sectionOfCall("__gpu$xla.gpu.triton"), "kernels");
  EXPECT_EQ(sectionOfCall("my_target"), "custom-calls");
}

TEST_F(UnsupportedTest, CallbacksAreToldApartByTheirNames) {
  StringRef target = "xla_ffi_python_cpu_callback";
  EXPECT_EQ(sectionOfCall(target, "jit(f)/debug_print"), "debug-print");
  EXPECT_EQ(sectionOfCall(target, "debug_callback:"), "debug-print");
  EXPECT_EQ(sectionOfCall(target, "jit(f)/io_callback"), "io-callback");
  EXPECT_EQ(sectionOfCall(target, "jit(f)/pure_callback"), "pure-callback");
}

TEST_F(UnsupportedTest, TypesHaveSections) {
  EXPECT_EQ(sectionOfType(ComplexType::get(builder.getF32Type())), "complex");
  EXPECT_EQ(sectionOfType(Float8E4M3FNType::get(&context)), "short-types");
  EXPECT_EQ(sectionOfType(Float4E2M1FNType::get(&context)), "short-types");
  EXPECT_EQ(sectionOfType(builder.getIntegerType(4)), "short-types");
  EXPECT_EQ(sectionOfType(builder.getIntegerType(4, false)), "short-types");
  EXPECT_EQ(sectionOfType(builder.getF32Type(), ShapedType::kDynamic),
            "dynamic-shapes");
  EXPECT_EQ(sectionOfType(builder.getF32Type()), "");
}

} // namespace
