//===- ReadModelTest.cpp - files that are models, and files that are not --===//
#include "tessera/Transforms/Import/ReadModel.h"
#include "tessera/Driver/Registration.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tessera;

namespace {

/// Writes files into a folder of its own and reads them as models.
class ReadModelTest : public ::testing::Test {
protected:
  ReadModelTest() {
    registerDialects(registry);
    context = std::make_unique<MLIRContext>(registry);
    context->printOpOnDiagnostic(false);
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("read-model", folder));
  }
  ~ReadModelTest() override { llvm::sys::fs::remove_directories(folder); }

  std::string write(llvm::StringRef name, llvm::StringRef contents) {
    std::string path = (folder + "/" + name).str();
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << contents;
    EXPECT_FALSE(error);
    return path;
  }

  /// The errors of reading `path`, as `line:column: text`, each with its notes
  /// behind ` | `; `accepted` if it is a model.
  std::string read(llvm::StringRef path) {
    std::string errors;
    ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
      auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
      if (place)
        errors += std::to_string(place.getLine()) + ":" +
                  std::to_string(place.getColumn()) + ": ";
      errors += diagnostic.str();
      for (Diagnostic &note : diagnostic.getNotes())
        errors += " | " + note.str();
      errors += "\n";
      return success();
    });
    OwningOpRef<ModuleOp> module = importer::readModel(path, *context);
    EXPECT_EQ(bool(module), errors.empty());
    return module ? "accepted" : errors;
  }
  std::string readText(llvm::StringRef contents) {
    return read(write("model.mlir", contents));
  }

  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  llvm::SmallString<64> folder;
};

TEST_F(ReadModelTest, AcceptsTessera) {
  EXPECT_EQ(readText("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                     "  return %x : tensor<4xf32>\n"
                     "}\n"),
            "accepted");
}

TEST_F(ReadModelTest, AcceptsGenericStablehlo) {
  EXPECT_EQ(readText(R"(
"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["a"=2]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32>):
    %0 = "stablehlo.negate"(%x) {mhlo.something = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "mhlo.unknown"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32} : () -> ()
)"),
            "accepted");
}

// A region of an operation that is not known is no place to look for functions.
TEST_F(ReadModelTest, AcceptsCallsInManualComputations) {
  EXPECT_EQ(readText(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "sdy.manual_computation"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
    "sdy.return"(%1) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
)"),
            "accepted");
}

TEST_F(ReadModelTest, RefusesWhatIsNoFile) {
  EXPECT_EQ(read((folder + "/missing.mlir").str()),
            "1:1: expected a readable file: cannot open input file '" +
                (folder + "/missing.mlir").str() +
                "': No such file or directory\n");
  EXPECT_EQ(read(folder).substr(0, 30), "1:1: expected a readable file:");
}

TEST_F(ReadModelTest, RefusesWhatIsNoText) {
  EXPECT_EQ(readText(""), "1:1: expected MLIR text, got an empty file\n");
  EXPECT_EQ(readText(" \n\n"), "1:1: expected MLIR text, got an empty file\n");
  std::string hint =
      " | other files of StableHLO become text with: python -m tessera "
      "normalize " +
      (folder + "/model.mlir").str() + "\n";
  EXPECT_EQ(readText("ML\xefR\x0d\x01").substr(0, 48),
            "1:1: expected StableHLO's portable bytecode: exp");
  EXPECT_EQ(readText(llvm::StringRef("\x1c\0\0\0garbage", 11)),
            "1:1: expected MLIR text, got a binary file" + hint);
  EXPECT_EQ(readText("\x80\xff garbage\n").substr(0, 5), "1:1: ");
}

TEST_F(ReadModelTest, NamesTheCommandForThePrettyForm) {
  EXPECT_EQ(
      readText("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
               "  %0 = stablehlo.add %x, %x : tensor<4xf32>\n"
               "  return %0 : tensor<4xf32>\n"
               "}\n"),
      "2:8: expected 'stablehlo.add' in MLIR's generic form, got its pretty "
      "form | write the file in generic form with: python -m tessera "
      "normalize " +
          (folder + "/model.mlir").str() + "\n");
  EXPECT_EQ(readText("sdy.mesh @mesh = <[\"a\"=2]>\n").substr(0, 71),
            "1:1: expected 'sdy.mesh' in MLIR's generic form, got its pretty "
            "form | ");
}

TEST_F(ReadModelTest, ReportsOneSyntaxError) {
  EXPECT_EQ(readText("func.func @main(%x: tensor<4xf32>) {\n  return"),
            "2:8: expected operation name in quotes\n");
  EXPECT_EQ(readText("func.func @main(%x: tensor<4xf32) {\n  return\n}\n"),
            "1:33: expected '>' in tensor type\n");
  EXPECT_EQ(readText("func.func @main() {\n"
                     "  %0 = arith.addf %a, %b : tensor<4xf32>\n"
                     "  return\n}\n"),
            "2:19: use of undeclared SSA value name\n");
  EXPECT_EQ(
      readText("this is no model\n"),
      "1:1: custom op 'this' is unknown (tried 'builtin.this' as well)\n");
}

TEST_F(ReadModelTest, ReportsOneVerifierError) {
  EXPECT_EQ(readText("func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {\n"
                     "  return %x : tensor<4xf32>\n"
                     "}\n")
                .substr(0, 5),
            "2:3: ");
  EXPECT_EQ(
      readText("func.func @main(%x: tensor<4xf32>) {\n"
               "  %0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
               "  %1 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
               "  return\n"
               "}\n"),
      "2:8: 'func.call' op 'f' does not reference a valid function\n");
}

} // namespace
