/// Objects of Python's in the hands of C++, and what their methods return.
#pragma once

#include <memory>
#include <string>

#include "bridge.h"

namespace brio::python {

/// Held, copied and dropped with or without the lock of Python.
using Held = std::shared_ptr<py::object>;
Held hold(py::object object);

/// What a method of the user's returned, which must have that many numbers.
py::array_t<double> result(const py::object& value, std::size_t count, const std::string& who,
                           const std::string& shape);

}  // namespace brio::python
