#include "model/energies/springs.h"

#include <gtest/gtest.h>

#include "energies_under_test.h"
#include "model/cloth_springs.h"
#include "model/energies/attachments.h"

namespace brio {
using namespace testing;

TEST(Springs, LawsAreTheirClosedForms) {
  const NodalField rest = field({{0, 0, 0}, {1, 0, 0}});
  const NodalField stretched = field({{0, 0, 0}, {0, 1.5, 0}});
  const SpringBatch<HookeanLaw> hookean("springs", {{{0, 1}, 8}}, rest);
  const SpringBatch<StVKLaw> stvk("springs", {{{0, 1}, 8}}, rest);
  EXPECT_DOUBLE_EQ(hookean.value(stretched), 0.5 * 8 * 0.25);
  EXPECT_DOUBLE_EQ(stvk.value(stretched), 0.5 * 8 * 1.25 * 1.25);
  EXPECT_DOUBLE_EQ(gradient_of(hookean, stretched)[4], 8 * 0.5);
  EXPECT_DOUBLE_EQ(gradient_of(stvk, stretched)[4], 2 * 8 * 1.25 * 1.5);
}

TEST(Springs, AttachmentsOfLengthZeroAreQuadraticAtTheirPoint) {
  const NodalField rest = field({{1, 2, 3}});
  AttachmentSprings<HookeanLaw> attachment({{.vertex = 0, .point = {1, 2, 3}, .stiffness = 5}});
  EXPECT_EQ(attachment.value(rest), 0);
  EXPECT_TRUE(hessian_of(attachment, rest, Projection::none).isApprox(5 * Eigen::Matrix3d::Identity()));
}

TEST(Springs, PointsOfAttachmentsAreWhereTheirPathHasThemAndLetGoWhenTold) {
  const NodalField rest = field({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}});
  AttachmentSprings<HookeanLaw> attachments(
      {{.vertex = 2, .point = {2, 0, 0}, .stiffness = 2}, {.vertex = 0, .point = {0, 0, 0}, .stiffness = 4}});
  attachments.drive({.keys = {{.time = 0}, {.time = 2, .translate = {0, 4, 0}}}}, Forcing::path);
  EXPECT_EQ(attachments.value({rest, Moment::at(0)}), 0);
  EXPECT_DOUBLE_EQ(attachments.value({rest, Moment::at(1)}), 0.5 * 6 * 4);
  const TimeStep step{.start = 0, .end = 2, .h = 2};
  EXPECT_DOUBLE_EQ(attachments.value({rest, Moment::along(step, rest, 0.25)}), 0.5 * 6 * 1);
  attachments.release(1.5);
  EXPECT_DOUBLE_EQ(attachments.value({rest, Moment::at(1)}), 0.5 * 6 * 4);
  EXPECT_EQ(attachments.value({rest, Moment::at(1.5)}), 0);
  EXPECT_EQ(attachments.value({rest, Moment::along(step, rest, 0.25)}), 0) << "gone for all of the step";
}

TEST(ClothSprings, GridsHaveTheSpringCountsOfThePapers) {
  auto count = [](int n, int m) {
    return cloth_springs({.mesh = make_sheet({.size = {1, 1}, .cells = {n, m}}), .grid = {n, m}}).size();
  };
  EXPECT_EQ(count(79, 79), 31362U);    // 80 x 80 of S0: 31,363
  EXPECT_EQ(count(100, 100), 50300U);  // 101 x 101 of S1: about 50,200
}

TEST(ClothSprings, TriangleMeshesGetOneStretchSpringPerEdgeAndOneBendSpringPerInnerEdge) {
  const Mesh sheet = make_sheet({.size = {1, 1}, .cells = {4, 3}});
  const auto springs = cloth_springs({.mesh = sheet, .stretch = 7, .bend = 3});
  const auto bends = std::count_if(springs.begin(), springs.end(), [](const Spring& s) { return s.stiffness == 3; });
  const int edges = 3 * 12 + 4 + 3;  // V - E + F = 1 with V = 20, F = 24
  EXPECT_EQ(static_cast<int>(springs.size()) - bends, edges);
  EXPECT_EQ(bends, edges - 14);  // the rim has 14 edges
}

TEST(ClothSprings, GridThatDoesNotFitTheMeshIsRefused) {
  EXPECT_THROW(cloth_springs({.mesh = make_sheet({.size = {1, 1}, .cells = {4, 3}}), .grid = {3, 3}}), InputError);
}

}  // namespace brio
