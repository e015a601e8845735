/// What a run tells while it goes on, for a terminal, a program or nobody.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "brio/model.h"

namespace brio {
struct Scene;
}

namespace brio::app {

class RunEvents {
 public:
  virtual ~RunEvents() = default;
  /// Frames up to `first` are there already.
  virtual void started(const Scene& /*scene*/, const std::filesystem::path& /*folder*/, long /*first*/) {}
  /// With the energy in play then [J] (model/energy_in_play.h).
  virtual void frame(long /*frame*/, const LedgerRow& /*row*/, double /*in_play*/) {}
  virtual void warning(const std::string& /*text*/) {}
  /// All frames are there; animation files follow.
  virtual void recorded() {}
  /// With the content of run.json.
  virtual void finished(const nlohmann::ordered_json& /*summary*/, const std::filesystem::path& /*folder*/) {}
};

/// One JSON object per line on standard output: started, frame, warning, finished.
class JsonEvents final : public RunEvents {
 public:
  void started(const Scene& scene, const std::filesystem::path& folder, long first) override;
  void frame(long frame, const LedgerRow& row, double in_play) override;
  void warning(const std::string& text) override;
  void finished(const nlohmann::ordered_json& summary, const std::filesystem::path& folder) override;
};

}  // namespace brio::app
