//===- AttentionTest.cpp - Kernels for attention against the interpreter --===//

#include "CompiledProgram.h"
#include "mlir/Parser/Parser.h"
#include "tessera/Driver/Registration.h"
#include "tessera/Interpreter/Boundary.h"
#include "tessera/Interpreter/Interpreter.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <map>

using namespace tessera;
using namespace tessera::test;

namespace {

struct Case {
  const char *name;
  const char *type;
  int64_t batch, heads, keyHeads, queries, keys, features, valueFeatures;
  /// What stands behind the scale: `causal = 0 fill = -1.0e9`.
  const char *attributes = "";
  /// Shapes; empty for none.
  const char *bias = "", *mask = "";
  /// Whether operands are [batch, rows, heads, features] in memory.
  bool transposed = false;
  /// Further shapes: of dropout's mask, of the gradient of biases, and of a
  /// second bias.
  const char *keep = "", *biasGradient = "", *otherBias = "";
};

std::ostream &operator<<(std::ostream &os, const Case &test) {
  return os << test.name;
}

/// The text of kernels for a case.
class CaseText {
public:
  explicit CaseText(const Case &test) : test(test) {
    query = add(test.heads, test.queries, test.features);
    key = add(test.keyHeads, test.keys, test.features);
    value = add(test.keyHeads, test.keys, test.valueFeatures);
    if (*test.bias)
      bias = addArgument(tensor(test.bias, "f32"));
    if (*test.otherBias)
      otherBias = addArgument(tensor(test.otherBias, test.type));
    if (*test.mask)
      mask = addArgument(tensor(test.mask, "i1"));
    if (*test.keep)
      keep = addArgument(tensor(test.keep, "i1"));
  }

  std::string forward() {
    std::string output = heads(test.heads, test.queries, test.valueFeatures);
    std::string results = output + ";" + rows() + ";" + rows();
    finish("%o:3 = tessera.attention " + operands(query, key, value) +
               optional() + scale(),
           types({query, key, value}), results);
    return programOf(arguments, results, body);
  }

  std::string gradient() {
    std::string gradient = add(test.heads, test.queries, test.valueFeatures);
    std::string output =
        addArgument(heads(test.heads, test.queries, test.valueFeatures));
    std::string maximum = addArgument(rows()), sum = addArgument(rows());
    std::string results =
        typeOf[query] + ";" + typeOf[key] + ";" + typeOf[value];
    bool isAsked = *test.biasGradient;
    if (isAsked)
      results += ";" + tensor(test.biasGradient, "f32");
    finish(std::string(isAsked ? "%o:4" : "%o:3") +
               " = tessera.attention_gradient " + operands(query, key, value) +
               " output " + output + " maximum " + maximum + " sum " + sum +
               " gradient " + gradient + optional() + scale(),
           types({query, key, value, output, maximum, sum, gradient}), results);
    return programOf(arguments, results, body);
  }

private:
  static std::string tensor(const std::string &shape, const std::string &type) {
    return "tensor<" + shape + "x" + type + ">";
  }
  std::string heads(int64_t count, int64_t rows, int64_t features) const {
    return tensor(
        llvm::formatv("{0}x{1}x{2}x{3}", test.batch, count, rows, features),
        test.type);
  }
  std::string rows() const {
    return tensor(
        llvm::formatv("{0}x{1}x{2}", test.batch, test.heads, test.queries),
        "f32");
  }

  std::string addArgument(const std::string &type) {
    arguments += (arguments.empty() ? "" : ";") + type;
    std::string name = "%" + std::to_string(count++);
    typeOf[name] = type;
    return name;
  }

  /// An operand with these heads, as it lies in memory.
  std::string add(int64_t heads, int64_t rows, int64_t features) {
    std::string type = this->heads(heads, rows, features);
    if (!test.transposed)
      return addArgument(type);
    std::string memory = this->heads(rows, heads, features);
    std::string argument = addArgument(memory);
    std::string name = "%t" + std::to_string(count);
    body += name + " = tessera.transpose " + argument +
            " permutation = [0, 2, 1, 3] : " + memory + " -> " + type + "\n";
    typeOf[name] = type;
    return name;
  }

  static std::string operands(const std::string &a, const std::string &b,
                              const std::string &c) {
    return a + ", " + b + ", " + c;
  }
  std::string optional() const {
    return (bias.empty() ? "" : " bias " + bias) +
           (otherBias.empty() ? "" : ", " + otherBias) +
           (mask.empty() ? "" : " mask " + mask) +
           (keep.empty() ? "" : " keep " + keep);
  }
  std::string scale() const {
    return std::string(" scale = 0.4 ") + test.attributes;
  }
  std::string types(const std::vector<std::string> &names) {
    std::string list;
    for (const std::string &name : names)
      list += (list.empty() ? "" : ", ") + typeOf[name];
    for (const std::string &name : {bias, otherBias, mask, keep})
      if (!name.empty())
        list += ", " + typeOf[name];
    return "(" + list + ")";
  }
  void finish(const std::string &operation, const std::string &operandTypes,
              const std::string &results) {
    std::string list = results;
    for (size_t place; (place = list.find(';')) != std::string::npos;)
      list.replace(place, 1, ", ");
    body += operation + " : " + operandTypes + " -> (" + list + ")\n";
    body += "spmd.yield %o#0, %o#1, %o#2";
    body += llvm::StringRef(results).count(';') == 3 ? ", %o#3 : " : " : ";
    body += list;
  }

  const Case &test;
  std::string arguments, body, query, key, value, bias, otherBias, mask, keep;
  unsigned count = 0;
  std::map<std::string, std::string> typeOf;
};

class AttentionTest
    : public testing::TestWithParam<std::tuple<Case, const char *>> {
protected:
  AttentionTest() { registerDialects(registry); }

  double tolerance() const {
    std::string type = std::get<0>(GetParam()).type;
    return type == "f32" ? 1e-5 : type == "f16" ? 4e-3 : 2.5e-2;
  }

  /// Runs `text` on the target and compares with the interpreter, whose results
  /// it returns. `given` are the last inputs; the others are random.
  std::vector<HostTensor> check(const std::string &text,
                                std::vector<HostTensor> given,
                                std::vector<HostTensor> first) {
    mlir::MLIRContext context(registry);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return {};
    auto boundary = Boundary::of(*module);
    inputs = boundary->randomInputs(1);
    std::copy(first.begin(), first.end(), inputs.begin());
    std::copy(given.rbegin(), given.rend(), inputs.rbegin());
    auto expected = interpretModule(*module, inputs);
    auto program = CompiledProgram::compile(text, std::get<1>(GetParam()));
    EXPECT_TRUE(succeeded(expected) && program) << text;
    if (failed(expected) || !program)
      return {};
    expectResults(*program, inputs, expected->results, {tolerance(), 1e-6});
    return expected->results;
  }

  mlir::DialectRegistry registry;
  std::vector<HostTensor> inputs;
};

TEST_P(AttentionTest, AgreesWithTheInterpreter) {
  const Case &test = std::get<0>(GetParam());
  std::vector<HostTensor> results = check(CaseText(test).forward(), {}, {});
  if (HasFailure())
    return;
  std::vector<HostTensor> first = inputs;
  check(CaseText(test).gradient(), results, first);
}

const Case cases[] = {
    {"plain_f32", "f32", 1, 2, 2, 64, 64, 32, 32},
    {"ragged_f32", "f32", 2, 2, 2, 37, 70, 16, 32, "causal = 3"},
    {"padded_features_f32", "f32", 1, 2, 1, 20, 33, 12, 24},
    {"wide_f32", "f32", 1, 1, 1, 40, 35, 256, 256},
    {"plain_bf16", "bf16", 2, 2, 2, 64, 128, 64, 64},
    {"causal_bf16", "bf16", 1, 2, 2, 200, 200, 32, 32,
     "causal = 0 fill = -1.0e9"},
    {"grouped_bf16", "bf16", 1, 6, 2, 100, 70, 64, 32, "causal = 0"},
    {"transposed_bf16", "bf16", 2, 4, 2, 33, 65, 80, 80, "", "", "", true},
    {"many_features_bf16", "bf16", 1, 1, 1, 70, 90, 128, 128, "causal = 20"},
    {"wide_bf16", "bf16", 1, 1, 1, 70, 40, 256, 192},
    {"long_bf16", "bf16", 1, 2, 1, 150, 600, 64, 128, "causal = 450"},
    {"many_tiles_bf16", "bf16", 1, 68, 34, 130, 150, 16, 16, "causal = 20"},
    {"one_query_f16", "f16", 2, 4, 1, 1, 50, 64, 64},
    {"bias_f16", "f16", 2, 2, 2, 48, 40, 32, 32, "", "1x2x48x40"},
    {"mask_bf16", "bf16", 2, 2, 2, 48, 40, 32, 32, "fill = -1.0e9", "",
     "2x1x1x40"},
    {"hidden_rows_f32", "f32", 2, 2, 2, 40, 40, 16, 16,
     "causal = 0 fill = -1.0e9", "", "2x1x40x40"},
    {"early_queries_f32", "f32", 1, 1, 1, 70, 70, 16, 16,
     "causal = -5 fill = -1.0e9"},
    {"shallow_fill_f32", "f32", 1, 1, 1, 40, 40, 16, 16,
     "causal = 0 fill = -2.0"},
    {"bias_and_mask_bf16", "bf16", 1, 2, 1, 33, 47, 48, 16,
     "causal = 14 fill = -1.0e9", "1x1x33x47", "1x2x1x47"},
    {"empty_rows_bf16", "bf16", 1, 2, 1, 40, 70, 32, 32, "causal = -3", "",
     "1x1x40x70"},
    {"cap_f32", "f32", 1, 2, 1, 40, 70, 32, 16, "softcap = 2.0 causal = 30"},
    {"cap_bf16", "bf16", 2, 4, 2, 150, 140, 64, 64, "softcap = 3.0"},
    {"cap_bias_and_mask_f16", "f16", 1, 2, 2, 70, 130, 128, 64,
     "softcap = 2.0 causal = 60 fill = -1.0e9", "1x2x1x130", "1x1x70x130"},
    {"wide_cap_bf16", "bf16", 1, 1, 1, 70, 40, 256, 256, "softcap = 5.0"},
    {"dropout_f32", "f32", 2, 2, 1, 40, 37, 16, 16, "keep_scale = 1.25", "", "",
     false, "2x2x40x37"},
    {"dropout_bf16", "bf16", 1, 4, 2, 150, 130, 64, 128,
     "causal = 0 fill = -1.0e9 keep_scale = 1.25", "", "", false,
     "1x1x150x130"},
    {"dropout_and_cap_bf16", "bf16", 1, 2, 2, 70, 200, 128, 128,
     "softcap = 3.0 keep_scale = 2.0", "", "", false, "1x2x70x200"},
    {"bias_gradient_f32", "f32", 2, 2, 1, 40, 37, 16, 32, "causal = 0",
     "1x2x40x37", "", false, "", "1x2x40x37"},
    {"whole_bias_gradient_bf16", "bf16", 2, 2, 1, 90, 70, 64, 64, "",
     "2x2x90x70", "", false, "", "2x2x90x70"},
    {"batch_bias_gradient_bf16", "bf16", 3, 4, 2, 70, 150, 32, 64,
     "softcap = 2.0 causal = 60 fill = -1.0e9 keep_scale = 1.25", "1x4x70x150",
     "", false, "3x4x70x150", "1x4x70x150", "3x1x1x150"},
    {"key_bias_gradient_f16", "f16", 2, 2, 2, 150, 70, 48, 32, "", "2x1x1x70",
     "", false, "", "2x1x1x70"},
    {"query_bias_gradient_bf16", "bf16", 2, 2, 2, 70, 100, 32, 32,
     "fill = -3.0", "1x2x70x1", "2x1x1x100", false, "", "1x2x70x1"},
    {"head_bias_gradient_f32", "f32", 2, 2, 2, 40, 50, 16, 16, "fill = -3.0",
     "1x2x1x1", "2x1x1x50", false, "", "1x2x1x1"},
};

INSTANTIATE_TEST_SUITE_P(Cases, AttentionTest,
                         testing::Combine(testing::ValuesIn(cases),
                                          testing::Values("sm_80", "sm_90a")),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) +
                                  "_" + std::get<1>(info.param);
                         });

} // namespace
