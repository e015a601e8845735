/// What a page says: JSON objects, each with a command under `do` and what it needs. Pages are not trusted: every value
/// is checked as it is read, and what is wrong is named.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "brio/sim.h"
#include "core/fields.h"

namespace brio::studio {

using Json = nlohmann::json;

class Message {
 public:
  static constexpr std::size_t max_bytes = 1 << 20;  ///< a scene's text is the longest thing that a page says

  /// Throws InputError for what is longer, no JSON object, or has no command.
  explicit Message(std::string_view text);

  const std::string& command() const { return command_; }
  bool has(const char* key) const { return json_.contains(key); }

  double number(const char* key, const Bound& bound = Bound::any()) const;
  long whole(const char* key, long low, long high) const;
  bool flag(const char* key) const;
  std::string text(const char* key) const;
  std::vector<std::string> texts(const char* key, std::size_t min, std::size_t max) const;
  Vec3 vector(const char* key) const;
  /// A point of a body: three `vertices`, and their `weights`, brought to a sum of one.
  BodyPoint point() const;
  /// For a field table.
  Value value(const char* key) const;

 private:
  const Json& member(const char* key, const char* wanted) const;
  std::vector<double> numbers(const char* key, std::size_t count) const;

  Json json_;
  std::string command_;
};

}  // namespace brio::studio
