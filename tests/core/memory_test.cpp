#include "core/memory.h"

#include <gtest/gtest.h>

#include "core/large_vector.h"

namespace brio {

TEST(Memory, WhatIsTooMuchIsRefusedWithBothFigures) {
  set_memory_limit(2e9);
  EXPECT_NO_THROW(claim_memory(1.9e9, {.problem = "a small thing"}));
  EXPECT_EQ(last_memory_claim(), "a small thing, about 1.9 GB");
  try {
    claim_memory(3e12, {.key = "copies", .problem = "a billion copies", .advice = "choose fewer"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "copies: a billion copies would take about 3 TB of memory, and 2 GB may be used; choose fewer");
  }
  EXPECT_THROW(claim_memory(std::numeric_limits<double>::quiet_NaN(), {}), InputError);
  EXPECT_THROW(set_memory_limit(-1), InputError);
  set_memory_limit(0);
}

TEST(Memory, TheStandardLimitIsLessThanThereIs) {
  EXPECT_GT(memory_limit(), 1e8);
  EXPECT_LT(memory_limit(), 1e14);
}

TEST(Memory, AllocationsThatFailSayWhatWasAskedFor) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer ends a program that asks for so much";
#endif
  constexpr std::size_t impossible = std::size_t{1} << 50;
  try {
    LargeAllocator<double>().allocate(impossible / sizeof(double));
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), impossible);
    EXPECT_STREQ(error.what(), "out of memory: 1.13e+09 MB more were asked for");
  }
}

}  // namespace brio
