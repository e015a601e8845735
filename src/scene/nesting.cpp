#include "scene/nesting.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "brio/core.h"

namespace brio {
namespace {

constexpr int max_values = 1'000'000;

/// Walks over a text by the few rules of TOML that tell what nests: strings and comments hide everything, brackets open
/// and close, dots lengthen a key. Of text that is not TOML it may think anything: the parser refuses that.
class NestingScan {
 public:
  NestingScan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      // TOML has none of these, and what the parser makes of them is undefined.
      if (static_cast<unsigned char>(c) > 0x7f)
        refuse("a letter or blank beyond ASCII stands outside quotes", "put quotes around the text or key");
      ++at_;
      switch (c) {
        case '[':
        case '{':
          deeper(1);
          open_.push_back(dots_ + 1);
          dots_ = 0;
          break;
        case ']':
        case '}':
          end_key();
          if (!open_.empty()) close();
          break;
        case '.':
          ++dots_;
          deeper(1);
          break;
        case ',':
          next_value();
          break;
        case '\n':
          if (open_.empty()) next_value();
          break;
        default:
          break;
      }
    }
  }

 private:
  /// The key that stood before the bracket goes on counting until what it names is over.
  void close() {
    depth_ -= open_.back();
    open_.pop_back();
  }

  void end_key() {
    depth_ -= dots_;
    dots_ = 0;
  }

  void next_value() {
    end_key();
    if (++values_ > max_values) refuse(fmt::format("holds more than {} values", max_values), "keep meshes in files");
  }

  void deeper(int by) {
    depth_ += by;
    if (depth_ > max_toml_depth)
      refuse(fmt::format("keys, tables and arrays nest deeper than {}", max_toml_depth),
             "no key of a scene lies so deep");
  }

  /// A string that is not closed ends with the text.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool many_lines = text_.substr(at_).starts_with(three);
    at_ += many_lines ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (many_lines ? text_.substr(at_).starts_with(three) : text_[at_] == quote || text_[at_] == '\n') {
        break;
      }
    }
    at_ = std::min(at_ + (many_lines ? 3 : 1), text_.size());
    // Up to two quotes may stand before the three that close.
    for (int i = 0; many_lines && i < 2 && at_ < text_.size() && text_[at_] == quote; ++i) ++at_;
  }

  [[noreturn]] void refuse(const std::string& problem, const std::string& advice) const {
    const auto here = text_.begin() + static_cast<std::ptrdiff_t>(at_);
    throw InputError(
        {.file = file_, .line = 1 + std::count(text_.begin(), here, '\n'), .problem = problem, .advice = advice});
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int depth_ = 0;          ///< of all that is open, and of the key at hand
  int dots_ = 0;           ///< of the key or number at hand
  std::vector<int> open_;  ///< what each bracket added
  int values_ = 0;
};

}  // namespace

void check_nesting(std::string_view toml, const std::string& file) { NestingScan(toml, file).run(); }

}  // namespace brio
