/// Bounds of a TOML text, looked at before a parser that goes as deep as the text asks it to.
#pragma once

#include <string>
#include <string_view>

namespace brio {

/// Deeper than any scene; a table within a table, an item of an array and a part of a dotted key count one each.
constexpr int max_toml_depth = 32;

/// Throws InputError naming the line where keys, tables and arrays nest deeper than that, where more than a million
/// values stand, or where letters beyond ASCII stand outside strings and comments.
void check_nesting(std::string_view toml, const std::string& file);

}  // namespace brio
