#include "record/ledger_csv.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

namespace brio {
namespace {

constexpr std::string_view column_names =
    "frame,time,kinetic,elastic,gravity,contact,total,user_work,damping_loss,friction_loss,residual,"
    "px,py,pz,lx,ly,lz,alpha,iterations,status,ms\n";

/// Bytes of the header and `rows` complete rows.
std::uint64_t length_of(const std::filesystem::path& path, long rows) {
  if (rows == 0) return 0;
  std::ifstream in(path, std::ios::binary);
  std::uint64_t length = 0;
  std::string line;
  for (long have = -1; have < rows; ++have) {
    if (!std::getline(in, line) || in.eof() || (have < 0 && line + "\n" != column_names))
      throw InputError({.file = path.string(),
                        .line = have + 2,
                        .problem = fmt::format("must be a ledger with at least {} rows", rows),
                        .advice = "the run cannot be resumed; start it again with --force"});
    length += line.size() + 1;
  }
  return length;
}

}  // namespace

LedgerCsv::LedgerCsv(const std::filesystem::path& path, long keep) : file_(path, length_of(path, keep)), frame_(keep) {
  if (keep == 0) file_.append(column_names);
}

void LedgerCsv::add(const LedgerRow& row) {
  if (!row.finite()) throw std::logic_error("a row of the ledger is not finite");
  // {} writes the fewest digits that give the same number back.
  file_.append(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f}\n", frame_, row.time,
                           row.kinetic, row.elastic, row.gravity, row.contact, row.total, row.user_work,
                           row.damping_loss, row.friction_loss, row.residual, row.linear[0], row.linear[1],
                           row.linear[2], row.angular[0], row.angular[1], row.angular[2], row.alpha, row.iterations,
                           row.failed ? "failed" : "ok", row.ms));
  ++frame_;
}

}  // namespace brio
