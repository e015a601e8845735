/// Scenes in a folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "in_folder.h"
#include "scene/scene.h"

namespace brio::testing {

class SceneFile : public InFolder {
 protected:
  /// One body with the keys given, by default a cube of 1 m with 8 vertices; `mesh =` stands in line 4.
  static std::string minimal(const std::string& keys, const std::string& mesh = "{ generate = 'cube', cells = 1 }") {
    return "[time]\nh = 0.001\n[[body]]\nmesh = " + mesh + "\n" + keys + "\n";
  }

  Scene load(const std::string& text) const {
    write("s.toml", text);
    return load_scene(folder / "s.toml");
  }
  Scene load_body(const std::string& keys, const std::string& mesh = "{ generate = 'cube', cells = 1 }") const {
    return load(minimal(keys, mesh));
  }

  /// The complaint about a scene, without the folder.
  std::string complaint(const std::string& text, const std::vector<Override>& overrides = {}) const {
    write("s.toml", text);
    try {
      load_scene(folder / "s.toml", overrides);
    } catch (const InputError& error) {
      std::string message = error.what();
      const std::string prefix = folder.string() + "/";
      for (std::size_t at = 0; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
      return message;
    }
    return "no complaint";
  }
  std::string body_complaint(const std::string& keys,
                             const std::string& mesh = "{ generate = 'cube', cells = 1 }") const {
    return complaint(minimal(keys, mesh));
  }
};

}  // namespace brio::testing
