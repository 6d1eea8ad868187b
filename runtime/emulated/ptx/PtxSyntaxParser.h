//===- PtxSyntaxParser.h - Recursive descent over PTX ---------------------===//
//
// One class in three files: modules and functions (PtxSyntax.cpp), statements
// and their operands (PtxStatements.cpp), variables (PtxVariables.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_RUNTIME_EMULATED_PTX_PTXSYNTAXPARSER_H
#define TESSERA_RUNTIME_EMULATED_PTX_PTXSYNTAXPARSER_H

#include "ptx/PtxLexer.h"
#include "ptx/PtxSyntax.h"

#include <map>

namespace tessera::emulated {

/// Parses by recursive descent; after the first error, which it keeps, it
/// stands at the end of the text.
class SyntaxParser {
public:
  explicit SyntaxParser(std::string_view text) : tokens(tokenize(text)) {}

  /// The module that the text is, or what is wrong with it.
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
  /// Keeps `message`, with the line and what stands there, if it is the first.
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

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTX_PTXSYNTAXPARSER_H
