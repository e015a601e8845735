/// Every key of a scene file, from the tables that read it: what `brio scene explain` tells and docs/scene.md holds.
#pragma once

#include <string>
#include <vector>

#include "core/fields.h"

namespace brio {

struct SceneKey {
  std::string path;      ///< "body[].material.mu"
  std::string type;      ///< "number"
  std::string unit;      ///< "Pa"; empty when it has none
  std::string bound;     ///< "must be > 0", or the words allowed; empty: any
  std::string standard;  ///< what holds when it is not given; empty: nothing does, or the help says it
  std::string help;
};

class Reference {
 public:
  /// All fields of a table, under "prefix.".
  template <class Options>
  void table(const std::string& prefix, const FieldTable<Options>& fields, const Options& standard = {}) {
    for (const auto& field : fields.fields()) add(prefix, field.info, to_text(field.get(standard)));
  }
  void add(const std::string& prefix, const FieldInfo& info, const std::string& standard);
  /// A key that holds more than a plain value.
  void structured(const std::string& path, const std::string& type, const std::string& help);

  const std::vector<SceneKey>& keys() const { return keys_; }

 private:
  std::vector<SceneKey> keys_;
};

const std::vector<SceneKey>& scene_reference();

/// Keys whose path is `text`, ends in it, or lies below it, items of lists counted as one; throws InputError with the
/// nearest when there is none.
std::vector<SceneKey> explain(const std::string& text);

/// docs/scene.md.
std::string scene_reference_page();

}  // namespace brio
