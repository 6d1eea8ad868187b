//===- PtxSyntax.cpp - Modules and functions of PTX -----------------------===//

#include "ptx/PtxSyntaxParser.h"

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

Fallible<SyntaxModule> emulated::parseSyntax(std::string_view text) {
  return SyntaxParser(text).parse();
}
