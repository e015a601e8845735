#include "record/ledger_csv.h"

#include <fmt/format.h>

#include <stdexcept>

namespace brio {

LedgerCsv::LedgerCsv(const std::filesystem::path& path) : file_(path) {
  file_.write(
      "frame,time,kinetic,elastic,gravity,contact,total,user_work,damping_loss,friction_loss,residual,"
      "px,py,pz,lx,ly,lz,alpha,iterations,status,ms\n");
}

void LedgerCsv::add(const LedgerRow& row) {
  if (!row.finite()) throw std::logic_error("a row of the ledger is not finite");
  // {} writes the fewest digits that give the same number back.
  file_.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f}\n", frame_++, row.time,
                          row.kinetic, row.elastic, row.gravity, row.contact, row.total, row.user_work,
                          row.damping_loss, row.friction_loss, row.residual, row.linear[0], row.linear[1],
                          row.linear[2], row.angular[0], row.angular[1], row.angular[2], row.alpha, row.iterations,
                          row.failed ? "failed" : "ok", row.ms));
}

}  // namespace brio
