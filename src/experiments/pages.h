/// What experiments came out with, to be read: a page each, a page over all, and docs/reproduction.md.
#pragma once

#include "experiments/kept.h"

namespace brio {

/// report.html of one experiment. `command` makes it again.
std::string experiment_page(const Experiment& experiment, const Finished& finished, const std::string& command);

/// The index of those that are kept; each links to ID/report.html.
std::string index_page(const std::map<std::string, Finished>& kept);

/// docs/reproduction.md.
std::string reproduction_markdown(const std::map<std::string, Finished>& kept);

/// The most telling comparison in one line: the first that failed, else the first.
std::string summary(const Finished& finished);

}  // namespace brio
