/// ledger.csv read back as columns of numbers.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brio {

struct LedgerTable {
  std::string file;                         ///< for messages
  std::vector<std::string> names;           ///< of the columns
  std::vector<std::vector<double>> values;  ///< per column; `status` is 0 where it is ok, else 1

  std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }
  /// Throws InputError with the nearest name when there is no such column.
  const std::vector<double>& column(const std::string& name) const;
  bool has(const std::string& name) const;
};

/// Bad rows are named by their line. A last line without its end, as a killed run leaves it, is passed over.
LedgerTable parse_ledger(std::string_view text, const std::string& file);
LedgerTable read_ledger(const std::filesystem::path& file);

/// "J" for "kinetic"; empty for columns that are unknown or have no unit.
std::string ledger_unit(const std::string& column);

}  // namespace brio
