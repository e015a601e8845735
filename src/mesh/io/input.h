/// The bytes of a file, read as text or as binary numbers through the same calls, so that a reader is written once for
/// both codings of its format. Nothing is read beyond the end; every failure names the file and the line (text) or the
/// byte (binary) where it stands. Lines are counted only when something fails.
#pragma once

#include <bit>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "brio/core.h"

namespace brio {

enum class Coding { text, little_endian, big_endian };

class Input {
 public:
  Input(std::string_view bytes, std::string name) : Input(bytes, std::move(name), 0, bytes.size()) {}
  /// Only the bytes [begin, end) are read, but places are those of the whole file.
  Input(std::string_view bytes, std::string name, std::size_t begin, std::size_t end)
      : bytes_(bytes.substr(0, end)), name_(std::move(name)), next_(begin), token_(begin), limit_(end) {}

  Coding coding() const { return coding_; }
  bool is_text() const { return coding_ == Coding::text; }
  void set_coding(Coding coding) { coding_ = coding; }
  std::size_t position() const { return next_; }
  void seek(std::size_t position) { next_ = token_ = position; }
  std::size_t left() const { return bytes_.size() - next_; }

  // ---- text: words between blanks
  bool has_word() const;                         ///< is there another word, on this line if lines are walked?
  std::string_view word(std::string_view what);  ///< `what` is named when there is none
  std::string_view peek() const;                 ///< the next word, not taken; empty when there is none
  void expect(std::string_view wanted);          ///< takes the next word, which must be this one
  std::string_view rest_of_line();               ///< takes everything up to and including the end of line
  /// From now on lines are walked: moves to the next line with a word and stays on it. '#' starts a comment, a
  /// backslash at the end continues the line. False when there is no such line.
  bool next_line();
  /// The same, for item `i` of `count`, which must be there.
  void next_line(std::string_view item, std::size_t i, std::size_t count);

  // ---- text or binary, as the coding says
  template <class T>
  T get(std::string_view what);
  double coordinate();  ///< text, refused when not finite
  template <class T>
  double coordinate_as();  ///< stored as T in binary, refused when not finite
  Vec3 point();            ///< three coordinates, doubles in binary
  void skip_bytes(std::size_t count, std::string_view what);

  /// `count` as a size, after checking that the rest of the file could hold so many items of `min_bytes` each.
  std::size_t checked_count(std::uint64_t count, std::size_t min_bytes, std::string_view what) const;
  /// `raw - first` when it is one of `vertices` vertices.
  int vertex_index(std::int64_t raw, std::int64_t first, std::size_t vertices) const;

  /// Complains about the last thing taken.
  [[noreturn]] void fail(std::string problem, std::string_view value = {}, std::string advice = {}) const;

 private:
  std::size_t word_start() const;
  double finite(double value) const;
  [[noreturn]] void fail_number(std::string_view what, std::string_view token, bool out_of_range) const;
  [[noreturn]] void fail_end(std::string_view what, std::size_t wanted) const;

  std::string_view bytes_;
  std::string name_;
  Coding coding_ = Coding::text;
  std::size_t next_;   ///< first byte not yet taken
  std::size_t token_;  ///< where the last thing taken starts
  std::size_t limit_;  ///< where words end: at the end of the line when lines are walked, else of the bytes
  std::size_t line_end_ = 0;
};

template <class T>
T Input::get(std::string_view what) {
  T value{};
  if (is_text()) {
    const std::string_view token = word(what);
    const char* end = token.data() + token.size();
    const char* start = token.data() + (token.starts_with('+') ? 1 : 0);
    const auto [stop, error] = std::from_chars(start, end, value);
    if (error != std::errc{} || stop != end) fail_number(what, token, error == std::errc::result_out_of_range);
    return value;
  }
  token_ = next_;
  if (left() < sizeof(T)) fail_end(what, sizeof(T));
  char raw[sizeof(T)];
  std::memcpy(raw, bytes_.data() + next_, sizeof(T));
  if ((coding_ == Coding::little_endian) != (std::endian::native == std::endian::little))
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
  std::memcpy(&value, raw, sizeof(T));
  next_ += sizeof(T);
  return value;
}

template <class T>
double Input::coordinate_as() {
  // Text carries more digits than a float: keep them.
  return finite(is_text() ? get<double>("a coordinate") : static_cast<double>(get<T>("a coordinate")));
}

}  // namespace brio
