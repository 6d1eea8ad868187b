//===- PtxSyntax.cpp - Recursive descent over PTX -------------------------===//

#include "ptx/PtxSyntax.h"
#include "ptx/PtxLexer.h"

#include <bit>
#include <cstring>
#include <map>

using namespace tessera;
using namespace tessera::emulated;

static constexpr std::pair<std::string_view, Type> typeNames[] = {
    {"pred", Type::Pred},     {"b8", Type::B8},
    {"b16", Type::B16},       {"b32", Type::B32},
    {"b64", Type::B64},       {"b128", Type::B128},
    {"u8", Type::U8},         {"u16", Type::U16},
    {"u32", Type::U32},       {"u64", Type::U64},
    {"s8", Type::S8},         {"s16", Type::S16},
    {"s32", Type::S32},       {"s64", Type::S64},
    {"u16x2", Type::U16x2},   {"s16x2", Type::S16x2},
    {"f16", Type::F16},       {"f16x2", Type::F16x2},
    {"bf16", Type::BF16},     {"bf16x2", Type::BF16x2},
    {"tf32", Type::TF32},     {"f32", Type::F32},
    {"f64", Type::F64},       {"e4m3x2", Type::E4M3x2},
    {"e5m2x2", Type::E5M2x2}, {"f32x2", Type::F32x2},
};

std::optional<Type> emulated::typeNamed(std::string_view name) {
  for (auto &[text, type] : typeNames)
    if (text == name)
      return type;
  return std::nullopt;
}

std::string_view emulated::typeName(Type type) {
  for (auto &[text, other] : typeNames)
    if (type == other)
      return text;
  return "?";
}

namespace {

/// Parses by recursive descent; after the first error, which it keeps, it
/// stands at the end of the text.
class SyntaxParser {
public:
  explicit SyntaxParser(std::string_view text) : tokens(tokenize(text)) {}

  Fallible<SyntaxModule> parse();

private:
  using Kind = Token::Kind;

  const Token &peek(unsigned ahead = 0) const {
    return tokens[std::min<size_t>(at + ahead, tokens.size() - 1)];
  }
  const Token &next() {
    const Token &token = peek();
    at = std::min(at + 1, tokens.size() - 1);
    return token;
  }
  bool accept(std::string_view text) {
    bool there = peek().kind != Kind::End && peek().is(text);
    at += there;
    return there;
  }
  void expect(std::string_view text) {
    if (!accept(text))
      fail("expected '" + std::string(text) + "'");
  }
  void fail(const std::string &message);
  uint64_t expectInteger();
  std::string_view expectWord(const char *what);

  void parseTopLevel();
  void parseFile();
  void parseLocation();
  void skipSection();
  void parseFunction(bool entry);
  void parsePerformance(SyntaxFunction &function);
  std::vector<SyntaxVariable> parseParameters();
  void parseBody(SyntaxFunction &function);
  void parseStatement(SyntaxFunction &function);
  void parseInstruction(SyntaxFunction &function);
  SyntaxVariable parseDeclarator(SyntaxVariable variable);
  /// What a pointer parameter points to.
  void skipPointee();
  std::vector<SyntaxVariable> parseVariables(bool external);
  void parseInitializer(SyntaxVariable &variable);
  void parseInitialValue(SyntaxVariable &variable);
  void parseOperand(std::vector<SyntaxOperand> &operands);
  SyntaxOperand parseSimpleOperand();
  void parseAddress(std::vector<SyntaxOperand> &operands);
  SyntaxOperand parseGroup(SyntaxOperand::Kind kind, std::string_view close);

  std::vector<Token> tokens;
  size_t at = 0;
  std::string error;
  SyntaxModule module;
  std::map<uint64_t, std::string_view> files;
  /// File and line of `.loc`, in the order of `module.locations`.
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> locationNumbers;
  uint32_t location = 0;
};

} // namespace

void SyntaxParser::fail(const std::string &message) {
  if (error.empty()) {
    std::string got(peek().text);
    error = "line " + std::to_string(peek().line) + ": " + message +
            (peek().kind == Kind::End ? ", got the end of the text"
                                      : ", got '" + got + "'");
  }
  at = tokens.size() - 1;
}

uint64_t SyntaxParser::expectInteger() {
  bool negative = accept("-");
  std::optional<Number> number =
      peek().kind == Kind::Number ? parseNumber(peek().text) : std::nullopt;
  if (!number || number->floatBytes) {
    fail("expected an integer");
    return 0;
  }
  next();
  return negative ? -number->bits : number->bits;
}

std::string_view SyntaxParser::expectWord(const char *what) {
  if (peek().kind != Kind::Word) {
    fail(std::string("expected ") + what);
    return {};
  }
  return next().text;
}

Fallible<SyntaxModule> SyntaxParser::parse() {
  module.locations.emplace_back();
  while (peek().kind != Kind::End)
    parseTopLevel();
  if (!error.empty())
    return Failure{error};
  // `.file` may stand behind its uses.
  for (auto &[key, number] : locationNumbers) {
    auto file = files.find(key.first);
    std::string name = file == files.end() ? "file " + std::to_string(key.first)
                                           : std::string(file->second);
    module.locations[number] = name + ":" + std::to_string(key.second);
  }
  return std::move(module);
}

/// Parses one directive, variable or function of a module. What only debuggers
/// need is skipped.
void SyntaxParser::parseTopLevel() {
  if (accept(".version")) {
    next();
    return;
  }
  if (accept(".target")) {
    module.target = expectWord("a target");
    while (accept(","))
      expectWord("a target option");
    return;
  }
  if (accept(".address_size")) {
    if (expectInteger() != 64)
      fail("expected 64-bit addresses");
    return;
  }
  if (accept(".file"))
    return parseFile();
  if (accept(".loc"))
    return parseLocation();
  if (accept(".section"))
    return skipSection();
  if (accept(".pragma")) {
    while (next().kind == Kind::String)
      if (!accept(","))
        return expect(";");
    return fail("expected a string");
  }
  if (accept(";"))
    return;
  bool external = false;
  while (peek().is(".visible") || peek().is(".extern") || peek().is(".weak") ||
         peek().is(".common"))
    external |= next().is(".extern");
  if (accept(".entry"))
    return parseFunction(/*entry=*/true);
  if (accept(".func"))
    return parseFunction(/*entry=*/false);
  for (SyntaxVariable &variable : parseVariables(external))
    module.variables.push_back(std::move(variable));
}

void SyntaxParser::parseFile() {
  uint64_t number = expectInteger();
  if (peek().kind != Kind::String)
    return fail("expected a file name");
  std::string_view name = next().text;
  if (size_t slash = name.rfind('/'); slash != std::string_view::npos)
    name = name.substr(slash + 1);
  files[number] = name;
  // Time and size of the file.
  while (accept(","))
    expectInteger();
}

void SyntaxParser::parseLocation() {
  uint64_t file = expectInteger(), line = expectInteger();
  expectInteger();
  while (accept(",")) {
    // `function_name label + offset`, `inlined_at file line column`.
    while (peek().kind != Kind::End && !peek().is(",") &&
           peek().line == tokens[at - 1].line)
      next();
  }
  if (line == 0) {
    location = 0;
    return;
  }
  auto [entry, added] =
      locationNumbers.try_emplace({file, line}, module.locations.size());
  if (added)
    module.locations.emplace_back();
  location = entry->second;
}

void SyntaxParser::skipSection() {
  expectWord("a section name");
  expect("{");
  while (peek().kind != Kind::End && !peek().is("}"))
    next();
  expect("}");
}

std::vector<SyntaxVariable> SyntaxParser::parseParameters() {
  std::vector<SyntaxVariable> parameters;
  if (!accept("("))
    return parameters;
  while (peek().kind != Kind::End && !accept(")")) {
    for (SyntaxVariable &variable : parseVariables(/*external=*/false))
      parameters.push_back(std::move(variable));
    if (!peek().is(")"))
      expect(",");
  }
  return parameters;
}

void SyntaxParser::parseFunction(bool entry) {
  SyntaxFunction function;
  function.entry = entry;
  function.line = peek().line;
  if (!entry)
    function.results = parseParameters();
  function.name = expectWord("a function name");
  function.parameters = parseParameters();
  parsePerformance(function);
  if (accept(";"))
    return; // A declaration; its definition is here too, or calls fail.
  expect("{");
  location = 0;
  parseBody(function);
  module.functions.push_back(std::move(function));
}

void SyntaxParser::parsePerformance(SyntaxFunction &function) {
  auto triple = [&](std::array<uint32_t, 3> &values) {
    values = {1, 1, 1};
    for (unsigned i = 0; i < 3 && (i == 0 || accept(",")); ++i)
      values[i] = expectInteger();
  };
  while (peek().kind == Kind::Word && peek().text[0] == '.') {
    if (accept(".maxntid"))
      triple(function.maxThreads);
    else if (accept(".reqntid"))
      triple(function.requiredThreads);
    else if (accept(".minnctapersm"))
      function.leastBlocks = expectInteger();
    else if (accept(".maxnreg"))
      function.threadRegisters = expectInteger();
    else if (accept(".maxnctapersm"))
      expectInteger();
    else if (accept(".noreturn"))
      continue;
    else if (accept(".pragma"))
      next(), expect(";");
    else
      fail("expected a directive of a function");
  }
}

void SyntaxParser::parseBody(SyntaxFunction &function) {
  unsigned depth = 1;
  while (depth && peek().kind != Kind::End) {
    if (accept("{")) {
      ++depth;
      function.statements.push_back(SyntaxScope{true});
    } else if (accept("}")) {
      if (--depth)
        function.statements.push_back(SyntaxScope{false});
    } else {
      parseStatement(function);
    }
  }
  if (depth)
    fail("expected '}'");
}

/// Parses one statement of a function's body and appends it: a label, with its
/// targets a table of labels, variables, a block, or an instruction.
void SyntaxParser::parseStatement(SyntaxFunction &function) {
  if (accept(";"))
    return;
  if (accept(".loc"))
    return parseLocation();
  if (accept(".file"))
    return parseFile();
  if (accept(".pragma")) {
    next();
    return expect(";");
  }
  if (peek().kind == Kind::Word && peek(1).is(":")) {
    SyntaxLabel label{peek().text, peek().line};
    at += 2;
    if (!accept(".branchtargets")) {
      function.statements.push_back(label);
      return;
    }
    SyntaxTargets targets{label.name, {}};
    do
      targets.labels.push_back(expectWord("a label"));
    while (accept(","));
    expect(";");
    function.statements.push_back(std::move(targets));
    return;
  }
  if (peek().kind == Kind::Word && peek().text[0] == '.') {
    for (SyntaxVariable &variable : parseVariables(/*external=*/false))
      function.statements.push_back(std::move(variable));
    return;
  }
  parseInstruction(function);
}

void SyntaxParser::parseInstruction(SyntaxFunction &function) {
  SyntaxInstruction instruction;
  instruction.line = peek().line;
  instruction.location = location;
  const char *begin = peek().text.data();
  if (accept("@")) {
    instruction.guardNegated = accept("!");
    instruction.guard = expectWord("a predicate");
  }
  std::string_view word = expectWord("an instruction");
  size_t dot = word.find('.');
  instruction.opcode = word.substr(0, dot);
  while (dot != std::string_view::npos) {
    size_t end = word.find('.', dot + 1);
    instruction.modifiers.push_back(word.substr(
        dot + 1, end == std::string_view::npos ? end : end - dot - 1));
    dot = end;
  }
  if (!peek().is(";"))
    do
      parseOperand(instruction.operands);
    while (accept(","));
  const char *end = peek().text.data();
  expect(";");
  if (end)
    instruction.text = {begin, static_cast<size_t>(end - begin)};
  function.statements.push_back(std::move(instruction));
}

void SyntaxParser::parseOperand(std::vector<SyntaxOperand> &operands) {
  if (accept("["))
    return parseAddress(operands);
  if (accept("{")) {
    operands.push_back(parseGroup(SyntaxOperand::Kind::Vector, "}"));
    return;
  }
  if (accept("(")) {
    operands.push_back(parseGroup(SyntaxOperand::Kind::List, ")"));
    return;
  }
  operands.push_back(parseSimpleOperand());
  if (accept("|")) {
    operands.back().paired = true;
    operands.push_back(parseSimpleOperand());
  }
}

SyntaxOperand SyntaxParser::parseGroup(SyntaxOperand::Kind kind,
                                       std::string_view close) {
  SyntaxOperand group;
  group.kind = kind;
  if (accept(close))
    return group;
  do
    group.elements.push_back(parseSimpleOperand());
  while (accept(","));
  expect(close);
  return group;
}

void SyntaxParser::parseAddress(std::vector<SyntaxOperand> &operands) {
  SyntaxOperand address;
  address.kind = SyntaxOperand::Kind::Address;
  address.elements.push_back(parseSimpleOperand());
  address.displacement = std::exchange(address.elements[0].displacement, 0);
  operands.push_back(std::move(address));
  while (accept(","))
    parseOperand(operands);
  expect("]");
}

/// Parses a number with its sign, WARP_SZ, or a name with `!` before or a
/// displacement behind it.
SyntaxOperand SyntaxParser::parseSimpleOperand() {
  SyntaxOperand operand;
  operand.text = peek().text;
  operand.negated = accept("!");
  bool minus = accept("-");
  if (peek().kind == Kind::Number) {
    std::optional<Number> number = parseNumber(peek().text);
    if (!number) {
      fail("expected a number");
      return operand;
    }
    next();
    operand.kind = number->floatBytes ? SyntaxOperand::Kind::Float
                                      : SyntaxOperand::Kind::Integer;
    operand.floatBytes = number->floatBytes;
    operand.bits = number->bits;
    if (minus && number->floatBytes)
      operand.bits ^= uint64_t(1) << (8 * number->floatBytes - 1);
    else if (minus)
      operand.bits = -operand.bits;
    return operand;
  }
  if (minus)
    fail("expected a number");
  operand.text = expectWord("an operand");
  if (operand.text == "WARP_SZ") {
    operand.kind = SyntaxOperand::Kind::Integer;
    operand.bits = warpLanes;
  } else if (accept("+")) {
    operand.displacement = expectInteger();
  } else if (accept("-")) {
    operand.displacement = -expectInteger();
  }
  return operand;
}

/// Parses the variables of one declaration, which share storage, type and
/// alignment, and the `;` behind it; none after an error.
std::vector<SyntaxVariable> SyntaxParser::parseVariables(bool external) {
  using Storage = SyntaxVariable::Storage;
  static constexpr std::pair<std::string_view, Storage> storages[] = {
      {".reg", Storage::Register},      {".local", Storage::Local},
      {".shared", Storage::Shared},     {".global", Storage::Global},
      {".const", Storage::Constant},    {".param", Storage::Param},
      {".shared::cta", Storage::Shared}};
  std::vector<SyntaxVariable> variables;
  SyntaxVariable variable;
  variable.external = external;
  variable.line = peek().line;
  bool known = false;
  for (auto &[name, storage] : storages)
    if (!known && accept(name))
      variable.storage = storage, known = true;
  if (!known) {
    fail("expected a declaration or an instruction");
    return {};
  }
  unsigned vector = 1;
  std::optional<Type> type;
  while (peek().kind == Kind::Word && peek().text[0] == '.') {
    if (accept(".align"))
      variable.alignment = expectInteger();
    else if (accept(".v2"))
      vector = 2;
    else if (accept(".v4"))
      vector = 4;
    else if (accept(".ptr"))
      skipPointee();
    else if (accept(".attribute") || accept(".managed"))
      fail("expected no attributes");
    else if ((type = typeNamed(peek().text.substr(1))))
      next();
    else
      fail("expected a type");
  }
  if (!type) {
    fail("expected a type");
    return {};
  }
  variable.type = *type;
  bool parameter = variable.storage == Storage::Param;
  variable.bytes = uint64_t(vector) * typeBytes(*type);
  if (!variable.alignment)
    variable.alignment = std::max<uint64_t>(variable.bytes, 1);
  do
    variables.push_back(parseDeclarator(variable));
  while (!parameter && accept(","));
  // The parameters of a function are separated, all others ended.
  if (!parameter || peek().is(";"))
    expect(";");
  return variables;
}

void SyntaxParser::skipPointee() {
  while (accept(".global") || accept(".const") || accept(".shared") ||
         accept(".local"))
    continue;
  if (accept(".align"))
    expectInteger();
}

SyntaxVariable SyntaxParser::parseDeclarator(SyntaxVariable variable) {
  variable.name = expectWord("a name");
  if (accept("<")) {
    variable.range = expectInteger();
    expect(">");
  }
  while (accept("[")) {
    variable.bytes = peek().is("]") ? 0 : variable.bytes * expectInteger();
    expect("]");
  }
  if (accept("="))
    parseInitializer(variable);
  return variable;
}

void SyntaxParser::parseInitializer(SyntaxVariable &variable) {
  if (!accept("{"))
    return parseInitialValue(variable);
  if (accept("}"))
    return;
  do
    parseInitializer(variable);
  while (accept(","));
  expect("}");
}

void SyntaxParser::parseInitialValue(SyntaxVariable &variable) {
  SyntaxOperand value = parseSimpleOperand();
  unsigned bytes = typeBytes(variable.type);
  uint64_t bits = value.bits;
  if (value.kind == SyntaxOperand::Kind::Name)
    return fail("expected a number as initial value");
  if (value.kind == SyntaxOperand::Kind::Float && bytes != value.floatBytes) {
    double wide = value.floatBytes == 8
                      ? std::bit_cast<double>(bits)
                      : std::bit_cast<float>(static_cast<uint32_t>(bits));
    bits = bytes == 8 ? std::bit_cast<uint64_t>(wide)
                      : std::bit_cast<uint32_t>(static_cast<float>(wide));
  }
  size_t end = variable.initial.size();
  variable.initial.resize(end + bytes);
  std::memcpy(variable.initial.data() + end, &bits, std::min(bytes, 8u));
}

Fallible<SyntaxModule> emulated::parseSyntax(std::string_view text) {
  return SyntaxParser(text).parse();
}
