/// The algorithms of std::ranges that the libc++ of Debian's Emscripten (13) does not have yet; included before every
/// source of this build. Only as much of each as is used: whoever uses another adds it here.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#if _LIBCPP_VERSION < 15000
// NOLINTBEGIN(cert-dcl58-cpp): it stands in for the standard library
namespace std::ranges {

template <class Range, class Value, class Projection = identity>
constexpr auto find(Range&& range, const Value& value, Projection by = {}) {
  return std::find_if(std::begin(range), std::end(range), [&](auto&& item) { return std::invoke(by, item) == value; });
}
template <class Range, class Test, class Projection = identity>
constexpr auto find_if(Range&& range, Test test, Projection by = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](auto&& item) { return bool(std::invoke(test, std::invoke(by, item))); });
}
template <class Range, class Value, class Projection = identity>
constexpr auto count(Range&& range, const Value& value, Projection by = {}) {
  return std::count_if(std::begin(range), std::end(range), [&](auto&& item) { return std::invoke(by, item) == value; });
}
template <class Range, class Test>
constexpr auto count_if(Range&& range, Test test) {
  return std::count_if(std::begin(range), std::end(range), [&](auto&& item) { return bool(std::invoke(test, item)); });
}
template <class Range, class Test, class Projection = identity>
constexpr bool any_of(Range&& range, Test test, Projection by = {}) {
  return ranges::find_if(range, std::ref(test), std::ref(by)) != std::end(range);
}
template <class Range, class Test, class Projection = identity>
constexpr bool none_of(Range&& range, Test test, Projection by = {}) {
  return !ranges::any_of(range, std::ref(test), std::ref(by));
}
template <class Range, class Test, class Projection = identity>
constexpr bool all_of(Range&& range, Test test, Projection by = {}) {
  return !ranges::any_of(range, [&](auto&& item) { return !std::invoke(test, std::invoke(by, item)); });
}
template <class Range, class Function>
constexpr void for_each(Range&& range, Function function) {
  std::for_each(std::begin(range), std::end(range), std::ref(function));
}

template <class Compare, class Projection>
constexpr auto compare_by(Compare& less, Projection& by) {
  return [&](auto&& a, auto&& b) { return bool(std::invoke(less, std::invoke(by, a), std::invoke(by, b))); };
}
template <class Range, class Compare = less, class Projection = identity>
constexpr void sort(Range&& range, Compare before = {}, Projection by = {}) {
  std::sort(std::begin(range), std::end(range), ranges::compare_by(before, by));
}
template <class Range, class Compare = less, class Projection = identity>
void stable_sort(Range&& range, Compare before = {}, Projection by = {}) {
  std::stable_sort(std::begin(range), std::end(range), ranges::compare_by(before, by));
}
template <class Range, class Value, class Compare = less, class Projection = identity>
constexpr auto lower_bound(Range&& range, const Value& value, Compare before = {}, Projection by = {}) {
  return std::lower_bound(std::begin(range), std::end(range), value, [&](auto&& item, auto&& wanted) {
    return bool(std::invoke(before, std::invoke(by, item), wanted));
  });
}
template <class Range, class Value, class Compare = less, class Projection = identity>
constexpr auto upper_bound(Range&& range, const Value& value, Compare before = {}, Projection by = {}) {
  return std::upper_bound(std::begin(range), std::end(range), value, [&](auto&& wanted, auto&& item) {
    return bool(std::invoke(before, wanted, std::invoke(by, item)));
  });
}
template <class Range, class Value, class Compare = less, class Projection = identity>
constexpr bool binary_search(Range&& range, const Value& value, Compare before = {}, Projection by = {}) {
  const auto found = ranges::lower_bound(range, value, std::ref(before), std::ref(by));
  return found != std::end(range) && !std::invoke(before, value, std::invoke(by, *found));
}

template <class Range>
constexpr auto min(Range&& range) {
  return *std::min_element(std::begin(range), std::end(range));
}
template <class Range>
constexpr auto max(Range&& range) {
  return *std::max_element(std::begin(range), std::end(range));
}
template <class Value>
struct min_max_result {
  Value min, max;
};
template <class Range>
constexpr auto minmax(Range&& range) {
  const auto [low, high] = std::minmax_element(std::begin(range), std::end(range));
  return min_max_result<std::decay_t<decltype(*low)>>{*low, *high};
}

template <class Range, class Value>
constexpr void fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
}
template <class Range, class Value>
constexpr void replace(Range&& range, const Value& old, const Value& fresh) {
  std::replace(std::begin(range), std::end(range), old, fresh);
}
template <class Range, class Out>
constexpr void copy(Range&& range, Out out) {
  std::copy(std::begin(range), std::end(range), out);
}
template <class Range, class Out, class Test>
constexpr void copy_if(Range&& range, Out out, Test test) {
  std::copy_if(std::begin(range), std::end(range), out, std::ref(test));
}
template <class Range, class Out>
constexpr void move(Range&& range, Out out) {
  std::move(std::begin(range), std::end(range), out);
}
template <class Range, class Out, class Function>
constexpr void transform(Range&& range, Out out, Function function) {
  std::transform(std::begin(range), std::end(range), out, std::ref(function));
}
template <class One, class Other, class Out>
constexpr void set_intersection(One&& one, Other&& other, Out out) {
  std::set_intersection(std::begin(one), std::end(one), std::begin(other), std::end(other), out);
}
template <class One, class Other, class Same = equal_to>
constexpr bool equal(One&& one, Other&& other, Same same = {}) {
  return std::equal(std::begin(one), std::end(one), std::begin(other), std::end(other), std::ref(same));
}

}  // namespace std::ranges
// NOLINTEND(cert-dcl58-cpp)
#endif
