/// Small ledgers for tests.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "brio/record.h"

namespace brio {

struct Row {
  double time = 0, kinetic = 0, elastic = 0, gravity = 0, residual = 0, user_work = 0, damping_loss = 0;
  double px = 0, alpha = 0, ms = 0;
  int iterations = 0;
  bool failed = false;
};

inline std::string ledger_text(const std::vector<Row>& rows) {
  std::string text =
      "frame,time,kinetic,elastic,gravity,contact,total,user_work,damping_loss,friction_loss,residual,"
      "px,py,pz,lx,ly,lz,alpha,iterations,status,ms\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& r = rows[i];
    text += fmt::format("{},{},{},{},{},0,{},{},{},0,{},{},0,0,0,0,0,{},{},{},{}\n", i, r.time, r.kinetic, r.elastic,
                        r.gravity, r.kinetic + r.elastic + r.gravity, r.user_work, r.damping_loss, r.residual, r.px,
                        r.alpha, r.iterations, r.failed ? "failed" : "ok", r.ms);
  }
  return text;
}

inline LedgerTable ledger(const std::vector<Row>& rows) { return parse_ledger(ledger_text(rows), "ledger.csv"); }

}  // namespace brio
