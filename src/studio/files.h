/// What needs files: the gallery, surfaces that are dropped, takes.
#pragma once

#include <memory>

#include "scene/value.h"
#include "studio/pane.h"

namespace brio::studio {

/// Frames that are kept, to become files.
class Take {
 public:
  virtual ~Take() = default;
  virtual void add(const State& state) = 0;
  /// Writes the files. Returns their folder.
  virtual std::filesystem::path finish(const std::vector<std::string>& formats, const Pane& pane) = 0;
  virtual long frames() const = 0;
};

/// This one has none, as a page without brio behind it: there is no gallery, and all else is refused. `Disk` has.
class Files {
 public:
  virtual ~Files() = default;

  virtual Json gallery() const { return Json::array(); }  ///< names and titles
  virtual Json formats() const { return Json::array(); }  ///< that takes can be written in: names and sentences
  /// Of the gallery.
  virtual SceneText scene(const std::string& name) const;
  /// The closed surface of an .obj file filled with tets, as a scene.
  virtual SceneText filled(const std::string& obj);
  /// Throws InputError where a scene that comes from a page names files that pages may not read.
  virtual void check(const Node& scene, const std::filesystem::path& folder) const;
  virtual void check_format(const std::string& name) const;
  virtual std::unique_ptr<Take> take(const SceneText& scene, const Pane& pane, double frames_per_second);
};

}  // namespace brio::studio
