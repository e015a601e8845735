/// Measurements of our version beside another that does the same work, in one run, so that only their ratio is quoted.
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
  double elements = 0;     ///< for the time per element; 0: not told
  std::string baseline{};  ///< what it is compared with; empty: nothing
  std::string detail{};    ///< where the time went, how many iterations
  double ms = 0;           ///< 0: the row is its detail
  double baseline_ms = 0;  ///< 0: not measured
  double bound_ms = 0;     ///< reading what must be read, as fast as memory gives it; 0: not told
  double wanted = 0;       ///< ratio aimed at; 0: none
  double bytes = 0;        ///< memory that ours took; 0: not told

  double ratio() const { return ms > 0 ? baseline_ms / ms : 0; }
};
using Done = std::function<void(const Row&)>;

/// The least time of a call, of at least five calls in at least a quarter of a second, repeated by Google Benchmark.
/// Work that takes seconds is done once. It must leave nothing behind that changes the next call.
double min_ms(int threads, const std::function<void()>& work);

/// Pairs of functions that do the same work.
class Suite {
 public:
  void add(Row row, std::function<void()> ours, std::function<void()> baseline);
  /// Measures everything. Calls `done` as each pair is finished.
  void run(const Done& done) const;

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
  std::string method;                         ///< how its figures are taken
  std::string remarks;                        ///< what limits it where a target is missed, and what was tried
  void (*run)(bool quick, const Done& done);  ///< null: the score sheet, which has columns of its own (score.h)
};
const std::vector<Case>& cases();

void run_energies(bool quick, const Done& done);
void run_solvers(bool quick, const Done& done);
void run_integrators(bool quick, const Done& done);
void run_scaling(bool quick, const Done& done);
void run_contact(bool quick, const Done& done);
void run_peers(bool quick, const Done& done);
void run_python(bool quick, const Done& done);
void run_studio(bool quick, const Done& done);

/// One thread, and all there are.
std::vector<int> thread_counts();

}  // namespace brio::bench
