#include "core/fields.h"

#include <gtest/gtest.h>

namespace brio {
namespace {

struct Options {
  double nu = 0.3;
  int cells = 4;
  bool closed = false;
  std::string shape = "plane";
  Vec3 size = Vec3::Ones();
  std::array<int, 2> grid{1, 1};
};

const FieldTable<Options>& table() {
  static const auto instance = FieldTable<Options>{}
                                   .number("nu", &Options::nu, "", Bound::open(-1, 0.5), "Poisson's ratio")
                                   .whole("cells", &Options::cells, Bound::at_least(1), "cells along an edge")
                                   .flag("closed", &Options::closed, "whether the ends meet")
                                   .text("shape", &Options::shape, {"plane", "sphere"}, "kind of collider")
                                   .vector("size", &Options::size, "m", Bound::positive(), "edge lengths")
                                   .wholes("grid", &Options::grid, Bound::at_least(1), "cells of a grid");
  return instance;
}

std::string complaint(const Entry& entry) {
  try {
    Options options;
    table().set(options, entry, "body[0]");
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(Choices, AreWrittenAndReadByTheSameNames) {
  const auto both_ways = []<class Choice>(Choice) {
    for (std::size_t i = 0; i < ChoiceNames<Choice>::names.size(); ++i)
      EXPECT_EQ(parse<Choice>(to_string(static_cast<Choice>(i))), static_cast<Choice>(i));
  };
  both_ways(BodyKind{});
  both_ways(SpringLaw{});
  both_ways(TorsionLaw{});
  both_ways(ColliderLaw{});
  both_ways(Definite{});
  both_ways(LinearChoice{});
  both_ways(Acceleration{});
  both_ways(Unconverged{});
  both_ways(QuadratureRule{});
  both_ways(StabilizedStart{});
  EXPECT_EQ(parse<ColliderLaw>("held-spring"), ColliderLaw::held_spring);
  try {
    parse<SpringLaw>("hokean", "cloth.law");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "cloth.law = \"hokean\": unknown; did you mean 'hookean'?");
  }
  EXPECT_THROW(parse<SpringLaw>(""), InputError);
  EXPECT_THROW(parse<SpringLaw>("Hookean "), InputError);
}

TEST(FieldTable, ReadsEveryKindOfField) {
  const Options o = table().read({{"nu", 0.25},
                                  {"cells", std::int64_t{7}},
                                  {"closed", true},
                                  {"shape", std::string("sphere")},
                                  {"size", std::vector<double>{1, 2, 3}},
                                  {"grid", std::vector<double>{4, 5}}});
  EXPECT_EQ(o.nu, 0.25);
  EXPECT_EQ(o.cells, 7);
  EXPECT_TRUE(o.closed);
  EXPECT_EQ(o.shape, "sphere");
  EXPECT_EQ(o.size, Vec3(1, 2, 3));
  EXPECT_EQ(o.grid[1], 5);
}

TEST(FieldTable, WholeNumbersServeAsNumbers) { EXPECT_EQ(table().read({{"nu", std::int64_t{0}}}).nu, 0.0); }

TEST(FieldTable, WritesBackWhatItRead) {
  for (const auto& field : table().fields()) {
    Options changed;
    changed.nu = 0.1;
    changed.cells = 9;
    Options copy;
    field.set(copy, {field.info.key, field.get(changed)}, "");
    EXPECT_EQ(to_text(field.get(copy)), to_text(field.get(changed))) << field.info.key;
  }
}

TEST(FieldTable, ComplaintsNamePlaceValueAndBound) {
  EXPECT_EQ(complaint({"nu", 0.7, "x.toml", 14}), "x.toml:14: body[0].nu = 0.7: must be in (-1, 0.5)");
  EXPECT_EQ(complaint({"nu", std::nan(""), "x.toml", 14}), "x.toml:14: body[0].nu = nan: must be in (-1, 0.5)");
  EXPECT_EQ(complaint({"nus", 0.1}), "body[0].nus = 0.1: unknown key; did you mean 'nu'?");
  EXPECT_EQ(complaint({"quux", 0.1}),
            "body[0].quux = 0.1: unknown key; known keys: nu, cells, closed, shape, size, grid");
  EXPECT_EQ(complaint({"cells", 2.5}), "body[0].cells = 2.5: must be a whole number");
  EXPECT_EQ(complaint({"cells", 2e9}),
            "body[0].cells = 2000000000: must be a whole number, written without point or exponent");
  EXPECT_EQ(complaint({"cells", std::int64_t{0}}), "body[0].cells = 0: must be >= 1");
  EXPECT_EQ(complaint({"shape", std::string("spere")}),
            "body[0].shape = \"spere\": must be one of plane, sphere; did you mean 'sphere'?");
  EXPECT_EQ(complaint({"size", std::vector<double>{1, 2}}), "body[0].size = [1, 2]: must be a list of 3 numbers [m]");
  EXPECT_EQ(complaint({"size", std::vector<double>{1, -2, 3}}),
            "body[0].size = [1, -2, 3]: each component must be > 0");
  EXPECT_EQ(complaint({"grid", std::vector<double>{1.5, 2}}), "body[0].grid = [1.5, 2]: must hold whole numbers");
  EXPECT_EQ(complaint({"closed", 1.0}), "body[0].closed = 1: must be true or false");
}

}  // namespace brio
