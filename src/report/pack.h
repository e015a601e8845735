/// Bytes as text within the page: gzip, then base64. The browser undoes both by itself.
#pragma once

#include <string>
#include <string_view>

namespace brio {

std::string packed(std::string_view bytes);

}  // namespace brio
