/// From TOML text to the tree. The TOML library is header-only and slow to compile: this is the one file to include it.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/printable.h"
#include "scene/nesting.h"
#include "scene/value.h"

namespace brio {
namespace {

/// Text can be such that the parser's own assumptions fail, a row of brackets for example. It must neither end the
/// program, as assert does, nor let the parser go on: this becomes a complaint in every build.
struct ParserLost {};
constexpr void parser_expects(bool met) {
  if (!met) throw ParserLost{};
}

}  // namespace
}  // namespace brio

#pragma push_macro("NDEBUG")
#undef NDEBUG  // with it the library ignores what is defined here
#define TOML_ASSERT(condition) ::brio::parser_expects(static_cast<bool>(condition))
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace brio {
namespace {

bool is_number(const toml::node& node) { return node.is_integer() || node.is_floating_point(); }

double as_double(const toml::node& node) {
  return node.is_integer() ? static_cast<double>(node.as_integer()->get()) : node.as_floating_point()->get();
}

Value plain_value(const toml::node& node, const Node& place) {
  if (const auto* b = node.as_boolean()) return b->get();
  if (const auto* i = node.as_integer()) return i->get();
  if (const auto* d = node.as_floating_point()) return d->get();
  if (const auto* s = node.as_string()) return s->get();
  throw InputError(
      {.file = place.file, .line = place.line, .key = place.path, .problem = "must not be a date or time"});
}

/// Every node below carries it.
constexpr std::size_t max_path_length = 200;

Node convert(const toml::node& from, std::string key, std::string path, const std::string& file) {
  if (path.size() > max_path_length)
    throw InputError({.file = file,
                      .line = static_cast<long>(from.source().begin.line),
                      .key = shortened(path, 60),
                      .problem = fmt::format("a key of {} characters, the tables around it included: at most {}",
                                             path.size(), max_path_length)});
  Node node{.key = std::move(key),
            .path = std::move(path),
            .file = file,
            .line = static_cast<long>(from.source().begin.line)};
  if (const auto* table = from.as_table()) {
    // The library sorts by name; users expect their own order.
    std::vector<std::pair<const toml::key*, const toml::node*>> members;
    for (const auto& [name, child] : *table) members.emplace_back(&name, &child);
    std::ranges::stable_sort(
        members, [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
    for (const auto& [name, child] : members) {
      const std::string child_key(name->str());
      node.children.push_back(
          convert(*child, child_key, node.path.empty() ? child_key : node.path + "." + child_key, file));
    }
  } else if (const auto* array = from.as_array()) {
    if (std::ranges::all_of(*array, is_number)) {
      std::vector<double> numbers;
      for (const toml::node& item : *array) numbers.push_back(as_double(item));
      node.kind = Node::Kind::plain;
      node.value = std::move(numbers);
    } else {
      node.kind = Node::Kind::array;
      for (std::size_t i = 0; i < array->size(); ++i)
        node.children.push_back(convert((*array)[i], "", fmt::format("{}[{}]", node.path, i), file));
    }
  } else {
    node.kind = Node::Kind::plain;
    node.value = plain_value(from, node);
  }
  return node;
}

}  // namespace

Node parse_toml(const std::string& text, const std::string& file) {
  check_nesting(text, file);
  try {
    return convert(toml::parse(text, file), "", "", file);
  } catch (const toml::parse_error& error) {
    throw InputError({.file = file,
                      .line = static_cast<long>(error.source().begin.line),
                      .problem = fmt::format("not TOML: {}", error.description())});
  } catch (const ParserLost&) {
    throw InputError({.file = file, .problem = "not TOML", .advice = "look for brackets or quotes out of place"});
  }
}

Node read_toml(const std::filesystem::path& file) {
  constexpr std::uintmax_t max_bytes = 16U << 20U;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw InputError({.file = file.string(), .problem = "no such scene file"});
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > max_bytes)
    throw InputError({.file = file.string(), .problem = "is larger than 16 MB", .advice = "keep meshes in files"});
  std::string text(size, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream) throw InputError({.file = file.string(), .problem = "cannot be read"});
  return parse_toml(text, file.string());
}

}  // namespace brio
