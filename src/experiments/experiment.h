/// Figures and tables of the literature as experiments: each is run, what it measures is compared with what the paper
/// claims, and the verdict follows from the comparisons alone.
///
/// The five documents: S0 Rojas, Liu & Kavan 2018; S1 Dinev, Liu & Kavan 2018; S2 explicit integrators for deformable
/// linear objects; S3 Kharevych et al. 2006; S4 course notes on numerical integration.
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "report/chart.h"

namespace brio {

/// Quick: smaller meshes and shorter runs that still prove the claim, seconds each. Full: as large as the paper's.
enum class Form { quick, full };
const char* to_string(Form form);

/// How an experiment is run.
struct Trial {
  Form form = Form::quick;
  bool motion = false;             ///< keep the motion, for a page
  std::filesystem::path folder{};  ///< where long runs are put down once a minute, to go on from; empty: nowhere
  /// Integrators that take the place of others: tests put broken ones there.
  std::map<std::string, std::string> stand_ins{};

  bool quick() const { return form == Form::quick; }
  template <class T>
  T pick(T for_quick, T for_full) const {
    return quick() ? for_quick : for_full;
  }
  std::string integrator(const std::string& name) const {
    const auto found = stand_ins.find(name);
    return found == stand_ins.end() ? name : found->second;
  }
};

/// Something worth knowing that no claim is about.
struct Measured {
  std::string what;
  double value = 0;
  std::string unit{};
};

/// A claim as a comparison. What is not a number meets none.
struct Check {
  enum class Relation { below, above, near };
  enum class Source {
    paper,   ///< the paper claims it
    beyond,  ///< ours, where it does better than the paper
  };
  std::string what;
  double measured = std::numeric_limits<double>::quiet_NaN();
  Relation relation = Relation::below;
  double bound = 0;
  double tolerance = 0;  ///< of near
  std::string unit{};
  Source source = Source::paper;
  std::string refuted{};  ///< why this claim of the paper is known not to come out; empty: it should

  bool passed() const;
  bool expected() const { return passed() == refuted.empty(); }
  std::string text() const;  ///< "3.2e-11 < 1e-08 J"
};

struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::string note{};
};

enum class Verdict {
  holds,    ///< every claim of the paper comes out
  better,   ///< and where it admits to fall short, ours does not
  refuted,  ///< a claim does not come out
};
const char* to_string(Verdict verdict);

struct Outcome {
  std::vector<Measured> measured{};
  std::vector<Check> checks{};
  std::vector<Chart> charts{};
  std::vector<Table> tables{};
  std::vector<std::string> notes{};    ///< what the paper leaves open, and what we chose
  std::vector<std::string> motions{};  ///< of playback_json, as text

  void measure(std::string what, double value, std::string unit = "");
  Check& below(std::string what, double measured, double bound, std::string unit = "");
  Check& above(std::string what, double measured, double bound, std::string unit = "");
  Check& near(std::string what, double measured, double value, double tolerance, std::string unit = "");

  Verdict verdict() const;
  /// Whether every check came out as it should, those that are known not to hold included: one that suddenly holds
  /// has a reason that is out of date.
  bool expected() const;
};

struct Experiment {
  std::string id;      ///< "s0-fig3": document and figure
  std::string figure;  ///< "S0 Fig. 3"
  std::string claim;   ///< what must come out, in words
  std::string set_up;  ///< of the full form
  std::function<Outcome(const Trial&)> run;
};

/// All of them, in the order of the documents.
const std::vector<Experiment>& experiments();

/// Throws InputError with the nearest id when there is none.
const Experiment& find_experiment(const std::string& id);

}  // namespace brio
