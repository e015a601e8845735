/// Pairs of measurements: our version and a straightforward one doing the same work, in one run, so that only their
/// ratio is quoted.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace brio::bench {

/// One line of a benchmark's table.
struct Row {
  std::string name{};      ///< what is done: "stvk gradient"
  std::string size{};      ///< on what: "5,000 v / 24,000 t"
  int threads = 1;         ///< of ours; the baseline uses one
  double elements = 1;     ///< for the time per element
  std::string baseline{};  ///< what it is compared with
  std::string detail{};    ///< where the time went, how many iterations
  double ms = 0;
  double baseline_ms = 0;
  double ratio() const { return baseline_ms / ms; }
};

class Suite {
 public:
  /// Both functions do the work once; they must leave nothing behind that changes the next call.
  void add(Row row, std::function<void()> ours, std::function<void()> baseline);

  /// Measures everything with Google Benchmark: the least time of several repetitions. Calls `done` as each pair is
  /// finished.
  std::vector<Row> run(const std::function<void(const Row&)>& done) const;

 private:
  struct Pair {
    Row row;
    std::function<void()> ours, baseline;
  };
  std::vector<Pair> pairs_;
};

/// The cases of `brio bench` by name.
struct Case {
  std::string name;
  std::string sentence;
  void (*run)(bool quick, const std::function<void(const Row&)>& done);
};
const std::vector<Case>& cases();

void run_solvers(bool quick, const std::function<void(const Row&)>& done);
void run_energies(bool quick, const std::function<void(const Row&)>& done);

}  // namespace brio::bench
