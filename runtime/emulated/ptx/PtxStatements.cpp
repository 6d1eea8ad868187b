//===- PtxStatements.cpp - Statements of PTX and their operands -----------===//

#include "ptx/PtxSyntaxParser.h"

using namespace tessera;
using namespace tessera::emulated;

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
