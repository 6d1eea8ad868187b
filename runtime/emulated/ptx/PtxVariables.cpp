//===- PtxVariables.cpp - Variables of PTX and what they begin with -------===//

#include "ptx/PtxSyntaxParser.h"

#include <bit>
#include <cstring>

using namespace tessera;
using namespace tessera::emulated;

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
