/// Interactions that users write in Python: what happens between steps.
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "brio/interaction.h"
#include "held.h"

namespace brio::python {
namespace {

/// Which column of the ledger takes what the interaction does to the kinetic energy.
enum class Books { damping, friction, user };
constexpr std::array books_names{"damping", "friction", "user"};

/// What one call sees and may change; good until it is over.
struct Between {
  const Model* model = nullptr;
  State* state = nullptr;
  Memory* memory = nullptr;
  std::size_t first = 0, count = 0, numbers = 0;
  double time = 0, h = 0;
  std::shared_ptr<ModelBox> lent{};

  const Model& valid() const {
    if (model == nullptr) throw std::runtime_error("this moment is over; copy what you need of it");
    return *model;
  }
  py::array_t<double> rows(const NodalField& field) const {
    py::array_t<double> array({static_cast<py::ssize_t>(count), py::ssize_t{3}});
    double* place = array.mutable_data();
    for (std::size_t i = first; i < first + count; ++i)
      for (int c = 0; c < 3; ++c) *place++ = field.row(i)[c];
    return array;
  }
};

class PythonInteraction final : public Interaction {
 public:
  PythonInteraction(Held object, std::string name, std::optional<BodyId> body, std::size_t numbers, Books books)
      : object_(std::move(object)), name_(std::move(name)), body_(body), numbers_(numbers), books_(books) {}

  std::string name() const override { return name_; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<PythonInteraction>(*this); }
  BodyId body() const override { return body_.value_or(BodyId()); }
  bool fits(const Memory& memory) const override {
    return memory.fields.empty() && (memory.numbers.empty() || memory.numbers.size() == numbers_);
  }
  void recall(const Model& model, State& state) override {
    call("recall", model, state, {.start = state.time}, nullptr);
  }
  void begin_step(const Model& model, State& state, const Clock& clock, Exchange& exchange) override {
    call("begin_step", model, state, clock, &exchange);
  }
  void end_step(const Model& model, const State& /*before*/, State& state, const Clock& clock,
                Exchange& exchange) override {
    call("end_step", model, state, clock, &exchange);
  }

 private:
  void call(const char* method, const Model& model, State& state, const Clock& clock, Exchange* exchange) {
    Memory& memory = history(state);
    if (memory.numbers.size() != numbers_) memory.numbers.assign(numbers_, 0.0);
    const py::gil_scoped_acquire gil;
    const auto box = std::make_shared<Between>(Between{.model = &model,
                                                       .state = &state,
                                                       .memory = &memory,
                                                       .count = model.vertices(),
                                                       .numbers = numbers_,
                                                       .time = state.time,
                                                       .h = clock.h,
                                                       .lent = std::make_shared<ModelBox>(&model)});
    if (body_) {
      const Body& body = model.body(*body_);
      box->first = static_cast<std::size_t>(body.first_vertex);
      box->count = body.mesh.vertices.size();
    }
    struct Over {
      Between& box;
      ~Over() {
        box.model = nullptr;
        box.lent->expire();
      }
    };
    const Over over{*box};
    const py::object answer = object_->attr("_call")(method, box);
    if (exchange == nullptr || answer.is_none()) return;
    const auto v = result(answer, box->count, 3, name_ + "." + method, "(vertices, 3), or None");
    take_velocities(v.data(), *box, *exchange);
  }

  /// Pinned vertices keep theirs.
  void take_velocities(const double* from, const Between& box, Exchange& exchange) const {
    const Model& model = *box.model;
    State& state = *box.state;
    const double before = model.kinetic_energy(state.v);
    for (std::size_t i = box.first; i < box.first + box.count; ++i, from += 3)
      if (model.pinned()[i] == 0) state.v[i] = Vec3(from[0], from[1], from[2]);
    const double lost = before - model.kinetic_energy(state.v);
    (books_ == Books::user       ? exchange.user_work
     : books_ == Books::friction ? exchange.friction_loss
                                 : exchange.damping_loss) += books_ == Books::user ? -lost : lost;
    exchange.changed = true;
  }

  Held object_;
  std::string name_;
  std::optional<BodyId> body_;
  std::size_t numbers_;
  Books books_;
};

void add_interaction(ModelBox& box, std::optional<std::uint32_t> body, py::object object, const std::string& name,
                     int numbers, const std::string& books) {
  Model& model = box.mine();
  const auto column = std::ranges::find(books_names, books);
  if (column == books_names.end()) refuse_name("books", books, "no such column", {"damping", "friction", "user"});
  constexpr int most = 1'000'000;
  if (numbers < 0 || numbers > most)
    throw InputError({.key = "memory", .value = std::to_string(numbers), .problem = "must be in [0, 1000000]"});
  std::optional<BodyId> of;
  if (body) of = model.body(BodyId(*body)).id;
  const Busy busy(box.busy, "the model");
  model.add(std::make_unique<PythonInteraction>(hold(std::move(object)), name, of, static_cast<std::size_t>(numbers),
                                                static_cast<Books>(column - books_names.begin())));
}

}  // namespace

void bind_interactions(py::module_& module) {
  py::class_<Between, std::shared_ptr<Between>>(module, "Between")
      .def_property_readonly("x", [](const Between& b) { return b.valid(), b.rows(b.state->x); })
      .def_property_readonly("v", [](const Between& b) { return b.valid(), b.rows(b.state->v); })
      .def_property_readonly("time", [](const Between& b) { return b.time; })
      .def_property_readonly("h", [](const Between& b) { return b.h; })
      .def_property_readonly("first", [](const Between& b) { return b.first; })
      .def_property_readonly("model", [](const Between& b) { return b.valid(), b.lent; })
      .def_property(
          "memory",
          [](const Between& b) {
            return b.valid(), py::array_t<double>(static_cast<py::ssize_t>(b.numbers), b.memory->numbers.data());
          },
          [](Between& b, const py::object& values) {
            b.valid();
            const auto numbers = result(values, b.numbers, 1, "memory", "(" + std::to_string(b.numbers) + ",)");
            for (std::size_t i = 0; i < b.numbers; ++i)
              if (!std::isfinite(numbers.data()[i]))
                throw InputError(
                    {.key = "memory", .value = "[" + std::to_string(i) + "]", .problem = "must be finite"});
            std::copy_n(numbers.data(), b.numbers, b.memory->numbers.begin());
          });
  module.def("add_interaction", &add_interaction);
}

}  // namespace brio::python
