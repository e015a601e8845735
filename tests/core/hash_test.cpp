#include "core/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace brio {
namespace {

std::uint64_t hash_of(const std::string& text, std::uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(std::span(text)), seed);
}

constexpr std::uint64_t published_seed = 11400714785074694797U;

/// The bytes over which xxHash publishes its check values: the top bytes of powers of one prime times another.
std::string check_bytes(std::size_t length) {
  std::string bytes;
  for (std::uint64_t state = 2654435761U; bytes.size() < length; state *= published_seed)
    bytes.push_back(static_cast<char>(state >> 56));
  return bytes;
}

}  // namespace

/// Values published with xxHash; each length takes another path through the algorithm.
TEST(Hash, AgreesWithPublishedValuesOfXxh3) {
  EXPECT_EQ(hash_of(""), 0x2d06800538d394c2U);
  EXPECT_EQ(hash_of("", published_seed), 0xa8a6b918b2f0364aU);
  EXPECT_EQ(hash_of(check_bytes(6)), 0x27b56a84cd2d7325U);
  EXPECT_EQ(hash_of(check_bytes(12)), 0xa713daf0dfbb77e7U);
  EXPECT_EQ(hash_of(check_bytes(48)), 0x397da259ecba1f11U);
  EXPECT_EQ(hash_of(check_bytes(195)), 0xcd94217ee362ec3aU);
  EXPECT_EQ(hash_of(check_bytes(403)), 0xcdeb804d65c6dea4U);
  EXPECT_EQ(hash_of(check_bytes(2048)), 0xdd59e2c3a5f038e0U);
  EXPECT_EQ(hash_of(check_bytes(2048), published_seed), 0x66f81670669ababcU);
}

TEST(Hash, SeesASingleBitOfADouble) {
  const std::array<double, 2> values = {1.0, 2.0};
  const std::array<double, 2> nudged = {1.0, std::nextafter(2.0, std::numeric_limits<double>::infinity())};
  EXPECT_NE(hash_doubles(values), hash_doubles(nudged));
  EXPECT_NE(hash_doubles(std::array{0.0}), hash_doubles(std::array{-0.0}));
}

TEST(Hash, IsWrittenAsSixteenDigits) {
  EXPECT_EQ(hash_text(0xabcU), "0000000000000abc");
  EXPECT_EQ(hash_text(std::numeric_limits<std::uint64_t>::max()), "ffffffffffffffff");
}

}  // namespace brio
