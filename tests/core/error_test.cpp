#include <gtest/gtest.h>

#include "brio/core.h"

namespace brio {

TEST(Complaint, NamesFileLineKeyValueAndBound) {
  const Complaint nu{
      .file = "scenes/x.toml", .line = 14, .key = "material.nu", .value = "0.7", .problem = "must be in (-1, 0.5)"};
  EXPECT_EQ(nu.text(), "scenes/x.toml:14: material.nu = 0.7: must be in (-1, 0.5)");
}

TEST(Complaint, NamesByteOffsetsInBinaryFiles) {
  const Complaint cut{
      .file = "a.msh", .byte = 96, .problem = "file ends here, 40 more bytes expected", .advice = "write it again"};
  EXPECT_EQ(cut.text(), "a.msh: byte 96: file ends here, 40 more bytes expected; write it again");
}

TEST(Threads, OutOfRangeCountIsRefusedAndChangesNothing) {
  const int before = threads();
  EXPECT_THROW(set_threads(-1), InputError);
  EXPECT_EQ(threads(), before);
}

}  // namespace brio
