#include "record/run_summary.h"

#include <fmt/format.h>
#include <tbb/version.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/hash.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

Json list(const Vec3& v) { return {v[0], v[1], v[2]}; }

Json versions() {
  return {{"brio", BRIO_VERSION},
          {"compiler", fmt::format("{}", __VERSION__)},
          {"eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"tbb", TBB_VERSION_STRING}};
}

}  // namespace

void RunSummary::add(const LedgerRow& row) {
  if (rows_++ == 0) first_ = row;
  last_ = row;
  max_residual_ = std::max(max_residual_, std::abs(row.residual));
  scale_ = std::max(scale_, row.kinetic + std::abs(row.elastic) + std::abs(row.gravity - first_.gravity));
  max_linear_change_ = std::max(max_linear_change_, (row.linear - first_.linear).norm());
  max_angular_change_ = std::max(max_angular_change_, (row.angular - first_.angular).norm());
}

double RunSummary::max_relative_error() const { return scale_ > 0 ? max_residual_ / scale_ : 0; }

Json RunSummary::json() const {
  Json object{{"status", message.empty() ? "ok" : "failed"}};
  if (!message.empty()) object["message"] = message;
  object["title"] = title;
  object["integrator"] = integrator;
  object["h"] = h;
  object["frames"] = frames();
  object["energy"] = {{"initial", first_.total}, {"final", last_.total}, {"max_relative_error", max_relative_error()}};
  object["momentum"] = {
      {"linear", {{"initial", list(first_.linear)}, {"final", list(last_.linear)}, {"max_change", max_linear_change_}}},
      {"angular",
       {{"initial", list(first_.angular)}, {"final", list(last_.angular)}, {"max_change", max_angular_change_}}}};
  object["hash"] = hash_text(hash);
  object["timings"] = {{"load_s", load_seconds},
                       {"run_s", run_seconds},
                       {"total_s", total_seconds},
                       {"ms_per_frame", frames() > 0 ? 1e3 * run_seconds / static_cast<double>(frames()) : 0.0},
                       {"threads", threads()}};
  for (const auto& [phase, ms] : solver_ms) object["timings"]["solver_ms"][phase] = ms;
  object["versions"] = versions();
  return object;
}

}  // namespace brio
