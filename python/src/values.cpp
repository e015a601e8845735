/// Values and arrays on their way between Python and C++.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "bridge.h"
#include "core/fields.h"

namespace brio::python {
namespace {

[[noreturn]] void refuse(const std::string& key, const py::handle& value, const std::string& problem,
                         const std::string& advice = {}) {
  std::string text = py::repr(value).cast<std::string>();
  if (text.size() > 100) text = text.substr(0, 100) + " ...";
  throw InputError({.key = key, .value = text, .problem = problem, .advice = advice});
}

bool is_whole(const py::handle& value) { return PyIndex_Check(value.ptr()) != 0 && !py::isinstance<py::array>(value); }

bool is_complex(const py::handle& value) {
  return PyComplex_Check(value.ptr()) ||
         (py::hasattr(value, "dtype") &&
          py::str(py::getattr(value.attr("dtype"), "kind", py::str(""))).equal(py::str("c")));
}

/// NumPy's, which would pass for a number.
bool is_truth(const py::handle& value) {
  return py::hasattr(value, "dtype") &&
         py::str(py::getattr(value.attr("dtype"), "kind", py::str(""))).equal(py::str("b"));
}

bool is_real(const py::handle& value) {
  if (is_complex(value) || is_truth(value)) return false;
  return PyFloat_Check(value.ptr()) || is_whole(value) ||
         (py::hasattr(value, "__float__") && !py::isinstance<py::array>(value) && !py::isinstance<py::str>(value));
}

Value plain_value(const py::handle& value, const std::string& path) {
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::hasattr(value, "__fspath__")) return py::str(value.attr("__fspath__")()).cast<std::string>();
  if (py::hasattr(value, "dtype") && py::str(value.attr("dtype")).cast<std::string>() == "bool")
    return py::bool_(py::reinterpret_borrow<py::object>(value)).cast<bool>();
  if (is_whole(value)) {
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) throw py::error_already_set();
    const long long whole = PyLong_AsLongLong(number.ptr());
    if (whole == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      refuse(path, value, "is larger than a whole number can be");
    }
    return std::int64_t{whole};
  }
  if (is_real(value)) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return number;
  }
  refuse(path, value, "must be a number, a text, true or false, a list, a dict or a brio.Mesh");
}

constexpr int deepest = 40;  // tables within tables

Node convert(const py::handle& value, const std::string& key, const std::string& path, int depth) {
  if (depth > deepest) throw InputError({.key = path.substr(0, 60), .problem = "is nested too deeply"});
  Node node{.key = key, .path = path};
  if (py::isinstance<MeshBox>(value)) {
    node.mesh = std::make_shared<SceneMesh>(value.cast<const MeshBox&>().shape);
    return node;
  }
  if (PyMapping_Check(value.ptr()) != 0 && py::hasattr(value, "items")) {
    for (const py::handle& item : value.attr("items")()) {
      const auto pair = py::cast<py::tuple>(item);
      if (!py::isinstance<py::str>(pair[0])) refuse(path, pair[0], "must be a text, since it is a key");
      if (pair[1].is_none()) continue;  // as if it were not given
      const auto name = pair[0].cast<std::string>();
      const std::string place = path.empty() ? name : fmt::format("{}.{}", path, name);
      node.children.push_back(convert(pair[1], name, place, depth + 1));
    }
    return node;
  }
  const bool is_list = py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value);
  const bool is_array = py::isinstance<py::array>(value) && value.attr("ndim").cast<int>() > 0;
  if (!is_list && !is_array) {
    node.kind = Node::Kind::plain;
    node.value = plain_value(value, path);
    return node;
  }
  const auto items = py::list(py::reinterpret_borrow<py::object>(value));
  bool all_numbers = true;
  for (const py::handle& item : items) all_numbers = all_numbers && !PyBool_Check(item.ptr()) && is_real(item);
  if (all_numbers) {
    std::vector<double> numbers;
    for (const py::handle& item : items) {
      numbers.push_back(PyFloat_AsDouble(item.ptr()));
      if (numbers.back() == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    }
    node.kind = Node::Kind::plain;
    node.value = std::move(numbers);
    return node;
  }
  node.kind = Node::Kind::array;
  for (std::size_t i = 0; i < items.size(); ++i)
    node.children.push_back(convert(items[i], "", fmt::format("{}[{}]", path, i), depth + 1));
  return node;
}

py::array_t<double> numbers_of(const py::handle& array, const std::string& key) {
  py::array_t<double> numbers = real_array(array);
  if (!numbers) refuse(key, array, "must be an array of numbers");
  return numbers;
}

}  // namespace

Node node_of(const py::handle& value, const std::string& key, const std::string& path) {
  return convert(value, key, path, 0);
}

std::vector<Entry> entries_of(const py::dict& values, const std::string& path) {
  return node_of(values, "", path).entries();
}

py::object object_of(const Value& value) {
  return std::visit(
      [](const auto& held) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::vector<double>>) {
          py::list list;
          for (const double number : held) list.append(number);
          return list;
        } else {
          return py::cast(held);
        }
      },
      value);
}

py::object object_of(const Node& node) {
  if (node.kind == Node::Kind::plain) return object_of(node.value);
  if (node.kind == Node::Kind::array) {
    py::list list;
    for (const Node& child : node.children) list.append(object_of(child));
    return list;
  }
  py::dict members;
  for (const Node& child : node.children) members[py::str(child.key)] = object_of(child);
  return members;
}

py::array_t<double> real_array(const py::handle& value) {
  const auto null = [] { return py::reinterpret_steal<py::array_t<double>>(py::handle()); };
  const py::array any = py::array::ensure(value);
  if (!any) return PyErr_Clear(), null();
  constexpr std::string_view real = "iufO";
  if (py::hasattr(value, "mask") || real.find(any.dtype().kind()) == std::string_view::npos) return null();
  const auto doubles = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(any);
  if (!doubles) return PyErr_Clear(), null();
  return doubles;
}

NodalField field_of(const py::handle& array, std::size_t rows, const std::string& key) {
  const py::array_t<double> numbers = numbers_of(array, key);
  if (numbers.ndim() != 2 || numbers.shape(0) != static_cast<py::ssize_t>(rows) || numbers.shape(1) != 3)
    throw InputError({.key = key,
                      .value = "shape " + py::str(numbers.attr("shape")).cast<std::string>(),
                      .problem = "must have the shape (" + std::to_string(rows) + ", 3)"});
  NodalField field(rows);
  const double* from = numbers.data();
  for (std::size_t i = 0; i < rows; ++i)
    for (int c = 0; c < 3; ++c) {
      const double number = *from++;
      if (!std::isfinite(number))
        throw InputError(
            {.key = key + "[" + std::to_string(i) + "]", .value = std::to_string(number), .problem = "must be finite"});
      field.row(i)[c] = number;
    }
  return field;
}

Vec3 vector_of(const py::handle& value, const std::string& key) {
  const py::array_t<double> numbers = numbers_of(value, key);
  if (numbers.ndim() != 1 || numbers.shape(0) != 3) refuse(key, value, "must be three numbers");
  return {numbers.data()[0], numbers.data()[1], numbers.data()[2]};
}

py::array_t<double> array_of(const NodalField& field) {
  py::array_t<double> array({static_cast<py::ssize_t>(field.size()), py::ssize_t{3}});
  double* place = array.mutable_data();
  for (std::size_t i = 0; i < field.size(); ++i)
    for (int c = 0; c < 3; ++c) *place++ = field.row(i)[c];
  return array;
}

py::array_t<double> array_of(const Vec3& vector) { return py::array_t<double>(3, vector.data()); }

py::array_t<double> vertices_array(const std::vector<Vec3>& vertices) {
  py::array_t<double> array({static_cast<py::ssize_t>(vertices.size()), py::ssize_t{3}});
  double* place = array.mutable_data();
  for (const Vec3& vertex : vertices)
    for (const double number : vertex) *place++ = number;
  return array;
}

std::vector<int> indices_of(const py::handle& array, const std::string& key) {
  if (py::hasattr(array, "dtype") && py::dtype::from_args(py::object(array.attr("dtype"))).kind() == 'b')
    refuse(key, array, "is a mask and no list of whole numbers", "numpy.flatnonzero makes one of it");
  const py::array_t<double> numbers = numbers_of(array, key);
  if (numbers.ndim() != 1) refuse(key, array, "must be a list of whole numbers");
  std::vector<int> indices;
  for (py::ssize_t i = 0; i < numbers.shape(0); ++i) {
    const double number = numbers.data()[i];
    if (!(number >= 0 && number < 2147483647.0 && number == std::floor(number)))
      refuse(key, array, "must be a list of whole numbers from 0 on");
    indices.push_back(static_cast<int>(number));
  }
  return indices;
}

/// In each row the columns ascend, since columns of the lower triangle are gone through in their order.
py::tuple sparse_parts(const BlockMatrix& matrix) {
  const BlockPattern& pattern = matrix.pattern();
  const int n = pattern.vertices();
  std::vector<py::ssize_t> next(static_cast<std::size_t>(n) + 1, 0);
  const auto for_blocks = [&](auto visit) {
    for (int j = 0; j < n; ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) visit(pattern.row[k], j, k);
  };
  for_blocks([&](int i, int j, int) {
    ++next[i + 1];
    if (i != j) ++next[j + 1];
  });
  for (int i = 0; i < n; ++i) next[i + 1] += next[i];
  py::array_t<int> starts(n + 1);
  for (int i = 0; i <= n; ++i) starts.mutable_data()[i] = static_cast<int>(next[i]);
  const py::ssize_t count = next[n];
  py::array_t<int> columns(count);
  py::array_t<double> blocks({count, py::ssize_t{3}, py::ssize_t{3}});
  for_blocks([&](int i, int j, int k) {
    const double* block = matrix.block(k);
    const auto put = [&](int row, int column, bool transposed) {
      const py::ssize_t place = next[row]++;
      columns.mutable_data()[place] = column;
      double* to = blocks.mutable_data() + 9 * place;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) to[3 * a + b] = transposed ? block[3 * b + a] : block[3 * a + b];
    };
    put(i, j, false);
    if (i != j) put(j, i, true);
  });
  const auto loose = static_cast<py::ssize_t>(18 * matrix.loose().size());
  py::array_t<double> values(loose);
  py::array_t<int> rows(loose), cols(loose);
  py::ssize_t at = 0;
  for (const LooseBlock& block : matrix.loose())
    for (std::size_t k = 0; k < 9; ++k)
      for (const bool transposed : {false, true}) {
        const int row = 3 * block.row + static_cast<int>(k / 3), column = 3 * block.column + static_cast<int>(k % 3);
        values.mutable_data()[at] = block.value[k];
        rows.mutable_data()[at] = transposed ? column : row;
        cols.mutable_data()[at++] = transposed ? row : column;
      }
  return py::make_tuple(py::make_tuple(blocks, columns, starts), py::make_tuple(values, rows, cols));
}

}  // namespace brio::python
