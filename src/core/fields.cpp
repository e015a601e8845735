#include "core/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace brio {
namespace {

struct TextOf {
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(std::int64_t i) const { return fmt::format("{}", i); }
  std::string operator()(double d) const { return fmt::format("{}", d); }
  std::string operator()(const std::string& s) const { return fmt::format("\"{}\"", s); }
  std::string operator()(const std::vector<double>& v) const { return fmt::format("[{}]", fmt::join(v, ", ")); }
};

/// Edits (insert, delete, replace) that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replace, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string to_text(const Value& value) { return std::visit(TextOf{}, value); }

bool Bound::contains(double value) const {
  if (!std::isfinite(value)) return false;
  return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
}

std::string Bound::text() const {
  const bool has_low = std::isfinite(low);
  const bool has_high = std::isfinite(high);
  if (has_low && has_high)
    return fmt::format("must be in {}{}, {}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
  if (has_low) return fmt::format("must be {} {}", low_open ? ">" : ">=", low);
  if (has_high) return fmt::format("must be {} {}", high_open ? "<" : "<=", high);
  return "must be finite";
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

void refuse_name(const std::string& key, const std::string& name, const std::string& problem,
                 const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  throw InputError({.key = key,
                    .value = fmt::format("\"{}\"", name),
                    .problem = problem,
                    .advice = near.empty() ? fmt::format("known: {}", fmt::join(known, ", "))
                                           : fmt::format("did you mean '{}'?", near)});
}

std::size_t find_choice(std::string_view text, std::span<const char* const> names, const std::string& key) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) refuse_name(key, std::string(text), "unknown", {names.begin(), names.end()});
  return static_cast<std::size_t>(found - names.begin());
}

namespace fields_detail {

void refuse(const Entry& entry, const std::string& path, const std::string& problem, std::string advice) {
  throw InputError({.file = entry.file,
                    .line = entry.line,
                    .key = path.empty() ? entry.key : path + "." + entry.key,
                    .value = to_text(entry.value),
                    .problem = problem,
                    .advice = std::move(advice)});
}

double as_number(const Entry& entry, const FieldInfo& info, const std::string& path) {
  double number = 0;
  if (const auto* d = std::get_if<double>(&entry.value)) {
    number = *d;
  } else if (const auto* i = std::get_if<std::int64_t>(&entry.value)) {
    number = static_cast<double>(*i);
  } else {
    refuse(entry, path, info.unit.empty() ? "must be a number" : fmt::format("must be a number [{}]", info.unit));
  }
  if (!info.bound.contains(number)) refuse(entry, path, info.bound.text());
  return number;
}

std::int64_t as_whole(const Entry& entry, const FieldInfo& info, const std::string& path) {
  const auto* i = std::get_if<std::int64_t>(&entry.value);
  if (i == nullptr) {
    const auto* number = std::get_if<double>(&entry.value);
    const bool written_otherwise = number != nullptr && *number == std::floor(*number) && std::isfinite(*number);
    refuse(entry, path,
           written_otherwise ? "must be a whole number, written without point or exponent" : "must be a whole number");
  }
  if (!info.bound.contains(static_cast<double>(*i))) refuse(entry, path, info.bound.text());
  if (*i < std::numeric_limits<int>::min() || *i > std::numeric_limits<int>::max())
    refuse(entry, path, fmt::format("must be at most {}", std::numeric_limits<int>::max()));
  return *i;
}

bool as_bool(const Entry& entry, const std::string& path) {
  const auto* b = std::get_if<bool>(&entry.value);
  if (b == nullptr) refuse(entry, path, "must be true or false");
  return *b;
}

std::string as_text(const Entry& entry, const FieldInfo& info, const std::string& path) {
  const auto* s = std::get_if<std::string>(&entry.value);
  if (s == nullptr) refuse(entry, path, "must be a text in quotes");
  if (!info.choices.empty() && std::find(info.choices.begin(), info.choices.end(), *s) == info.choices.end()) {
    const std::string near = nearest(*s, info.choices);
    refuse(entry, path, fmt::format("must be one of {}", fmt::join(info.choices, ", ")),
           near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
  return *s;
}

std::vector<double> as_list(const Entry& entry, const FieldInfo& info, const std::string& path, int length) {
  const auto* list = std::get_if<std::vector<double>>(&entry.value);
  if (list == nullptr || (length >= 0 && static_cast<int>(list->size()) != length))
    refuse(entry, path,
           fmt::format("must be a list of {}numbers{}", length >= 0 ? fmt::format("{} ", length) : "",
                       info.unit.empty() ? "" : " [" + info.unit + "]"));
  for (double component : *list)
    if (!info.bound.contains(component)) refuse(entry, path, fmt::format("each component {}", info.bound.text()));
  return *list;
}

}  // namespace fields_detail
}  // namespace brio
