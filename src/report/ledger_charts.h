/// The charts that a ledger gives: of one run, and of several over each other.
#pragma once

#include "report/account.h"
#include "report/chart.h"

namespace brio {

/// Energy as a stack, the residual on a logarithmic axis, momenta, alpha, iterations and time; those that would be
/// empty are left out.
std::vector<Chart> run_charts(const LedgerTable& ledger);

struct NamedLedger {
  std::string name;
  LedgerTable ledger;
};

/// Total energy, residual, changes of momenta, iterations and time of several runs of one scene.
std::vector<Chart> comparison_charts(const std::vector<NamedLedger>& runs);

/// Columns of several ledgers over time, for `brio plot`. Columns share an axis, so they must share a unit; with `log`
/// their sizes are shown.
Chart column_chart(const std::vector<NamedLedger>& runs, const std::vector<std::string>& columns, bool log);

}  // namespace brio
