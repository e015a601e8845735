/// States as bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "brio/model.h"

namespace brio {

/// Appends what it is given, or takes it from bytes: one description of the content serves both directions. Numbers are
/// as they lie in memory. A checksum tells damage from what was written, but not who wrote it: nothing is allocated
/// that the bytes cannot back. `Self` adds what else it knows.
template <class Self>
class Archive {
 public:
  Archive() = default;
  explicit Archive(std::string_view bytes) : reading_(true), in_(bytes) {}

  const std::string& bytes() const { return out_; }
  bool at_end() const { return in_.empty(); }

  void raw(void* data, std::size_t size) {
    if (!reading_) {
      out_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > in_.size()) throw std::length_error("shorter than it says");
    std::memcpy(data, in_.data(), size);
    in_.remove_prefix(size);
  }

  /// Of a list whose items have at least so many bytes each.
  std::size_t length(std::size_t now, std::size_t bytes_each) {
    std::uint64_t n = now;
    raw(&n, sizeof n);
    if (reading_ && n > in_.size() / bytes_each) throw std::length_error("shorter than it says");
    return n;
  }

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) { raw(&value, sizeof value); }
  void operator()(bool& value) {
    unsigned char byte = value ? 1 : 0;
    raw(&byte, sizeof byte);
    value = byte != 0;
  }
  void operator()(Vec3& v) { raw(v.data(), 3 * sizeof(double)); }
  void operator()(std::string& text) {
    text.resize(length(text.size(), 1));
    raw(text.data(), text.size());
  }
  void operator()(NodalField& field) {
    const std::size_t size = length(field.size(), 3 * sizeof(double));
    if (reading_) field = NodalField(size);
    for (std::size_t i = 0; i < size; ++i) raw(field.row(i), 3 * sizeof(double));
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    list.resize(length(list.size(), sizeof(double)));  // the shortest items are numbers and lengths
    for (T& item : list) self()(item);
  }
  template <class A, class B>
  void operator()(std::pair<A, B>& pair) {
    self()(pair.first);
    self()(pair.second);
  }
  void operator()(Memory& memory) { all(memory.fields, memory.numbers); }
  void operator()(State& s) { all(s.x, s.v, s.time, s.step, s.memory, s.histories); }
  void operator()(LedgerRow& r) {
    all(r.time, r.kinetic, r.elastic, r.gravity, r.contact, r.total, r.user_work, r.damping_loss, r.friction_loss,
        r.residual, r.linear, r.angular, r.alpha, r.iterations, r.failed, r.ms);
  }

 protected:
  template <class... Parts>
  void all(Parts&... parts) {
    (self()(parts), ...);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }

  bool reading_ = false;
  std::string out_;
  std::string_view in_;
};

}  // namespace brio
