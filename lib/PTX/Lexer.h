// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREC_LIB_PTX_LEXER_H
#define PREC_LIB_PTX_LEXER_H

#include "prec/PTX/Module.h"

#include <string_view>

namespace prec::ptx {

struct Token {
  enum class Kind : uint8_t {
    End,
    Error,   ///< a character or literal that PTX does not have
    Word,    ///< identifier, with a leading % or $ where written
    Dot,     ///< .word, as in directives and modifiers (`text` without the dot)
    Integer, ///< `value`
    Float,   ///< 0f, 0d or decimal
    String,  ///< "..." (`text` with the quotes)
    Punctuator ///< one character
  };
  Kind kind = Kind::End;
  std::string_view text;
  uint64_t value = 0;
  Operand::Spelling spelling = Operand::Spelling::None;
  Location location;
  /// No space or comment before it.
  bool glued = false;

  bool is(char c) const { return kind == Kind::Punctuator && text[0] == c; }
  bool isWord(std::string_view word) const {
    return kind == Kind::Word && text == word;
  }
  bool isDot(std::string_view word) const {
    return kind == Kind::Dot && text == word;
  }
};

/// Splits PTX into tokens; comments and spaces are skipped.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}
  Token next();
  /// The text from `from` (a token's text) up to the last token read.
  std::string_view since(std::string_view from) const {
    return text.substr(from.data() - text.data(),
                       lastEnd - (from.data() - text.data()));
  }

private:
  bool skipSpace();
  Token number(Token token);
  void advance(size_t count);

  std::string_view text;
  size_t pos = 0, lastEnd = 0;
  unsigned line = 1, column = 1;
};

} // namespace prec::ptx

#endif // PREC_LIB_PTX_LEXER_H
