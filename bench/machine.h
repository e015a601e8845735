/// What the machine gives: memory that a piece of work took, and the speed of reading.
#pragma once

#include <cstddef>
#include <string>

namespace brio::bench {

/// Growth of this process's resident memory since its construction.
class Memory {
 public:
  Memory();
  double peak() const;  ///< bytes; 0 where the system does not tell
  double held() const;  ///< at present, without what was freed

 private:
  double start_;
};

/// The least time of reading that many bytes `passes` times: a loop that adds them up, shared by the threads.
double reading_ms(std::size_t bytes, int passes, int threads);

/// "AMD EPYC 7763 64-Core Processor, 2 threads, GCC 12.2.0"
std::string machine();

}  // namespace brio::bench
