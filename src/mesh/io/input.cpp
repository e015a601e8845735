#include "mesh/io/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Fit to be shown: short, and without control characters.
std::string shown(std::string_view value) {
  std::string text(value.substr(0, 40));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return value.size() > 40 ? text + "..." : text;
}

}  // namespace

std::size_t Input::word_start() const {
  const auto continues = [this](std::size_t i) {
    return bytes_[i] == '\\' && i + 1 < limit_ && (bytes_[i + 1] == '\n' || bytes_[i + 1] == '\r');
  };
  std::size_t i = next_;
  while (i < limit_ && (is_blank(bytes_[i]) || continues(i))) ++i;
  return i;
}

bool Input::has_word() const { return word_start() < limit_; }

std::string_view Input::peek() const {
  const std::size_t begin = word_start();
  std::size_t end = begin;
  while (end < limit_ && !is_blank(bytes_[end])) ++end;
  return bytes_.substr(begin, end - begin);
}

std::string_view Input::word(std::string_view what) {
  const std::string_view word = peek();
  if (word.empty()) fail_end(what, 0);
  token_ = static_cast<std::size_t>(word.data() - bytes_.data());
  next_ = token_ + word.size();
  return word;
}

void Input::expect(std::string_view wanted) {
  const std::string_view found = word(wanted);
  if (found != wanted) fail(fmt::format("expected {}", wanted), found);
}

std::string_view Input::rest_of_line() {
  const std::size_t begin = next_;
  const std::size_t end = std::min(bytes_.find('\n', begin), bytes_.size());
  next_ = std::min(end + 1, bytes_.size());
  std::string_view line = bytes_.substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool Input::next_line() {
  next_ = std::max(next_, line_end_);
  for (;;) {
    limit_ = bytes_.size();
    next_ = word_start();
    if (next_ == bytes_.size()) return false;
    std::size_t end = next_;
    const auto continued = [&] {
      return bytes_[end - 1] == '\\' || (bytes_[end - 1] == '\r' && end - next_ >= 2 && bytes_[end - 2] == '\\');
    };
    while (end < bytes_.size() && (bytes_[end] != '\n' || continued())) ++end;
    line_end_ = end;
    const std::size_t comment = std::min(bytes_.substr(next_, end - next_).find('#'), end - next_);
    if (comment > 0) {
      limit_ = next_ + comment;
      return true;
    }
    next_ = end;
  }
}

void Input::next_line(std::string_view item, std::size_t i, std::size_t count) {
  if (!next_line()) fail_end(fmt::format("{} {} of {}", item, i + 1, count), 0);
}

double Input::finite(double value) const {
  if (!std::isfinite(value))
    fail(fmt::format("coordinate is {}: must be finite", std::isnan(value) ? "not a number" : "infinite"));
  return value;
}

double Input::coordinate() { return coordinate_as<double>(); }

Vec3 Input::point() {
  const double x = coordinate(), y = coordinate(), z = coordinate();
  return {x, y, z};
}

void Input::skip_bytes(std::size_t count, std::string_view what) {
  token_ = next_;
  if (left() < count) fail_end(what, count);
  next_ += count;
}

std::size_t Input::checked_count(std::uint64_t count, std::size_t min_bytes, std::string_view what) const {
  if (count > left() / min_bytes)
    fail(fmt::format("{} {} declared, but the rest of the file ({} bytes) cannot hold so many", count, what, left()));
  return static_cast<std::size_t>(count);
}

int Input::vertex_index(std::int64_t raw, std::int64_t first, std::size_t vertices) const {
  const auto count = static_cast<std::int64_t>(vertices);
  if (raw < first || raw - first >= count)
    fail(count == 0 ? fmt::format("vertex {} is used, but there are no vertices", raw)
                    : fmt::format("vertex {} is out of range: must be in [{}, {}]", raw, first, first + count - 1));
  return static_cast<int>(raw - first);
}

void Input::fail(std::string problem, std::string_view value, std::string advice) const {
  Complaint complaint{.file = name_, .value = shown(value), .problem = std::move(problem), .advice = std::move(advice)};
  if (is_text())
    complaint.line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(token_), '\n');
  else
    complaint.byte = static_cast<long>(token_);
  throw InputError(std::move(complaint));
}

void Input::fail_number(std::string_view what, std::string_view token, bool out_of_range) const {
  fail(out_of_range ? fmt::format("{} is beyond the range of its type", what) : fmt::format("expected {}", what),
       token);
}

void Input::fail_end(std::string_view what, std::size_t wanted) const {
  Input here = *this;
  here.token_ = next_;
  if (wanted > 0) here.fail(fmt::format("file ends: expected {} ({} bytes, {} left)", what, wanted, left()));
  here.fail(fmt::format("{} ends: expected {}", limit_ < bytes_.size() ? "line" : "file", what));
}

}  // namespace brio
