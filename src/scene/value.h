/// A TOML file as a tree of values that know where they stand; the one place that knows the TOML library.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/fields.h"

namespace brio {

struct SceneMesh;

struct Node {
  enum class Kind { plain, table, array };

  std::string key{};   ///< "mu"; empty for the file itself and for items of an array
  std::string path{};  ///< "body[0].material.mu"
  std::string file{};
  long line = 0;  ///< counted from 1; 0: not from a file
  Kind kind = Kind::table;
  Value value = false;           ///< of a plain node; a list of numbers is plain
  std::vector<Node> children{};  ///< members of a table or items of an array, in the order of the file
  std::shared_ptr<const SceneMesh>
      mesh{};  ///< of a program that has it in memory, instead of a table that describes it

  const Node* find(const std::string& name) const;  ///< member of that name, or null
  std::string text() const;                         ///< as a user would write it on one line
  bool is_empty_list() const;                       ///< [], which may stand for a list of anything

  /// For field tables. A table or a list of tables is refused.
  Entry entry() const;
  /// Entries of all members but those named.
  std::vector<Entry> entries(const std::vector<std::string>& except = {}) const;
};

/// Throws InputError naming the place of the node, its path and its value.
[[noreturn]] void refuse(const Node& node, const std::string& problem, const std::string& advice = {});

/// Throws InputError when the node is of another kind; `what` names what it must be.
void require(const Node& node, Node::Kind kind, const std::string& what);

/// Refuses an unknown member, with the nearest known name.
[[noreturn]] void refuse_unknown(const Node& node, const std::vector<std::string>& known);

/// Runs `work`; complaints that lack a place get that of the node.
template <class Work>
auto at_place_of(const Node& node, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    Complaint complaint = error.complaint();
    if (!complaint.file.empty()) throw;
    complaint.file = node.file;
    complaint.line = node.line;
    throw InputError(std::move(complaint));
  }
}

/// Files over 16 MB are refused.
Node read_toml(const std::filesystem::path& file);
Node parse_toml(const std::string& text, const std::string& file);

/// Puts what `text` says, as TOML or else as plain text, at "body[0].material.mu"; tables on the way are made, items of
/// arrays must exist. Complaints about it will name `origin` instead of a file.
void assign(Node& root, const std::string& path, const std::string& text, const std::string& origin);

/// The tree as a TOML document that reads back to the same tree.
std::string to_toml(const Node& root);

}  // namespace brio
