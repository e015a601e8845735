#include "report/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/energy_in_play.h"
#include "record/run_summary.h"

namespace brio {
namespace {

double distance(const LedgerTable& ledger, std::array<const char*, 3> names, std::size_t row) {
  double squares = 0;
  for (const char* name : names) {
    const std::vector<double>& values = ledger.column(name);
    squares += std::pow(values[row] - values.front(), 2);
  }
  return std::sqrt(squares);
}

LedgerRow row_of(const LedgerTable& ledger, std::size_t i) {
  LedgerRow row;
  row.kinetic = ledger.column("kinetic")[i];
  row.elastic = ledger.column("elastic")[i];
  row.gravity = ledger.column("gravity")[i];
  row.total = ledger.column("total")[i];
  row.user_work = ledger.column("user_work")[i];
  row.damping_loss = ledger.column("damping_loss")[i];
  row.friction_loss = ledger.column("friction_loss")[i];
  row.residual = ledger.column("residual")[i];
  return row;
}

std::string capitalized(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string energy_sentence(const Account& account, const Ending& ending) {
  if (const auto frame = exploded_at(account, ending))
    return fmt::format("The motion exploded at frame {}: more energy appeared than was in play.", *frame);
  const std::string safe = !ending.message.empty() ? "." : "; nothing exploded.";
  if (account.in_play <= ending.rounding) return "Nothing moved" + safe;
  const bool damped = account.worst >= notable_energy_error && account.last < -account.worst / 2;
  return fmt::format("{} of the energy in play{}{}",
                     capitalized(energy_verdict(account.worst, account.last, ratio_text(account.worst))),
                     damped ? " (numerical damping)" : "", safe);
}

std::string exchange_sentence(const Account& account) {
  std::vector<std::string> parts;
  if (account.damping_loss != 0) parts.push_back(fmt::format("damping took {:.3g} J", account.damping_loss));
  if (account.friction_loss != 0) parts.push_back(fmt::format("friction took {:.3g} J", account.friction_loss));
  if (account.user_work != 0)
    parts.push_back(fmt::format("{:.3g} J {} outside", std::abs(account.user_work),
                                account.user_work > 0 ? "came from" : "went to the"));
  if (parts.empty()) return {};
  return fmt::format(" {}.", capitalized(fmt::format("{}", fmt::join(parts, ", "))));
}

/// What a method lost before does not pay for what appears.
std::optional<long> first_explosion(const std::vector<LedgerRow>& rows, const EnergyPutIn& put_in) {
  double lowest = rows.front().residual;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    LedgerRow risen = rows[i];
    risen.residual -= lowest - rows.front().residual;
    if (put_in.exceeded_by(risen)) return static_cast<long>(i);
    lowest = std::min(lowest, rows[i].residual);
  }
  return {};
}

}  // namespace

std::string ratio_text(double ratio) {
  const double size = std::abs(ratio);
  if (size >= 10) return fmt::format("{:.2g} times", size);
  if (size >= 0.1) return fmt::format("{:.0f} %", 100 * size);
  if (size >= 1e-3) return fmt::format("{:.1g} %", 100 * size);
  return size == 0 ? "0" : fmt::format("{:.0e}", size);
}

Account account(const LedgerTable& ledger) {
  Account out;
  const auto& status = ledger.column("status");
  std::vector<LedgerRow> rows;
  for (std::size_t i = 0; i < ledger.rows() && status[i] == 0; ++i) rows.push_back(row_of(ledger, i));
  if (rows.empty()) rows.push_back(row_of(ledger, 0));  // what follows a failure repeats the last good state
  EnergyPutIn put_in(rows.front());
  double worst = 0;
  double gained = 0;
  double lowest = rows.front().residual;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LedgerRow& row = rows[i];
    put_in.add(row);
    out.in_play = std::max(out.in_play, energy_scale(row, rows.front()));
    worst = std::max(worst, std::abs(row.residual));
    gained = std::max(gained, row.residual - lowest);
    lowest = std::min(lowest, row.residual);
    out.linear_change = std::max(out.linear_change, distance(ledger, {"px", "py", "pz"}, i));
    out.angular_change = std::max(out.angular_change, distance(ledger, {"lx", "ly", "lz"}, i));
    out.ms += ledger.column("ms")[i];
    out.iterations += ledger.column("iterations")[i];
    out.alpha += ledger.column("alpha")[i];
  }
  out.exploded = first_explosion(rows, put_in);
  const LedgerRow& last = rows.back();
  out.frames = static_cast<long>(rows.size()) - 1;
  const double frames = std::max(1.0, static_cast<double>(out.frames));
  out.ms /= frames;
  out.iterations /= frames;
  out.alpha /= frames;
  out.worst = out.in_play > 0 ? worst / out.in_play : 0;
  out.appeared = gained;
  out.gained = out.in_play > 0 ? gained / out.in_play : 0;
  out.last = out.in_play > 0 ? last.residual / out.in_play : 0;
  out.user_work = last.user_work;
  out.damping_loss = last.damping_loss;
  out.friction_loss = last.friction_loss;
  return out;
}

std::optional<long> exploded_at(const Account& account, const Ending& ending) {
  if (account.exploded && account.appeared > ending.rounding) return account.exploded;
  if (ending.message.find("finite") != std::string::npos) return account.frames + 1;
  return {};
}

std::string broken_promise(const Account& account, const Promise& promise) {
  const double broken = promise.allows_loss ? account.gained : account.worst;
  if (account.exploded || !(broken > promise.limit)) return {};
  return fmt::format("{}, but it {} {} of the energy in play; {}", promise.sentence,
                     promise.allows_loss ? "grew by" : "strayed by up to", ratio_text(broken), promise.remedy);
}

std::string verdict(const Account& account, const Ending& ending) {
  std::string text;
  if (!ending.message.empty()) {
    const std::string prefix = fmt::format("frame {}: ", account.frames + 1);
    const std::string why = ending.message.starts_with(prefix) ? ending.message.substr(prefix.size()) : ending.message;
    text = fmt::format("The run stopped at frame {}: {}. ", account.frames + 1, why);
  } else if (ending.status == "interrupted") {
    text = fmt::format("The run was {} after frame {}. ", ending.status, account.frames);
  }
  return text + energy_sentence(account, ending) + exchange_sentence(account);
}

}  // namespace brio
