// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lexer.h"

#include <cctype>
#include <cstdlib>
#include <cstring>

using namespace prec::ptx;

static bool isWordChar(char c) {
  return std::isalnum((unsigned char)c) || c == '_' || c == '$';
}

void Lexer::advance(size_t count) {
  for (; count; --count, ++pos) {
    if (text[pos] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
}

/// Returns whether anything was skipped.
bool Lexer::skipSpace() {
  size_t begin = pos;
  while (pos < text.size()) {
    if (std::isspace((unsigned char)text[pos])) {
      advance(1);
    } else if (text.substr(pos, 2) == "//") {
      size_t end = text.find('\n', pos);
      advance((end == text.npos ? text.size() : end) - pos);
    } else if (text.substr(pos, 2) == "/*") {
      size_t end = text.find("*/", pos + 2);
      advance((end == text.npos ? text.size() : end + 2) - pos);
    } else {
      break;
    }
  }
  return pos != begin;
}

Token Lexer::number(Token token) {
  std::string_view rest = text.substr(pos);
  auto finish = [&](Token::Kind kind, size_t length) {
    token.kind = kind;
    token.text = rest.substr(0, length);
    advance(length);
    lastEnd = pos;
    return token;
  };
  auto isHex = [](char c) { return std::isxdigit((unsigned char)c) != 0; };
  size_t wordEnd = 0;
  while (wordEnd < rest.size() && isWordChar(rest[wordEnd]))
    ++wordEnd;
  char second = rest.size() > 1 ? rest[1] : 0;
  if (rest[0] == '0' && std::strchr("fFdD", second) && second) {
    size_t digits = second == 'f' || second == 'F' ? 8 : 16;
    bool good = wordEnd == digits + 2;
    for (size_t i = 2; good && i < wordEnd; ++i)
      good = isHex(rest[i]);
    if (!good)
      return finish(Token::Kind::Error, wordEnd);
    token.spelling =
        digits == 8 ? Operand::Spelling::Single : Operand::Spelling::Double;
    token.value =
        std::strtoull(std::string(rest.substr(2, digits)).c_str(), nullptr, 16);
    return finish(Token::Kind::Float, wordEnd);
  }
  // Decimal floats have a point or an exponent.
  size_t end = 0;
  while (end < rest.size() && std::isdigit((unsigned char)rest[end]))
    ++end;
  bool point = end < rest.size() && rest[end] == '.' && end + 1 < rest.size() &&
               std::isdigit((unsigned char)rest[end + 1]);
  bool exponent = end < rest.size() && (rest[end] == 'e' || rest[end] == 'E');
  if (point || exponent) {
    if (point)
      for (++end; end < rest.size() && std::isdigit((unsigned char)rest[end]);)
        ++end;
    if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
      ++end;
      if (end < rest.size() && (rest[end] == '+' || rest[end] == '-'))
        ++end;
      size_t digits = end;
      while (end < rest.size() && std::isdigit((unsigned char)rest[end]))
        ++end;
      if (end == digits)
        return finish(Token::Kind::Error, end);
    }
    if (end < rest.size() && isWordChar(rest[end]))
      return finish(Token::Kind::Error, end + 1);
    double value =
        std::strtod(std::string(rest.substr(0, end)).c_str(), nullptr);
    std::memcpy(&token.value, &value, 8);
    token.spelling = Operand::Spelling::Decimal;
    return finish(Token::Kind::Float, end);
  }
  // Integers: 0x, 0b, leading 0 (octal), decimal; a U may follow.
  unsigned base = 10;
  size_t first = 0, last = wordEnd;
  if (rest[0] == '0' && (second == 'x' || second == 'X')) {
    base = 16;
    first = 2;
  } else if (rest[0] == '0' && (second == 'b' || second == 'B')) {
    base = 2;
    first = 2;
  } else if (rest[0] == '0' && std::isdigit((unsigned char)second)) {
    base = 8;
    first = 1;
  }
  if (last > first && (rest[last - 1] == 'U' || rest[last - 1] == 'u'))
    --last;
  bool good = last > first;
  for (size_t i = first; good && i < last; ++i) {
    char c = rest[i];
    unsigned digit = std::isdigit((unsigned char)c) ? unsigned(c - '0')
                     : isHex(c) ? unsigned(std::tolower(c) - 'a' + 10)
                                : 99;
    good = digit < base &&
           !__builtin_mul_overflow(token.value, uint64_t(base), &token.value) &&
           !__builtin_add_overflow(token.value, uint64_t(digit), &token.value);
  }
  return finish(good ? Token::Kind::Integer : Token::Kind::Error, wordEnd);
}

Token Lexer::next() {
  Token token;
  token.glued = !skipSpace();
  token.location = {line, column};
  if (pos >= text.size()) {
    token.text = text.substr(text.size());
    lastEnd = pos;
    return token;
  }
  char c = text[pos];
  if (std::isdigit((unsigned char)c))
    return number(token);
  size_t length = 1;
  auto wordFrom = [&](size_t begin) {
    size_t end = begin;
    while (pos + end < text.size() && isWordChar(text[pos + end]))
      ++end;
    return end;
  };
  if (isWordChar(c) || (c == '%' && wordFrom(1) > 1)) {
    token.kind = Token::Kind::Word;
    length = wordFrom(1);
    token.text = text.substr(pos, length);
  } else if (c == '.' && wordFrom(1) > 1) {
    token.kind = Token::Kind::Dot;
    length = wordFrom(1);
    // Modifiers such as shared::cta are one word.
    while (text.substr(pos + length, 2) == "::" &&
           wordFrom(length + 2) > length + 2)
      length = wordFrom(length + 2);
    token.text = text.substr(pos + 1, length - 1);
  } else if (c == '"') {
    size_t end = text.find_first_of("\"\n", pos + 1);
    bool closed = end != text.npos && text[end] == '"';
    token.kind = closed ? Token::Kind::String : Token::Kind::Error;
    length = closed ? end + 1 - pos : 1;
    token.text = text.substr(pos, length);
  } else {
    token.kind = std::strchr("{}[]()<>,;:=+-|!@*", c) && c
                     ? Token::Kind::Punctuator
                     : Token::Kind::Error;
    token.text = text.substr(pos, 1);
  }
  advance(length);
  lastEnd = pos;
  return token;
}
