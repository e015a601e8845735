/// The libFuzzer target of one reader, named by BRIO_READER. Free of heavy headers: it is compiled once per reader.
#include <cstddef>
#include <cstdint>

#include "check.h"

#define BRIO_JOIN(a, b) a##b
#define BRIO_CHECK(reader) BRIO_JOIN(check_, reader)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  brio::BRIO_CHECK(BRIO_READER)({reinterpret_cast<const char*>(data), size});
  return 0;
}
