#include "bench/suite.h"

#include <benchmark/benchmark.h>

#include <limits>
#include <map>
#include <mutex>

#include "brio/core.h"

namespace brio::bench {
namespace {

/// Keeps the least real time per iteration of each benchmark and prints nothing.
class LeastTime final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double ms = run.real_accumulated_time / static_cast<double>(run.iterations) * 1e3;
      auto [place, fresh] = least.try_emplace(run.run_name.function_name, ms);
      if (!fresh) place->second = std::min(place->second, ms);
    }
  }
  std::map<std::string, double> least;
};

/// Times one function: repetitions of at least a twentieth of a second each.
double least_ms(const std::string& name, int threads, const std::function<void()>& work) {
  benchmark::ClearRegisteredBenchmarks();
  set_threads(threads);
  benchmark::RegisterBenchmark(name.c_str(),
                               [&work](benchmark::State& state) {
                                 for ([[maybe_unused]] auto iteration : state) work();
                               })
      ->Repetitions(5)
      ->MinTime(0.05)
      ->UseRealTime();
  LeastTime reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  set_threads(0);
  return reporter.least.at(name);
}

}  // namespace

void Suite::add(Row row, std::function<void()> ours, std::function<void()> baseline) {
  pairs_.push_back({std::move(row), std::move(ours), std::move(baseline)});
}

std::vector<Row> Suite::run(const std::function<void(const Row&)>& done) const {
  static std::once_flag once;
  std::call_once(once, [] {
    int argc = 1;
    char program[] = "brio";
    char* argv[] = {program, nullptr};
    benchmark::Initialize(&argc, argv);
  });
  std::vector<Row> rows;
  for (const Pair& pair : pairs_) {
    Row row = pair.row;
    row.ms = least_ms("ours", row.threads, pair.ours);
    row.baseline_ms = least_ms("baseline", 1, pair.baseline);
    rows.push_back(row);
    done(row);
  }
  return rows;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> instance{
      {"energies", "ns per tetrahedron of every material, and assembly, against straightforward Eigen", run_energies},
      {"solvers", "an implicit step by every solver, at equal tolerance, against straightforward Eigen", run_solvers}};
  return instance;
}

}  // namespace brio::bench
