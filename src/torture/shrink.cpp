#include "torture/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace brio::torture {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The number that begins at `at`, which follows neither a letter nor a digit: its length, 0 where there is none.
std::size_t number_at(const std::string& text, std::size_t at) {
  const auto is = [&](std::size_t i, const char* set) {
    return std::string_view(set).find(text[i]) != std::string_view::npos;
  };
  if (at == 0 || !is(at - 1, " [")) return 0;
  if (text[at] != '-' && std::isdigit(static_cast<unsigned char>(text[at])) == 0) return 0;
  const std::size_t end = text.find_first_not_of("+-.0123456789e", at);
  return std::min(end, text.size()) - at;
}

/// Smaller where it is whole, else with fewer digits.
std::vector<std::string> simpler(const std::string& number) {
  std::vector<std::string> list;
  if (number.find_first_of(".e") == std::string::npos) {
    const long value = std::atol(number.c_str());
    for (const long less : {1L, value / 2, value - 1})
      if (less >= 1 && less < value) list.push_back(fmt::format("{}", less));
    return list;
  }
  const double value = std::atof(number.c_str());
  if (value == 0) return list;
  list.emplace_back("0");
  list.push_back(fmt::format("{:.0e}", std::pow(10, std::round(std::log10(std::abs(value))))));
  for (const int digits : {1, 2})
    if (const std::string round = fmt::format("{:.{}g}", value, digits); round.size() < number.size())
      list.push_back(round);
  return list;
}

class Shrinker {
 public:
  Shrinker(const std::string& text, const std::function<bool(const std::string&)>& wrong, int most)
      : text_(text), wrong_(wrong), left_(most) {}

  std::string run() {
    for (bool changed = true; changed && left_ > 0;) {
      changed = drop_tables();
      changed = drop_lines() || changed;
      changed = simplify_numbers() || changed;
    }
    return text_;
  }

 private:
  bool take(const std::string& candidate) {
    if (left_ <= 0 || candidate == text_) return false;
    --left_;
    if (!wrong_(candidate)) return false;
    text_ = candidate;
    return true;
  }
  bool drop(const Lines& lines, std::size_t from, std::size_t to) {
    Lines rest = lines;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(from), rest.begin() + static_cast<std::ptrdiff_t>(to));
    return take(text_of(rest));
  }
  /// The last ones first: they lean on those before.
  bool drop_tables() {
    bool changed = false;
    Lines lines = lines_of(text_);
    for (std::size_t k = lines.size(), end = lines.size(); k-- > 0;) {
      if (!lines[k].starts_with('[')) continue;
      if (lines[k] != "[output]" && drop(lines, k, end)) {
        changed = true;
        lines = lines_of(text_);
      }
      end = k;
    }
    return changed;
  }
  bool drop_lines() {
    bool changed = false;
    for (std::size_t k = lines_of(text_).size(); k-- > 0;) {
      const Lines lines = lines_of(text_);
      if (lines[k].starts_with('[') || lines[k].starts_with("formats")) continue;
      changed = drop(lines, k, k + 1) || changed;
    }
    return changed;
  }
  bool simplify_numbers() {
    bool changed = false;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const std::size_t length = number_at(text_, at);
      if (length == 0) continue;
      const std::string number = text_.substr(at, length);
      for (const std::string& less : simpler(number)) {
        std::string candidate = text_;
        candidate.replace(at, length, less);
        if (!take(candidate)) continue;
        changed = true;
        break;
      }
    }
    return changed;
  }

  std::string text_;
  const std::function<bool(const std::string&)>& wrong_;
  int left_;
};

}  // namespace

std::string shrink(const std::string& text, const std::function<bool(const std::string&)>& still_wrong, int most) {
  return Shrinker(text, still_wrong, most).run();
}

}  // namespace brio::torture
