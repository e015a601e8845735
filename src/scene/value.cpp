#include "scene/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/printable.h"
#include "scene/nesting.h"

namespace brio {
namespace {

/// A basic string of TOML.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", c);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string member_text(const Node& node) { return node.key + " = " + node.text(); }

bool is_list_of_tables(const Node& node) {
  return node.kind == Node::Kind::array &&
         std::ranges::all_of(node.children, [](const Node& item) { return item.kind == Node::Kind::table; });
}

/// What was read for an override, renamed to where it goes.
void move_to(Node& node, const std::string& path, const std::string& origin) {
  node.path = path;
  node.file = origin;
  node.line = 0;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    Node& child = node.children[i];
    move_to(child, child.key.empty() ? fmt::format("{}[{}]", path, i) : path + "." + child.key, origin);
  }
}

Node parse_override(const std::string& text, const std::string& origin) {
  try {
    Node root = parse_toml("value = " + text, origin);
    if (root.children.size() == 1) return std::move(root.children.front());
  } catch (const InputError&) {
    // Words need no quotes on a command line: see below.
  }
  return std::move(parse_toml("value = " + quoted(text), origin).children.front());
}

/// "body[2]" as name and index; -1 without one.
std::pair<std::string, int> split_index(const std::string& part) {
  const std::size_t bracket = part.find('[');
  if (bracket == std::string::npos) return {part, -1};
  int index = -1;
  const char* last = part.data() + part.size();
  const auto [end, error] = std::from_chars(part.data() + bracket + 1, last, index);
  if (error != std::errc{} || end + 1 != last || *end != ']' || index < 0) return {"", -1};
  return {part.substr(0, bracket), index};
}

/// The member of that name, made when there is none.
Node& member(Node& table, const std::string& name, const std::string& origin) {
  for (Node& child : table.children)
    if (child.key == name) return child;
  table.children.push_back({.key = name, .path = table.path.empty() ? name : table.path + "." + name, .file = origin});
  return table.children.back();
}

}  // namespace

const Node* Node::find(const std::string& name) const {
  const auto place = std::ranges::find(children, name, &Node::key);
  return place == children.end() ? nullptr : &*place;
}

std::string Node::text() const {
  if (kind == Kind::plain) {
    const auto* words = std::get_if<std::string>(&value);
    return words != nullptr ? quoted(*words) : to_text(value);
  }
  std::vector<std::string> parts;
  for (const Node& child : children) parts.push_back(kind == Kind::table ? member_text(child) : child.text());
  const std::string list = fmt::format("{}", fmt::join(parts, ", "));
  if (kind == Kind::array) return "[" + list + "]";
  return list.empty() ? "{}" : "{ " + list + " }";
}

bool Node::is_empty_list() const {
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  return kind == Kind::plain && numbers != nullptr && numbers->empty();
}

Entry Node::entry() const {
  if (kind != Kind::plain) refuse(*this, "must be a single value or a list of numbers");
  return {key, value, file, line};
}

std::vector<Entry> Node::entries(const std::vector<std::string>& except) const {
  std::vector<Entry> all;
  for (const Node& child : children)
    if (std::ranges::count(except, child.key) == 0) all.push_back(child.entry());
  return all;
}

void refuse(const Node& node, const std::string& problem, const std::string& advice) {
  constexpr std::size_t longest = 60;
  std::string text = shortened(node.text(), longest);
  throw InputError({.file = node.file,
                    .line = node.line,
                    .key = node.path,
                    .value = std::move(text),
                    .problem = problem,
                    .advice = advice});
}

void require(const Node& node, Node::Kind kind, const std::string& what) {
  if (node.kind != kind) refuse(node, "must be " + what);
}

void refuse_unknown(const Node& node, const std::vector<std::string>& known) {
  const std::string near = nearest(node.key, known);
  refuse(
      node, "unknown key",
      near.empty() ? fmt::format("known keys: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
}

void assign(Node& root, const std::string& path, const std::string& text, const std::string& origin) {
  const auto complain = [&](const std::string& problem) {
    throw InputError({.file = origin, .key = path, .value = text, .problem = problem});
  };
  if (std::ranges::count(path, '.') >= max_toml_depth)
    throw InputError({.file = origin,
                      .key = shortened(path, 60),
                      .problem = fmt::format("nests deeper than {}", max_toml_depth),
                      .advice = "no key of a scene lies so deep"});
  Node* at = &root;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    const auto [name, index] = split_index(path.substr(start, dot - start));
    start = dot + 1;
    if (name.empty()) complain("not a key path such as body[0].material.mu");
    if (at->kind != Node::Kind::table) complain(fmt::format("{} is not a table", at->path));
    at = &member(*at, name, origin);
    if (index < 0) continue;
    if (at->kind != Node::Kind::array || index >= static_cast<int>(at->children.size()))
      complain(fmt::format("there is no {}[{}]", at->path, index));
    at = &at->children[static_cast<std::size_t>(index)];
  }
  Node value = parse_override(text, origin);
  value.key = at->key;
  move_to(value, at->path, origin);
  *at = std::move(value);
}

std::string to_toml(const Node& root) {
  std::string plain;
  std::string tables;
  for (const Node& node : root.children) {
    if (node.kind == Node::Kind::table) {
      tables += fmt::format("\n[{}]\n", node.key);
      for (const Node& child : node.children) tables += member_text(child) + "\n";
    } else if (is_list_of_tables(node)) {
      for (const Node& item : node.children) {
        tables += fmt::format("\n[[{}]]\n", node.key);
        for (const Node& child : item.children) tables += member_text(child) + "\n";
      }
    } else {
      plain += member_text(node) + "\n";
    }
  }
  return plain + tables;
}

}  // namespace brio
