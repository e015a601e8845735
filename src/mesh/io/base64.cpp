#include "mesh/io/base64.h"

#include <array>
#include <cstdint>

namespace brio {
namespace {

constexpr std::uint8_t bad = 255;

constexpr std::array<std::uint8_t, 256> value_table() {
  std::array<std::uint8_t, 256> values{};
  values.fill(bad);
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  return values;
}
constexpr auto values = value_table();

}  // namespace

std::optional<Decoded> decode_base64(std::string_view text, std::size_t wanted) {
  Decoded out;
  std::uint32_t bits = 0;
  int digits = 0, padding = 0;
  for (; out.used < text.size() && out.bytes.size() < wanted; ++out.used) {
    const char c = text[out.used];
    if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
    const std::uint8_t value = values[static_cast<unsigned char>(c)];
    const bool pad = c == '=' && digits >= 2;
    if (!pad && (value == bad || padding > 0)) return std::nullopt;
    bits = bits << 6 | (pad ? 0U : value);
    padding += pad ? 1 : 0;
    if (++digits < 4) continue;
    for (int i = 0; i < 3 - padding; ++i) out.bytes += static_cast<char>(bits >> (16 - 8 * i) & 0xFF);
    bits = 0;
    digits = padding = 0;
  }
  if (digits != 0) return std::nullopt;
  return out;
}

}  // namespace brio
