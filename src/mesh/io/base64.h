/// Base64 [RFC 4648, section 4], as VTK's XML files use it: several padded pieces may follow each other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace brio {

struct Decoded {
  std::string bytes;
  std::size_t used = 0;  ///< characters of the text that were read
};

/// At least the first `wanted` bytes of the text, or all there are. Blanks are stepped over; nothing when a character
/// or the padding is wrong.
std::optional<Decoded> decode_base64(std::string_view text, std::size_t wanted);

}  // namespace brio
