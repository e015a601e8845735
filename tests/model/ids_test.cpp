/// Ids of one kind are not those of another, and never numbers by accident.
#include "brio/ids.h"

#include <gtest/gtest.h>

#include <functional>
#include <type_traits>

#include "brio/contact.h"

namespace brio {
namespace {

template <class A, class B>
constexpr bool are_apart = !std::is_constructible_v<A, B> && !std::is_constructible_v<B, A> &&
                           !std::is_assignable_v<A&, B> && !std::is_assignable_v<B&, A>;

static_assert(are_apart<BodyId, PinId> && are_apart<BodyId, ColliderId> && are_apart<BodyId, EnergyId>);
static_assert(are_apart<PinId, AttachmentId> && are_apart<PinId, ColliderId> && are_apart<ColliderId, EnergyId>);
static_assert(!std::is_convertible_v<int, BodyId> && !std::is_convertible_v<BodyId, int>);
static_assert(!std::is_convertible_v<BodyId, bool> && !std::is_assignable_v<BodyId&, int>);

SolidOptions unit_cube() { return {.mesh = make_cube({.cells = 1})}; }

std::string refusal(const std::function<void()>& use) {
  try {
    use();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no refusal";
}

}  // namespace

TEST(Ids, AreCountedInTheOrderOfAddingAndLeadToWhatWasAdded) {
  Model model;
  const BodyId first = model.add(unit_cube()), second = model.add(unit_cube());
  EXPECT_EQ(first, BodyId(0));
  EXPECT_EQ(second, BodyId(1));
  EXPECT_EQ(model.body(second).first_vertex, 8);
  EXPECT_EQ(model.index(second), 1u);
  EXPECT_EQ(model.body(first).id, first);
  EXPECT_EQ(model.pin(second, std::vector<int>{0}), PinId(0));
  EXPECT_EQ(model.pin(first, std::vector<int>{0}), PinId(1));
  EXPECT_EQ(model.attach(first, {{.vertex = 2}}), AttachmentId(0));
  EXPECT_EQ(add_collider(model, {.stiffness = 1}), ColliderId(0));
  const Model copy = model;
  EXPECT_EQ(copy.body(second).first_vertex, 8);
  EXPECT_EQ(model.add(unit_cube()), BodyId(2));
  EXPECT_EQ(Model(copy).add(unit_cube()), BodyId(2)) << "a copy counts on";
}

TEST(Ids, OfNothingAndOfWhatIsNotThereAreRefusedByName) {
  Model model;
  EXPECT_EQ(refusal([&] { model.body(BodyId(0)); }).substr(0, 33), "body = 0: the model has no bodies");
  const BodyId cube = model.add(unit_cube());
  EXPECT_FALSE(BodyId());
  EXPECT_TRUE(cube);
  EXPECT_FALSE(model.has(BodyId()));
  EXPECT_EQ(refusal([&] { model.set_wind(BodyId(), {}); }).substr(0, 33), "body = none: is none of the model");
  EXPECT_EQ(refusal([&] { model.set_material(BodyId(5), {}); }).substr(0, 30), "body = 5: is none of the model");
  EXPECT_EQ(refusal([&] { model.release(AttachmentId(2), 1); }).substr(0, 36), "attachment = 2: is none of the model");
  EXPECT_EQ(refusal([&] { model.energy(EnergyId(1)); }), "energy = 1: is none of the model");
  EXPECT_EQ(refusal([&] { add_collider(model, {.bodies = {BodyId(4)}}); }),
            "collider.bodies = 4: is no body of the model");
}

}  // namespace brio
