/// Animation formats that users write in Python, known by name to runs and exports.
#include <pybind11/stl.h>

#include <deque>

#include "brio/record.h"
#include "held.h"

namespace brio::python {
namespace {

struct PythonFormat {
  std::string name, file;
  Renewable outputs, write;
};
/// Never destroyed: Python may be gone by then.
std::deque<PythonFormat>& python_formats() {
  static auto* const formats = new std::deque<PythonFormat>;
  return *formats;
}

template <class Number>
py::array_t<Number> flat(const std::vector<Number>& values) {
  return py::array_t<Number>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::list shapes_of(const std::vector<Surface>& surfaces) {
  py::list list;
  for (const Surface& s : surfaces) {
    py::dict shape;
    shape["name"] = s.name;
    shape["id"] = s.id;
    shape["kind"] = s.kind;
    shape["first"] = s.first_vertex;
    shape["vertices"] = flat(s.vertices);
    shape["triangles"] = cells_array(s.triangles, 3);
    shape["segments"] = cells_array(s.segments, 2);
    shape["curve"] = flat(s.curve);
    shape["radius"] = s.radius;
    shape["color"] = py::make_tuple(s.color[0], s.color[1], s.color[2]);
    list.append(shape);
  }
  return list;
}

/// `outputs(shapes, frames)`: names of files, and of sequences.
Outputs outputs_of(const PythonFormat& format, const std::vector<Surface>& surfaces, long frames) {
  const py::gil_scoped_acquire gil;
  const auto pair = format.outputs(shapes_of(surfaces), frames).cast<py::tuple>();
  Outputs outputs{.files = pair[0].cast<std::vector<std::string>>()};
  for (const auto& sequence : pair[1].cast<std::vector<std::string>>())
    outputs.sequences.emplace_back(sequence, frames);
  return outputs;
}

void write_animation(const PythonFormat& format, const Animation& animation, const std::filesystem::path& folder) {
  const py::gil_scoped_acquire gil;
  const auto lent = std::make_shared<ModelBox>(&animation.model);
  struct Over {
    ModelBox& model;
    ~Over() { model.expire(); }
  };
  const Over over{*lent};
  format.write(animation.title, animation.frames.path().string(), shapes_of(animation.surfaces), lent, folder.string());
}

void register_python_format(const std::string& name, const std::string& file, const std::string& sentence,
                            py::object outputs, py::object write) {
  for (const PythonFormat& earlier : python_formats())
    if (earlier.name == name) {
      if (earlier.file != file)
        throw InputError({.key = "files",
                          .value = file,
                          .problem = name + " was registered with " + earlier.file,
                          .advice = "choose another name"});
      earlier.write.renew(std::move(write));
      return;
    }
  const PythonFormat mine{
      .name = name, .file = file, .outputs = Renewable(std::move(outputs)), .write = Renewable(std::move(write))};
  ExportFormat format{
      .name = name,
      .file = file,
      .sentence = sentence,
      .outputs = [mine](const std::vector<Surface>& surfaces,
                        long frames) { return outputs_of(mine, surfaces, frames); },
      .write = [mine](const Animation& animation,
                      const std::filesystem::path& folder) { write_animation(mine, animation, folder); }};
  compute([&] { register_format(std::move(format)); });
  python_formats().push_back(mine);
}

}  // namespace

void bind_formats(py::module_& module) {
  module.def("register_format", &register_python_format);
  module.def("shapes", [](const ModelBox& box) { return shapes_of(surfaces(box.model())); });
}

}  // namespace brio::python
