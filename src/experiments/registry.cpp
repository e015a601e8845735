#include "core/fields.h"
#include "experiments/rows.h"

namespace brio {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> list;
    for (const auto group :
         {s0_points, s0_bodies, s0_sheets, s0_table, s1_points, s1_stability, s1_swinging, s1_contact, s1_cloth,
          s1_tables, s2_pendulum, s2_wires, s3_pendulum, s3_elastic, s4_orders})
      for (Experiment& experiment : group()) list.push_back(std::move(experiment));
    return list;
  }();
  return all;
}

const Experiment& find_experiment(const std::string& id) {
  std::vector<std::string> ids;
  for (const Experiment& experiment : experiments()) {
    if (experiment.id == id) return experiment;
    ids.push_back(experiment.id);
  }
  refuse_name("experiment", id, "unknown experiment", ids);
}

}  // namespace brio
