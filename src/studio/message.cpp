#include "studio/message.h"

#include <fmt/format.h>

#include <cmath>

#include "core/printable.h"

namespace brio::studio {
namespace {

[[noreturn]] void refuse(const std::string& key, const Json& value, const std::string& problem) {
  constexpr std::size_t longest = 60;
  throw InputError({.key = printable(key),
                    .value = shortened(printable(value.dump(-1, ' ', true, Json::error_handler_t::replace)), longest),
                    .problem = problem});
}

}  // namespace

Message::Message(std::string_view text) {
  if (text.size() > max_bytes)
    throw InputError({.key = "message",
                      .value = fmt::format("{} bytes", text.size()),
                      .problem = fmt::format("must be at most {} bytes", max_bytes)});
  json_ = Json::parse(text, nullptr, false);
  if (!json_.is_object()) throw InputError({.key = "message", .problem = "must be a JSON object"});
  command_ = this->text("do");
}

const Json& Message::member(const char* key, const char* wanted) const {
  const auto found = json_.find(key);
  if (found == json_.end()) throw InputError({.key = key, .problem = fmt::format("is missing: {}", wanted)});
  return *found;
}

double Message::number(const char* key, const Bound& bound) const {
  const Json& given = member(key, "a number");
  if (!given.is_number()) refuse(key, given, "must be a number");
  const double number = given.get<double>();
  if (!std::isfinite(number) || !bound.contains(number)) refuse(key, given, bound.text());
  return number;
}

long Message::whole(const char* key, long low, long high) const {
  const double given = number(key, Bound::closed(static_cast<double>(low), static_cast<double>(high)));
  if (given != std::floor(given)) refuse(key, json_[key], "must be a whole number");
  return static_cast<long>(given);
}

bool Message::flag(const char* key) const {
  const Json& given = member(key, "true or false");
  if (!given.is_boolean()) refuse(key, given, "must be true or false");
  return given.get<bool>();
}

std::string Message::text(const char* key) const {
  const Json& given = member(key, "a text");
  if (!given.is_string()) refuse(key, given, "must be a text");
  return given.get<std::string>();
}

std::vector<std::string> Message::texts(const char* key, std::size_t min, std::size_t max) const {
  const Json& given = member(key, "a list of texts");
  if (!given.is_array() || given.size() < min || given.size() > max)
    refuse(key, given, fmt::format("must be a list of {} to {} texts", min, max));
  std::vector<std::string> list;
  for (const Json& item : given) {
    if (!item.is_string()) refuse(key, item, "must be a text");
    list.push_back(item.get<std::string>());
  }
  return list;
}

std::vector<double> Message::numbers(const char* key, std::size_t count) const {
  const Json& given = member(key, "a list of numbers");
  if (!given.is_array() || given.size() != count) refuse(key, given, fmt::format("must be {} numbers", count));
  std::vector<double> list;
  for (const Json& item : given) {
    if (!item.is_number() || !std::isfinite(item.get<double>())) refuse(key, item, "must be a finite number");
    list.push_back(item.get<double>());
  }
  return list;
}

Vec3 Message::vector(const char* key) const {
  const std::vector<double> list = numbers(key, 3);
  return {list[0], list[1], list[2]};
}

BodyPoint Message::point() const {
  const std::vector<double> vertices = numbers("vertices", 3);
  BodyPoint point{.weights = vector("weights")};
  for (std::size_t i = 0; i < 3; ++i) {
    if (vertices[i] != std::floor(vertices[i]) || std::abs(vertices[i]) > 1e9)
      refuse("vertices", json_["vertices"], "must be numbers of vertices");
    point.vertices[i] = static_cast<int>(vertices[i]);
  }
  const double sum = point.weights.sum();
  if (!(point.weights.minCoeff() > -0.01) || !(sum > 0.5 && sum < 1.5))
    refuse("weights", json_["weights"], "must be barycentric");
  point.weights /= sum;
  return point;
}

Value Message::value(const char* key) const {
  const Json& given = member(key, "a value");
  if (given.is_boolean()) return given.get<bool>();
  if (given.is_number_integer() && std::abs(given.get<double>()) < 1e15) return given.get<std::int64_t>();
  if (given.is_number()) return number(key);
  if (given.is_string()) return given.get<std::string>();
  constexpr std::size_t longest = 64;
  if (given.is_array() && given.size() <= longest) return numbers(key, given.size());
  refuse(key, given, "must be a number, a text, true or false, or a list of numbers");
}

}  // namespace brio::studio
