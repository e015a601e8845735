#include "mesh/models/scans.h"

#include <fmt/format.h>

#include <charconv>

#include "mesh/io/formats.h"
#include "mesh/models/resurface.h"
#include "mesh/topology.h"

namespace brio {
namespace {

/// Rows of three numbers after `key=`, as in "exports.cells=[[2,1661,3],[1676,7,6]]".
template <class Number>
std::vector<std::array<Number, 3>> rows_after(const std::string& text, const std::string& key) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError({.key = key, .problem = problem, .advice = "the model's package has changed"});
  };
  const auto start = text.find(key + "=");
  if (start == std::string::npos) refuse("missing");
  const char* at = text.data() + start + key.size() + 1;
  const char* const end = text.data() + text.size();
  const auto skip = [&](char wanted) {
    const bool there = at != end && *at == wanted;
    if (there) ++at;
    return there;
  };
  const auto expect = [&](char wanted) {
    if (!skip(wanted)) refuse(fmt::format("'{}' expected at byte {}", wanted, at - text.data()));
  };
  std::vector<std::array<Number, 3>> rows;
  expect('[');
  do {
    std::array<Number, 3> row{};
    for (std::size_t i = 0; i < row.size(); ++i) {
      expect(i == 0 ? '[' : ',');
      const auto [after, error] = std::from_chars(at, end, row[i]);
      if (error != std::errc{}) refuse(fmt::format("number expected at byte {}", at - text.data()));
      at = after;
    }
    expect(']');
    rows.push_back(row);
  } while (skip(','));
  expect(']');
  return rows;
}

}  // namespace

Mesh bunny_surface(const std::string& script) {
  Mesh mesh;
  for (const auto& [x, y, z] : rows_after<double>(script, "exports.positions")) mesh.vertices.emplace_back(x, y, z);
  mesh.triangles = rows_after<int>(script, "exports.cells");
  require_valid_indices(mesh);
  return mesh;
}

Mesh dragon_surface(const std::string& ply) { return resurface(parse_ply(ply, "dragon_vrip.ply"), 200); }

}  // namespace brio
