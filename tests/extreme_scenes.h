/// Random scenes whose numbers are what nobody means: next to nothing, next to infinite, of the wrong sign, none at
/// all. Each is a function of its seed.
#pragma once

#include <algorithm>
#include <cctype>
#include <functional>

#include "random_scenes.h"

namespace brio::testing {

class ExtremeScene {
 public:
  explicit ExtremeScene(std::uint64_t seed) : dice_(seed + 7'000'000) {
    for (int k = 0; k < 4; ++k) dice_.whole(0, 1);
    text_ = with_more_keys(RandomScene(seed).text());
    const std::vector<Place> numbers = places(text_);
    const int changes = dice_.whole(1, 4);
    // From the back, so that the places before keep theirs.
    std::vector<Place> chosen;
    for (int k = 0; k < changes; ++k) chosen.push_back(dice_.of(numbers));
    std::ranges::sort(chosen, std::ranges::greater(), &Place::start);
    std::size_t before = text_.size();
    for (const Place& place : chosen) {
      if (place.start + place.length > before) continue;  // chosen twice
      text_.replace(place.start, place.length, number());
      before = place.start;
    }
  }

  const std::string& text() const { return text_; }

 private:
  struct Place {
    std::size_t start, length;
  };

  /// Numbers that follow a space, comma, bracket or sign of equality; not those within names.
  static std::vector<Place> places(const std::string& text) {
    std::vector<Place> found;
    for (std::size_t i = 1; i < text.size(); ++i) {
      const bool begins = std::string_view(" ,=[").find(text[i - 1]) != std::string_view::npos;
      if (!begins || (text[i] != '-' && std::isdigit(static_cast<unsigned char>(text[i])) == 0)) continue;
      const std::size_t end = text.find_first_not_of("+-.0123456789e", i);
      found.push_back({i, std::min(end, text.size()) - i});
      i = found.back().start + found.back().length - 1;
    }
    return found;
  }

  std::string number() {
    if (dice_.chance(0.15)) return dice_.name({"0", "0.0", "-0.0", "-1", "1", "2", "nan", "inf", "-inf"});
    if (dice_.chance(0.1))
      return dice_.name({"9223372036854775807", "-9223372036854775808", "2147483648", "1000000000", "4294967296"});
    const int exponent = dice_.chance(0.6) ? dice_.whole(-9, 9) : dice_.whole(-324, 308);
    const std::string sign = dice_.chance(0.2) ? "-" : "";
    if (exponent <= -308) return sign + dice_.name({"5e-324", "1e-310", "2.2250738585072014e-308"});
    if (dice_.chance(0.05)) return sign + "1.7976931348623157e308";
    return fmt::format("{}{:.4}e{}", sign, dice_.between(1, 9.99), std::min(exponent, 307));
  }

  /// Keys that ordinary random scenes leave alone.
  std::string with_more_keys(std::string text) {
    const std::string body = "[[body]]\n";
    const std::size_t at = text.find(body);
    if (at == std::string::npos || !dice_.chance(0.6)) return text;
    const std::vector<std::string> keys{
        "scale = 1.0",
        "copies = [2, 1, 1]\nspacing = [3.0, 3.0, 3.0]",
        "rotate = { axis = [0.0, 1.0, 0.0], degrees = 10.0 }",
        "deform = [{ select = { all = true }, translate = [0.0, 0.1, 0.0], scale = 1.1 }]",
        "deform = [{ select = { all = true }, scatter = 0.1, seed = 3 }]",
        "color = [0.1, 0.2, 0.3]",
    };
    text.insert(at + body.size(), dice_.of(keys) + "\n");
    if (text.find("[contact]") == std::string::npos && dice_.chance(0.3))
      text += "[contact]\nthickness = 0.01\nspeed = 5.0\nstiffness = 100.0\n";
    return text;
  }

  Dice dice_;
  std::string text_;
};

}  // namespace brio::testing
