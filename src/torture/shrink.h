/// Makes a scene that goes wrong small: less of everything that does not matter, and rounder numbers.
#pragma once

#include <functional>
#include <string>

namespace brio::torture {

/// The smallest scene found by leaving out tables, then lines, then making whole numbers smaller and others rounder,
/// for which `still_wrong` holds; it does for `text`. Asks no more than `most` times.
std::string shrink(const std::string& text, const std::function<bool(const std::string&)>& still_wrong, int most = 150);

}  // namespace brio::torture
