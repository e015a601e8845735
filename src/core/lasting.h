/// Text that lives as long as the program: reports point to it and outlive whoever wrote it.
#pragma once

#include <string>

namespace brio {

/// A copy of the text, the same one for equal texts. For few and short ones: they are never freed.
const char* lasting(const std::string& text);

}  // namespace brio
