#include "core/printable.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "brio/core.h"

namespace brio {
namespace {

/// Bytes that a terminal may obey: control characters of seven and, as UTF-8, of eight bits.
bool has_controls(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return true;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

std::string said_by_shell(const std::string& word) {
  FILE* pipe = popen(("bash -c \"printf %s " +
                      [&] {
                        std::string escaped;
                        for (const char c : word) {
                          if (c == '"' || c == '\\' || c == '$' || c == '`') escaped += '\\';
                          escaped += c;
                        }
                        return escaped;
                      }() +
                      "\"")
                         .c_str(),
                     "r");
  std::string out;
  for (int c = 0; (c = fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  pclose(pipe);
  return out;
}

}  // namespace

TEST(Printable, WhatCanBeReadStaysAsItIs) {
  for (const std::string text :
       {"", "a cube", "Würfel", "立方体", "куб", "a\\b \"c\" 'd'", "👩‍🔬", "naïve – 1 µm²"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatATerminalWouldObeyIsEscaped) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("two\nlines\r\tand\x7f"), "two\\nlines\\r\\tand\\x7f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u009b2J")
      << "C1 as UTF-8";
  EXPECT_EQ(printable("\x9b"
                      "2J"),
            "\\x9b2J")
      << "C1 as a byte";
  EXPECT_EQ(printable("safe\xe2\x80\xaegpj.exe"), "safe\\u202egpj.exe") << "writing turned around";
  EXPECT_EQ(printable("\xe2\x81\xa6x\xe2\x81\xa9\xe2\x80\x8f\xd8\x9c"), "\\u2066x\\u2069\\u200f\\u061c");
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u2028") << "end of a line";
}

TEST(Printable, BytesThatAreNotUtf8AreEscapedOneByOne) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "longer than needed";
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last";
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80") << "cut off";
}

TEST(Printable, NoBytesLeaveAControlCharacter) {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(random() % 12, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 3 == 0 ? random() % 0x30 : random());
    const std::string shown = printable(bytes);
    EXPECT_FALSE(has_controls(shown)) << shown;
    EXPECT_EQ(printable(shown), shown);
  }
}

TEST(Printable, ComplaintsShowNamesAndValuesInOneLine) {
  const InputError error({.file = "a\nb.toml",
                          .line = 3,
                          .key = "body[0].na\x1bme",
                          .value = "\"x\xe2\x80\xae\"",
                          .problem = "bad\x9b",
                          .advice = "no\x07"});
  EXPECT_STREQ(error.what(), "a\\nb.toml:3: body[0].na\\x1bme = \"x\\u202e\": bad\\x9b; no\\x07");
}

TEST(ShellWord, IsTakenForTheSameTextByAShell) {
  EXPECT_EQ(shell_word("out/hello-2"), "out/hello-2");
  EXPECT_EQ(shell_word("my scene.toml"), "'my scene.toml'");
  for (const std::string text :
       {"a b", "it's", "a\\b", "$HOME `x`", "", "\x1b[2J", "two\nlines", "*.toml", "a'\x07\\"}) {
    EXPECT_EQ(said_by_shell(shell_word(text)), text);
    EXPECT_FALSE(has_controls(shell_word(text)));
  }
}

TEST(Shortened, CutsWholeCharacters) {
  EXPECT_EQ(shortened("jelly", 5), "jelly");
  EXPECT_EQ(shortened("jelly", 4), "jell…");
  const std::string word = "Größe";  // two bytes for ö and for ß
  EXPECT_EQ(shortened(word, 3), "Gr…");
  EXPECT_EQ(shortened(word, 4), "Grö…");
  EXPECT_EQ(shortened(word, 5), "Grö…");
  EXPECT_EQ(shortened("🐇🐇", 7), "🐇…");
  for (std::size_t bytes = 0; bytes < 12; ++bytes)
    EXPECT_EQ(printable(shortened("aé漢🐇z漢", bytes)), shortened("aé漢🐇z漢", bytes)) << bytes;
  EXPECT_EQ(shortened("\x80\x80\x80\x80\x80\x80\x80\x80", 6), "\x80\x80\x80\x80\x80\x80…") << "no UTF-8 at all";
}

}  // namespace brio
