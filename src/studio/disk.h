/// Files as they are on this machine.
#pragma once

#include "studio/dropped.h"
#include "studio/files.h"

namespace brio::studio {

struct Places {
  std::filesystem::path gallery{};    ///< folder of scenes to choose from
  std::filesystem::path out = "out";  ///< where takes go
};

class Disk final : public Files {
 public:
  explicit Disk(Places places) : places_(std::move(places)) {}

  Json gallery() const override;
  Json formats() const override;
  SceneText scene(const std::string& name) const override;
  SceneText filled(const std::string& obj) override;
  /// Scenes may name no files but those in the folder of the scene that was opened, or below.
  void check(const Node& scene, const std::filesystem::path& folder) const override;
  void check_format(const std::string& name) const override;
  std::unique_ptr<Take> take(const SceneText& scene, const Pane& pane, double frames_per_second) override;

 private:
  Places places_;
  std::unique_ptr<Dropped> dropped_;
};

}  // namespace brio::studio
