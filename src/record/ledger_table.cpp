#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "brio/record.h"
#include "core/fields.h"
#include "record/text_file.h"

namespace brio {
namespace {

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t comma = 0; (comma = line.find(',')) != std::string_view::npos; line.remove_prefix(comma + 1))
    cells.push_back(line.substr(0, comma));
  cells.push_back(line);
  return cells;
}

double number(std::string_view cell, const std::string& name, const std::string& file, long line) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value))
    throw InputError({.file = file,
                      .line = line,
                      .key = name,
                      .value = fmt::format("{}", cell),
                      .problem = "must be a finite number"});
  return value;
}

}  // namespace

bool LedgerTable::has(const std::string& name) const { return std::ranges::count(names, name) > 0; }

const std::vector<double>& LedgerTable::column(const std::string& name) const {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    const std::string near = nearest(name, names);
    throw InputError({.file = file,
                      .key = name,
                      .problem = "the ledger has no such column",
                      .advice = near.empty() ? fmt::format("it has {}", fmt::join(names, ", "))
                                             : fmt::format("did you mean '{}'?", near)});
  }
  return values[static_cast<std::size_t>(found - names.begin())];
}

LedgerTable parse_ledger(std::string_view text, const std::string& file) {
  LedgerTable table{.file = file, .names = {}, .values = {}};
  long line = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const bool cut_off = end == std::string_view::npos;
    if (cut_off && line > 0) break;
    std::string_view row = text.substr(0, end);
    text.remove_prefix(cut_off ? text.size() : end + 1);
    ++line;
    if (row.ends_with('\r')) row.remove_suffix(1);
    const std::vector<std::string_view> cells = split(row);
    if (line == 1) {
      for (const std::string_view cell : cells) table.names.push_back(fmt::format("{}", cell));
      table.values.resize(cells.size());
      for (const char* needed : {"frame", "time", "total"})
        if (!table.has(needed))
          throw InputError({.file = file,
                            .line = 1,
                            .problem = fmt::format("has no column '{}'", needed),
                            .advice = "give a ledger.csv that brio wrote"});
      continue;
    }
    if (cells.size() != table.names.size())
      throw InputError({.file = file,
                        .line = line,
                        .problem = fmt::format("has {} values for {} columns", cells.size(), table.names.size())});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool status = table.names[i] == "status";
      table.values[i].push_back(status ? (cells[i] == "ok" ? 0 : 1) : number(cells[i], table.names[i], file, line));
    }
  }
  if (table.rows() == 0) throw InputError({.file = file, .problem = "holds no row of a ledger"});
  return table;
}

LedgerTable read_ledger(const std::filesystem::path& file) { return parse_ledger(read_text(file), file.string()); }

std::string ledger_unit(const std::string& column) {
  static const std::map<std::string, std::string> units{
      {"time", "s"},     {"kinetic", "J"},   {"elastic", "J"},      {"gravity", "J"},       {"contact", "J"},
      {"total", "J"},    {"user_work", "J"}, {"damping_loss", "J"}, {"friction_loss", "J"}, {"residual", "J"},
      {"px", "kg m/s"},  {"py", "kg m/s"},   {"pz", "kg m/s"},      {"lx", "kg m²/s"},      {"ly", "kg m²/s"},
      {"lz", "kg m²/s"}, {"ms", "ms"}};
  const auto found = units.find(column);
  return found == units.end() ? "" : found->second;
}

}  // namespace brio
