#include "core/lasting.h"

#include <mutex>
#include <set>

namespace brio {

const char* lasting(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard lock(mutex);
  return texts.insert(text).first->c_str();
}

}  // namespace brio
