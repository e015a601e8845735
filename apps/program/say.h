/// Words to the user, on standard error.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace brio::app {

/// Work goes on where nobody can read: a log on a full disk costs its words, not the run.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  std::fputs(fmt::format(format, std::forward<Values>(values)...).c_str(), stderr);
}

}  // namespace brio::app
