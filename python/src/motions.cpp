/// Keyframes: how what is driven from outside moves.
#include <pybind11/stl.h>

#include <algorithm>

#include "bridge.h"
#include "model/body_checks.h"
#include "scene/motion.h"

namespace brio::python {
namespace {

py::array_t<double> matrix(const Mat3& m) {
  py::array_t<double> array({py::ssize_t{3}, py::ssize_t{3}});
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) array.mutable_at(r, c) = m(r, c);
  return array;
}

Motion make_motion(const py::dict& keys, const py::handle& middle) {
  const Node node = node_of(keys, "", "motion");
  for (const Node& member : node.children)
    if (std::ranges::count(motion_keys, member.key) == 0) refuse_unknown(member, motion_keys);
  return read_motion(node, vector_of(middle, "middle"));
}

double finite(double time) {
  check_number("time", time, Bound::any());
  return time;
}

}  // namespace

py::tuple pose_tuple(const Pose& pose) { return py::make_tuple(matrix(pose.rotation), array_of(pose.translation)); }

void bind_motions(py::module_& module) {
  py::class_<Motion>(module, "Motion")
      .def(py::init(&make_motion))
      .def("at", [](const Motion& m, double time) { return pose_tuple(m.at(finite(time))); })
      .def("key_at",
           [](const Motion& m, double time) {
             const Motion::Key key = m.key_at(finite(time));
             return py::make_tuple(array_of(key.translate), array_of(key.turn));
           })
      .def("rate",
           [](const Motion& m, double time, bool before) {
             const PoseRate rate = m.rate(finite(time), before ? Side::before : Side::after);
             return py::make_tuple(array_of(rate.linear), array_of(rate.angular), array_of(rate.pivot));
           })
      .def_property_readonly("times", &Motion::times)
      .def_property_readonly("empty", &Motion::empty);
}

}  // namespace brio::python
