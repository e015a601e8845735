/// Text from outside — names, titles, paths, what other programs say — made fit for a terminal and a line of a log.
#pragma once

#include <string>
#include <string_view>

namespace brio {

/// The same text with everything escaped that a terminal would obey instead of showing: control characters (also those
/// of eight bits), ends of lines, marks that change the direction of writing, bytes that are not UTF-8. What can be
/// read stays as it is.
std::string printable(std::string_view text);

/// At most so many bytes of it, whole characters; what is cut off is told by `…`.
std::string shortened(std::string_view text, std::size_t max_bytes);

/// A word of a command line that a shell takes for exactly this text, and a terminal shows.
std::string shell_word(std::string_view text);

}  // namespace brio
