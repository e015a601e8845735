#include "report/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

std::string energy_sentence(const Account& account, const Ending& ending) {
  if (const auto frame = exploded_at(account, ending))
    return fmt::format("The motion exploded at frame {}: more energy appeared than was in play.", *frame);
  const std::string safe = ending.status == "failed" ? "." : "; nothing exploded.";
  if (account.in_play == 0) return "Nothing moved" + safe;
  constexpr double notable = 0.01;
  const std::string size = ratio_text(account.worst);
  if (account.worst < notable) return fmt::format("Energy kept to {} of the energy in play{}", size, safe);
  if (account.last < -account.worst / 2)
    return fmt::format("The integrator took away up to {} of the energy in play (numerical damping){}", size, safe);
  if (account.last > account.worst / 2)
    return fmt::format("The integrator added up to {} of the energy in play{}", size, safe);
  return fmt::format("Energy strayed by up to {} of the energy in play{}", size, safe);
}

std::string exchange_sentence(const Account& account) {
  std::vector<std::string> parts;
  if (account.damping_loss != 0) parts.push_back(fmt::format("damping took {:.3g} J", account.damping_loss));
  if (account.friction_loss != 0) parts.push_back(fmt::format("friction took {:.3g} J", account.friction_loss));
  if (account.user_work != 0)
    parts.push_back(fmt::format("{:.3g} J {} outside", std::abs(account.user_work),
                                account.user_work > 0 ? "came from" : "went to the"));
  if (parts.empty()) return {};
  std::string text = fmt::format(" {}.", fmt::join(parts, ", "));
  text[1] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[1])));
  return text;
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
  const auto& kinetic = ledger.column("kinetic");
  const auto& elastic = ledger.column("elastic");
  const auto& gravity = ledger.column("gravity");
  const auto& residual = ledger.column("residual");
  const auto& work = ledger.column("user_work");
  const auto& status = ledger.column("status");
  double worst = 0;
  double exchanged = 0;  // by gravity and from outside, so far [J]
  std::size_t last = 0;
  for (std::size_t i = 0; i < ledger.rows(); ++i) {
    if (status[i] != 0) break;  // repeats the last good state
    last = i;
    const double fallen = std::abs(gravity[i] - gravity.front());
    out.in_play = std::max(out.in_play, kinetic[i] + std::abs(elastic[i]) + fallen);
    worst = std::max(worst, std::abs(residual[i]));
    exchanged = std::max(exchanged, fallen + std::abs(work[i]));
    const double put_in = kinetic.front() + std::abs(elastic.front()) + exchanged;
    if (!out.exploded && residual[i] > put_in && residual[i] > 1e-9 * std::abs(ledger.column("total").front()))
      out.exploded = static_cast<long>(i);
    out.linear_change = std::max(out.linear_change, distance(ledger, {"px", "py", "pz"}, i));
    out.angular_change = std::max(out.angular_change, distance(ledger, {"lx", "ly", "lz"}, i));
    out.ms += ledger.column("ms")[i];
    out.iterations += ledger.column("iterations")[i];
  }
  out.frames = static_cast<long>(last);
  const double frames = std::max(1.0, static_cast<double>(out.frames));
  out.ms /= frames;
  out.iterations /= frames;
  out.worst = out.in_play > 0 ? worst / out.in_play : 0;
  out.last = out.in_play > 0 ? residual[last] / out.in_play : 0;
  out.user_work = work[last];
  out.damping_loss = ledger.column("damping_loss")[last];
  out.friction_loss = ledger.column("friction_loss")[last];
  return out;
}

std::optional<long> exploded_at(const Account& account, const Ending& ending) {
  if (account.exploded) return account.exploded;
  if (ending.status == "failed" && ending.message.find("finite") != std::string::npos) return account.frames + 1;
  return {};
}

std::string verdict(const Account& account, const Ending& ending) {
  std::string text;
  if (ending.status == "failed") {
    const std::string prefix = fmt::format("frame {}: ", account.frames + 1);
    const std::string why = ending.message.starts_with(prefix) ? ending.message.substr(prefix.size()) : ending.message;
    text = fmt::format("The run stopped at frame {}: {}. ", account.frames + 1, why);
  } else if (ending.status != "ok") {
    text = fmt::format("The run was {} after frame {}. ", ending.status, account.frames);
  }
  return text + energy_sentence(account, ending) + exchange_sentence(account);
}

}  // namespace brio
