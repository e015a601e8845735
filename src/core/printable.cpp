#include "core/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace brio {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: the text does not start with UTF-8
};

/// The first character of the text; forms that are longer than needed and halves of pairs are no UTF-8.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = byte(0) & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes};
}

bool is_command(std::uint32_t code) {
  const auto within = [code](std::uint32_t low, std::uint32_t high) { return code >= low && code <= high; };
  const bool control = code < 0x20 || within(0x7F, 0x9F);
  const bool direction = code == 0x61C || within(0x200E, 0x200F) || within(0x202A, 0x202E) || within(0x2066, 0x2069);
  return control || direction || within(0x2028, 0x2029) || code == 0xFEFF;  // ends of lines; mark of byte order
}

std::string escape_of(std::uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.bytes == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (is_command(c.code)) {
      out += escape_of(c.code);
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(std::max<std::size_t>(c.bytes, 1));
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U; };
  constexpr std::size_t longest = 3;  // bytes that continue a character; what has more is no UTF-8
  std::size_t end = max_bytes;
  while (end > 0 && max_bytes - end < longest && continues(end)) --end;
  return std::string(text.substr(0, continues(end) ? max_bytes : end)) + "…";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string quoted;
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  const std::string shown = printable(quoted);
  // Quotes of this kind know the escapes, but not every shell knows them.
  if (shown != text) return "$'" + shown + "'";
  return fmt::format("'{}'", text);
}

}  // namespace brio
