#include "core/memory.h"

#include <gtest/gtest.h>

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

}  // namespace brio
