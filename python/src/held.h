/// Objects of Python's in the hands of C++, and what their methods return.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "bridge.h"

namespace brio::python {

/// Held, copied and dropped with or without the lock of Python.
using Held = std::shared_ptr<py::object>;
Held hold(py::object object);

/// What is known by name calls the function that was given last: cells of notebooks are run again.
class Renewable {
 public:
  explicit Renewable(py::object function) : held_(std::make_shared<Held>(hold(std::move(function)))) {}
  void renew(py::object function) const { *held_ = hold(std::move(function)); }
  bool is_none() const { return (*held_)->is_none(); }
  /// With the lock of Python.
  template <class... Arguments>
  py::object operator()(Arguments&&... arguments) const {
    const Held function = *held_;  // which may be renewed meanwhile
    return (*function)(std::forward<Arguments>(arguments)...);
  }

 private:
  std::shared_ptr<Held> held_;
};

/// What a method of the user's returned: that many rows, of so many real numbers each, or all of them in one.
py::array_t<double> result(const py::object& value, std::size_t rows, std::size_t each, const std::string& who,
                           const std::string& shape);

}  // namespace brio::python
