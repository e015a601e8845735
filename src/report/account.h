/// The balance of a run in a few numbers, and in words.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "brio/record.h"

namespace brio {

struct Account {
  long frames = 0;      ///< finished, after the initial state
  double in_play = 0;   ///< largest energy_scale, as in run.json [J]
  double worst = 0;     ///< largest |residual| over in_play
  double last = 0;      ///< residual at the end over in_play
  double gained = 0;    ///< largest rise of the residual above any before it, over in_play; 0 where there is only loss
  double appeared = 0;  ///< the same [J]
  double user_work = 0, damping_loss = 0, friction_loss = 0;  ///< at the end [J]
  double linear_change = 0;                                   ///< largest change of momentum [kg m/s]
  double angular_change = 0;                                  ///< likewise [kg m²/s]
  double ms = 0;                                              ///< per frame [ms]
  double iterations = 0;                                      ///< per frame
  double alpha = 0;                                           ///< mean blend of the stabilized integrator, else 0
  /// The first frame whose residual exceeds that of one before it by all the energy put into play (EnergyPutIn).
  std::optional<long> exploded{};
};
Account account(const LedgerTable& ledger);

/// How a run ended.
struct Ending {
  std::string status = "ok";  ///< as in run.json
  std::string message{};      ///< why it stopped, as in run.json: "frame 37: …"
  double rounding = 0;        ///< what rounding may make of the energy, as in run.json [J]
};

/// The frame at which a run exploded: its energy did, or numbers ceased to be finite.
std::optional<long> exploded_at(const Account& account, const Ending& ending);

/// What a method declares of the energy, as a bound that a run can be held to.
struct Promise {
  std::string sentence{};  ///< "avf promises to keep the energy to the solver's tolerance"
  double limit = std::numeric_limits<double>::infinity();  ///< of |residual|, or of what is gained, over in_play
  bool allows_loss = false;
  std::string remedy{};
};
/// Empty where it was kept, and where the run exploded, which says enough.
std::string broken_promise(const Account& account, const Promise& promise);

/// "Energy kept to 3e-10 of the energy in play; nothing exploded."
std::string verdict(const Account& account, const Ending& ending);

/// 3e-10, 0.4 %, 34 %: a ratio as one says it.
std::string ratio_text(double ratio);

}  // namespace brio
