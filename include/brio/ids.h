/// Names of what a model holds.
///
///   const BodyId ball = model.add(SolidOptions{…});
///   model.pin(ball, vertices);
///
/// An id is of one kind of thing, and none is made of a number by accident. None is given twice: the id of what was
/// removed stays that of something that is no more, and whoever is given it says so.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace brio {

template <class What>
class Id {
 public:
  /// Of nothing.
  constexpr Id() = default;
  /// Things of one kind are numbered from 0 in the order in which they are added.
  constexpr explicit Id(std::uint32_t number) : number_(number) {}

  constexpr std::uint32_t number() const { return number_; }
  /// Whether it is of something; perhaps of something that is no more.
  constexpr explicit operator bool() const { return *this != Id(); }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;

 private:
  std::uint32_t number_ = std::numeric_limits<std::uint32_t>::max();
};

/// "3", or "none".
template <class What>
std::string to_string(Id<What> id) {
  return id ? std::to_string(id.number()) : "none";
}

/// Gives ids, none of them twice.
template <class What>
class IdCounter {
 public:
  Id<What> next() { return Id<What>(given_++); }

 private:
  std::uint32_t given_ = 0;
};

using BodyId = Id<struct Body>;
using EnergyId = Id<class Energy>;
using AttachmentId = Id<struct Attachment>;  ///< of one call of Model::attach
using PinId = Id<class Pins>;                ///< of one call of Model::pin
using ColliderId = Id<class AnyCollider>;
using GrabId = Id<struct Grab>;  ///< a hand that holds a point of a body

}  // namespace brio
