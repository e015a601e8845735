/// One scene, run where a crash or an endless step does no harm, and judged.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace brio::torture {

enum class Outcome {
  ok,       ///< came to its end, all promises kept
  warned,   ///< came to its end, a promise was broken, and the run said so
  failed,   ///< stopped or exploded, and said why and what to do
  refused,  ///< bad input, in words
  slow,     ///< all steps were bounded, but there was no time for all of them
  silent,   ///< a promise was broken, or the report is wrong, and nothing was said
  crash,
  hang,  ///< a frame took longer than it may, or the run did not answer when it was asked to stop
};
const char* to_string(Outcome outcome);
/// What must never be.
inline bool is_sin(Outcome outcome) { return outcome >= Outcome::silent; }

struct TrialLimits {
  double run_seconds = 10;   ///< of processor time
  double frame_seconds = 5;  ///< likewise; more is a hang
};

struct Trial {
  Outcome outcome = Outcome::ok;
  std::string integrator{};
  std::string unphysical{};  ///< why the scene means nothing physically; empty: it does
  std::string beyond{};      ///< by what the scene goes beyond what its method promises; empty: it does not
  std::string wrong{};       ///< the broken promise, the failure or the refusal
  std::string told{};        ///< what the run said of it
  double energy = 0, gained = 0, momentum = 0, angular = 0;  ///< worst values, as in Judgment
  double seconds = 0;                                        ///< of processor time
  double frame_seconds = 0;                                  ///< of the slowest frame
  std::string positions{};                                   ///< where it ended: bytes of x, for whoever compares runs

  bool meaningful() const { return unphysical.empty(); }
};

/// Before a run is said to hang.
inline constexpr TrialLimits patient{.run_seconds = 40, .frame_seconds = 20};

/// Through the public interface, in a process of its own. `folder` is for the files of the run.
Trial try_scene(const std::string& text, const std::filesystem::path& folder, const TrialLimits& limits = {});

nlohmann::ordered_json to_json(const Trial& trial);
Trial trial_of(const nlohmann::ordered_json& json);

}  // namespace brio::torture
