#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <utility>

#include "brio/math.h"

namespace brio {
namespace {

NodalField counting_field(std::size_t size) {
  NodalField field(size);
  for (std::size_t i = 0; i < size; ++i) field[i] = Vec3(1, 2, 3) + 10.0 * static_cast<double>(i) * Vec3::Ones();
  return field;
}

void expect_equal(const NodalField& a, const NodalField& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]) << i;
}

void expect_zero_padding(const NodalField& field) {
  for (std::size_t i = 0; i < field.size(); ++i) EXPECT_EQ(field.row(i)[3], 0.0) << i;
}

}  // namespace

TEST(NodalField, StartsAtZero) {
  const NodalField field(5);
  for (std::size_t i = 0; i < NodalField::stride * field.size(); ++i) EXPECT_EQ(field.data()[i], 0.0);
}

TEST(NodalField, RowsAreAlignedForSimd) {
  for (std::size_t size : {1U, 2U, 3U, 1001U}) {
    const NodalField field(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.data()) % 64, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.row(size - 1)) % 32, 0U);
  }
}

TEST(NodalField, CopiesAreEqualAndIndependent) {
  const NodalField original = counting_field(7);
  NodalField copy(original);
  expect_equal(copy, original);
  expect_zero_padding(copy);
  copy[3] = Vec3::Zero();
  EXPECT_EQ(original[3], Vec3(31, 32, 33));
}

TEST(NodalField, AssignmentTakesAnySizeAndKeepsMemoryOfTheSameSize) {
  const NodalField original = counting_field(7);
  NodalField same(7);
  const double* memory = same.data();
  same = original;
  expect_equal(same, original);
  EXPECT_EQ(same.data(), memory);

  NodalField other(2);
  other = original;
  expect_equal(other, original);
  expect_zero_padding(other);
  other = NodalField();
  EXPECT_EQ(other.size(), 0U);
}

TEST(NodalField, AssignmentToItselfChangesNothing) {
  NodalField field = counting_field(4);
  const NodalField& alias = field;
  field = alias;
  expect_equal(field, counting_field(4));
}

TEST(NodalField, MovingHandsOverTheMemory) {
  NodalField original = counting_field(7);
  const double* memory = original.data();
  const NodalField moved(std::move(original));
  EXPECT_EQ(moved.data(), memory);
  expect_equal(moved, counting_field(7));
}

TEST(NodalField, AMovedFromFieldIsEmpty) {
  NodalField original = counting_field(7);
  const NodalField moved(std::move(original));
  EXPECT_EQ(original.size(), 0U);  // NOLINT(bugprone-use-after-move): that is the claim
  EXPECT_EQ(original.data(), nullptr);
}

TEST(NodalField, PaddingStaysZeroThroughArithmetic) {
  NodalField field = counting_field(9);
  for (std::size_t i = 0; i < field.size(); ++i) field[i] = 2.0 * field[i] + Vec3(1, 1, 1);
  expect_zero_padding(field);
}

TEST(NodalField, SetZeroClearsEverythingEvenWhenEmpty) {
  NodalField field = counting_field(9);
  field.set_zero();
  expect_equal(field, NodalField(9));
  NodalField empty;
  empty.set_zero();
  EXPECT_EQ(empty.size(), 0U);
}

TEST(NodalField, HugeSizesAreRefusedNotWrapped) {
  EXPECT_THROW(NodalField(std::numeric_limits<std::size_t>::max() / 16), std::bad_alloc);
}

TEST(NodalField, RowsThatAreAppendedOneByOneMoveTheOthersRarely) {
  NodalField field;
  const double* place = nullptr;
  int moves = 0;
  constexpr int rows = 100'000;
  for (int i = 0; i < rows; ++i) {
    field.append(std::vector<Vec3>{Vec3(i, 2 * i, -i)});
    moves += field.data() != place ? 1 : 0;
    place = field.data();
  }
  EXPECT_LT(moves, 50) << "memory grows by half: log(100000) / log(1.5) = 28 times";
  const NodalField copy = field;
  ASSERT_EQ(copy.size(), static_cast<std::size_t>(rows));
  for (int i = 0; i < rows; ++i) ASSERT_EQ(Vec3(copy[i]), Vec3(i, 2 * i, -i));
  for (int i = 0; i < rows; ++i) ASSERT_EQ(copy.row(i)[3], 0);
}

}  // namespace brio
