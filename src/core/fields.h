/// Field tables: a key, its unit, its bound and its sentence live in one place, and feed the scene parser,
/// `brio scene explain` and the generated docs.
///
///   FieldTable<Material>{}.number("mu", &Material::mu, "Pa", Bound::positive(), "shear modulus")
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "brio/choices.h"
#include "brio/core.h"

namespace brio {

/// What a scene file, a command line or a binding can give for a key.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

/// As the user would write it: 0.7, true, "bar", [1, 2, 3].
std::string to_text(const Value& value);

/// An interval of numbers, open or closed at either end.
struct Bound {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  static Bound any() { return {}; }
  static Bound positive() { return {.low = 0, .low_open = true}; }
  static Bound not_negative() { return {.low = 0}; }
  static Bound at_least(double low) { return {.low = low}; }
  static Bound closed(double low, double high) { return {.low = low, .high = high}; }
  static Bound open(double low, double high) { return {.low = low, .high = high, .low_open = true, .high_open = true}; }

  bool contains(double value) const;  ///< false for NaN
  std::string text() const;           ///< "must be in (-1, 0.5)", "must be > 0", "must be finite"
};

/// One given key: where it stands and what it holds.
struct Entry {
  std::string key;
  Value value;
  std::string file{};
  long line = 0;
};

/// What the documentation needs to know of a field.
struct FieldInfo {
  std::string key;
  std::string type;  ///< "number", "whole number", "true or false", "text", "vector", "list of numbers"
  std::string unit;  ///< "Pa"; empty when it has none
  Bound bound{};
  std::vector<std::string> choices{};  ///< for text: the allowed words, empty = any
  std::string help;
};

/// The known word nearest to a mistyped one, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// Throws InputError for a name that a registry does not have, with the nearest that it has, or all of them.
[[noreturn]] void refuse_name(const std::string& key, const std::string& name, const std::string& problem,
                              const std::vector<std::string>& known);

namespace fields_detail {
[[noreturn]] void refuse(const Entry& entry, const std::string& path, const std::string& problem,
                         std::string advice = {});
double as_number(const Entry& entry, const FieldInfo& info, const std::string& path);
std::int64_t as_whole(const Entry& entry, const FieldInfo& info, const std::string& path);
bool as_bool(const Entry& entry, const std::string& path);
std::string as_text(const Entry& entry, const FieldInfo& info, const std::string& path);
/// Of any length when `length` is negative.
std::vector<double> as_list(const Entry& entry, const FieldInfo& info, const std::string& path, int length);
}  // namespace fields_detail

/// The fields of one options struct. Reading starts from the struct's own defaults; each key is checked as it is read.
template <class Options>
class FieldTable {
 public:
  struct Field {
    FieldInfo info;
    std::function<void(Options&, const Entry&, const std::string& path)> set;
    std::function<Value(const Options&)> get;
  };

  FieldTable& number(std::string key, double Options::*member, std::string unit, Bound bound, std::string help) {
    FieldInfo info{
        .key = std::move(key), .type = "number", .unit = std::move(unit), .bound = bound, .help = std::move(help)};
    return add(
        info,
        [=](Options& o, const Entry& e, const std::string& p) { o.*member = fields_detail::as_number(e, info, p); },
        [=](const Options& o) { return Value(o.*member); });
  }
  FieldTable& whole(std::string key, int Options::*member, Bound bound, std::string help) {
    FieldInfo info{.key = std::move(key), .type = "whole number", .unit = {}, .bound = bound, .help = std::move(help)};
    return add(
        info,
        [=](Options& o, const Entry& e, const std::string& p) {
          o.*member = static_cast<int>(fields_detail::as_whole(e, info, p));
        },
        [=](const Options& o) { return Value(std::int64_t{o.*member}); });
  }
  FieldTable& flag(std::string key, bool Options::*member, std::string help) {
    FieldInfo info{.key = std::move(key), .type = "true or false", .unit = {}, .help = std::move(help)};
    return add(
        info, [=](Options& o, const Entry& e, const std::string& p) { o.*member = fields_detail::as_bool(e, p); },
        [=](const Options& o) { return Value(o.*member); });
  }
  /// `choices` empty: any text.
  FieldTable& text(std::string key, std::string Options::*member, std::vector<std::string> choices, std::string help) {
    FieldInfo info{
        .key = std::move(key), .type = "text", .unit = {}, .choices = std::move(choices), .help = std::move(help)};
    return add(
        info, [=](Options& o, const Entry& e, const std::string& p) { o.*member = fields_detail::as_text(e, info, p); },
        [=](const Options& o) { return Value(o.*member); });
  }
  /// One of a closed set, by its name.
  template <NamedChoice Choice>
  FieldTable& choice(std::string key, Choice Options::*member, std::string help) {
    const auto& names = ChoiceNames<Choice>::names;
    FieldInfo info{.key = std::move(key),
                   .type = "text",
                   .unit = {},
                   .choices = {names.begin(), names.end()},
                   .help = std::move(help)};
    return add(
        info,
        [=](Options& o, const Entry& e, const std::string& p) {
          const std::string name = fields_detail::as_text(e, info, p);
          o.*member =
              static_cast<Choice>(std::find(info.choices.begin(), info.choices.end(), name) - info.choices.begin());
        },
        [=](const Options& o) { return Value(std::string(to_string(o.*member))); });
  }
  /// Every component lies within `bound`.
  FieldTable& vector(std::string key, Vec3 Options::*member, std::string unit, Bound bound, std::string help) {
    FieldInfo info{
        .key = std::move(key), .type = "vector", .unit = std::move(unit), .bound = bound, .help = std::move(help)};
    return add(
        info,
        [=](Options& o, const Entry& e, const std::string& p) {
          const auto list = fields_detail::as_list(e, info, p, 3);
          o.*member = Vec3(list[0], list[1], list[2]);
        },
        [=](const Options& o) {
          return Value(std::vector<double>{(o.*member)[0], (o.*member)[1], (o.*member)[2]});
        });
  }
  /// `N` numbers, each within `bound`.
  template <std::size_t N>
  FieldTable& numbers(std::string key, std::array<double, N> Options::*member, std::string unit, Bound bound,
                      std::string help) {
    FieldInfo info{.key = std::move(key),
                   .type = "list of numbers",
                   .unit = std::move(unit),
                   .bound = bound,
                   .help = std::move(help)};
    return add(
        info,
        [=](Options& o, const Entry& e, const std::string& p) {
          const auto list = fields_detail::as_list(e, info, p, static_cast<int>(N));
          std::copy(list.begin(), list.end(), (o.*member).begin());
        },
        [=](const Options& o) { return Value(std::vector<double>((o.*member).begin(), (o.*member).end())); });
  }
  /// Any number of numbers, each within `bound`.
  FieldTable& list(std::string key, std::vector<double> Options::*member, std::string unit, Bound bound,
                   std::string help) {
    FieldInfo info{.key = std::move(key),
                   .type = "list of numbers",
                   .unit = std::move(unit),
                   .bound = bound,
                   .help = std::move(help)};
    return add(
        info,
        [=](Options& o, const Entry& e, const std::string& p) { o.*member = fields_detail::as_list(e, info, p, -1); },
        [=](const Options& o) { return Value(o.*member); });
  }
  /// `N` whole numbers, for example the cells of a grid.
  template <std::size_t N>
  FieldTable& wholes(std::string key, std::array<int, N> Options::*member, Bound bound, std::string help) {
    FieldInfo info{
        .key = std::move(key), .type = "list of whole numbers", .unit = {}, .bound = bound, .help = std::move(help)};
    return add(
        info,
        [=](Options& o, const Entry& e, const std::string& p) {
          const auto list = fields_detail::as_list(e, info, p, static_cast<int>(N));
          for (std::size_t i = 0; i < N; ++i) {
            if (list[i] != static_cast<double>(static_cast<int>(list[i])))
              fields_detail::refuse(e, p, "must hold whole numbers");
            (o.*member)[i] = static_cast<int>(list[i]);
          }
        },
        [=](const Options& o) { return Value(std::vector<double>((o.*member).begin(), (o.*member).end())); });
  }

  const std::vector<Field>& fields() const { return fields_; }

  std::vector<std::string> keys() const {
    std::vector<std::string> names;
    for (const Field& field : fields_) names.push_back(field.info.key);
    return names;
  }

  bool knows(std::string_view key) const {
    for (const Field& field : fields_)
      if (field.info.key == key) return true;
    return false;
  }

  /// Sets one key of `options`; an unknown key is refused with the nearest known one. `path` is put before the key in
  /// messages.
  void set(Options& options, const Entry& entry, const std::string& path = {}) const {
    for (const Field& field : fields_)
      if (field.info.key == entry.key) return field.set(options, entry, path);
    const std::string near = nearest(entry.key, keys());
    fields_detail::refuse(entry, path, "unknown key",
                          near.empty() ? "known keys: " + known() : "did you mean '" + near + "'?");
  }

  Options read(const std::vector<Entry>& entries, const std::string& path = {}, Options options = {}) const {
    for (const Entry& entry : entries) set(options, entry, path);
    return options;
  }

  /// Checks options that were set in code against the same bounds.
  void check(const Options& options, const std::string& path = {}) const {
    Options copy = options;
    for (const Field& field : fields_) field.set(copy, {field.info.key, field.get(options)}, path);
  }

 private:
  template <class Set, class Get>
  FieldTable& add(FieldInfo info, Set set, Get get) {
    fields_.push_back({std::move(info), std::move(set), std::move(get)});
    return *this;
  }
  std::string known() const {
    std::string list;
    for (const Field& field : fields_) list += (list.empty() ? "" : ", ") + field.info.key;
    return list;
  }
  std::vector<Field> fields_;
};

}  // namespace brio
