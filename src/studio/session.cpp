#include "studio/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/hash.h"
#include "model/inversion.h"

namespace brio::studio {
namespace {

constexpr double remembered = 60;                  // s
constexpr std::size_t memory_of_past = 400 << 20;  // bytes

Json numbers(const Vec3& v) { return {v[0], v[1], v[2]}; }

/// JSON knows no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

double mass_of(const Model& model) {
  double sum = 0;
  for (const double mass : model.mass()) sum += mass;
  return sum;
}

/// By which all of the scene would swing 1.2 times a second.
double suggested_hand(const Model& model) {
  const double omega = 2 * std::numbers::pi * 1.2;
  const double stiffness = mass_of(model) * omega * omega;
  const double decade = std::pow(10, std::floor(std::log10(stiffness)));
  return std::clamp(decade * std::round(stiffness / decade), 1e-6, 1e9);
}

Json pane_json(const Pane& pane) {
  const LedgerRow& row = pane.simulation().ledger();
  const StepReport& report = pane.report();
  const Inversion inverted = find_inverted(pane.simulation().model(), pane.simulation().state().x);
  return {{"integrator", pane.integrator()},
          {"time", row.time},
          {"kinetic", number(row.kinetic)},
          {"elastic", number(row.elastic)},
          {"gravity", number(row.gravity)},
          {"contact", number(row.contact)},
          {"total", number(row.total)},
          {"user_work", number(row.user_work)},
          {"damping_loss", number(row.damping_loss)},
          {"friction_loss", number(row.friction_loss)},
          {"residual", number(row.residual)},
          {"linear", numbers(row.linear)},
          {"angular", numbers(row.angular)},
          {"alpha", row.alpha},
          {"iterations", report.iterations},
          {"ms", pane.ms()},
          {"out_of_time", report.out_of_time},
          {"inverted", inverted.inverted},
          {"hash", hash_text(pane.simulation().hash())},
          {"ended", pane.ended()}};
}

}  // namespace

Session::Session(SceneText scene, const std::vector<std::string>& integrators)
    : text_(std::move(scene)), history_(0, 0) {
  if (integrators.empty()) panes_.push_back(std::make_unique<Pane>(text_, ""));
  for (const std::string& name : integrators) panes_.push_back(std::make_unique<Pane>(text_, name));
  start();
}

/// What the scene says is what is chosen first.
void Session::start() {
  const Scene& scene = panes_.front()->scene();
  const Model& model = scene.simulation.model();
  frame_seconds_ = scene.steps_per_frame * scene.simulation.h();
  settings_ = {.gravity = model.gravity(),
               .strain_damping = model.damping().strain,
               .relative_damping = model.damping().relative,
               .drag = model.damping().drag,
               .hand = suggested_hand(model),
               .substeps = scene.steps_per_frame};
  frame_ = 0;
  hands_.clear();
  colliders_.assign(scene.scenery.obstacles.size(), Vec3::Zero());
  const double frames = std::clamp(remembered / frame_seconds_, 10.0, 1e5);
  history_ = History(static_cast<long>(frames), memory_of_past);
  remember();
}

void Session::remember() {
  History::Moment moment{.frame = frame_, .panes = {}, .hands = hands_, .colliders = colliders_};
  for (const auto& pane : panes_) moment.panes.push_back(pane->moment());
  history_.add(std::move(moment));
}

void Session::advance(const std::atomic<bool>* stop) {
  history_.forget_after(frame_);
  StepControl control{.stop = stop, .on_time_out = OnTimeOut::finish_with_best};
  if (settings_.budget > 0) control.milliseconds = settings_.budget / static_cast<double>(panes_.size());
  for (const auto& pane : panes_)
    if (!pane->advance(settings_.substeps, control)) return;  // it goes on there
  for (const auto& pane : panes_) pane->catch_up();
  ++frame_;
  if (history_.wants(frame_)) remember();
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    const std::string alarm = panes_[i]->take_alarm();
    if (alarm.empty()) continue;
    playing_ = false;
    events_.push_back({{"event", "alarm"}, {"pane", i}, {"text", alarm}});
    changed();
  }
  const bool over = std::ranges::all_of(panes_, [](const auto& pane) { return !pane->ended().empty(); });
  if (over && playing_) {
    playing_ = false;
    changed();
  }
}

const std::map<std::string, Session::Command>& Session::commands() {
  static const std::map<std::string, Command> table{{"play", &Session::play},
                                                    {"pause", &Session::pause},
                                                    {"step", &Session::step},
                                                    {"reset", &Session::reset},
                                                    {"seek", &Session::seek},
                                                    {"rescue", &Session::rescue},
                                                    {"speed", &Session::set_speed},
                                                    {"grab", &Session::grab},
                                                    {"move", &Session::move},
                                                    {"let_go", &Session::let_go},
                                                    {"pin", &Session::pin},
                                                    {"unpin", &Session::unpin},
                                                    {"push", &Session::push},
                                                    {"throw", &Session::throw_body},
                                                    {"collider", &Session::collider},
                                                    {"panes", &Session::choose_panes},
                                                    {"integrator", &Session::choose_integrator},
                                                    {"option", &Session::set_option},
                                                    {"set", &Session::set_setting},
                                                    {"color", &Session::set_coloring}};
  return table;
}

bool Session::knows(const std::string& command) { return commands().contains(command); }

void Session::handle(const Message& message) {
  const auto found = commands().find(message.command());
  if (found == commands().end()) {
    std::vector<std::string> names;
    for (const auto& [name, command] : commands()) names.push_back(name);
    refuse_name("do", message.command(), "no such command", names);
  }
  (this->*found->second)(message);
}

void Session::play(const Message&) {
  playing_ = true;
  changed();
}

void Session::pause(const Message&) {
  playing_ = false;
  changed();
}

void Session::step(const Message& message) {
  constexpr long most = 1000;
  const long count = message.has("frames") ? message.whole("frames", 1, most) : 1;
  playing_ = false;
  for (long i = 0; i < count; ++i) advance();
  changed();
}

/// To the beginning, with what is chosen now.
void Session::reset(const Message&) {
  const Settings chosen = settings_;
  std::vector<std::unique_ptr<Pane>> fresh;
  for (const auto& pane : panes_) {
    fresh.push_back(std::make_unique<Pane>(text_, pane->integrator()));
    fresh.back()->use(pane->integrator(), pane->wishes(), h());
  }
  panes_ = std::move(fresh);
  start();
  const Settings given = settings_;
  settings_ = chosen;
  in_all([&](Pane& pane) { pane.apply(settings_, given); });
  history_.clear();
  remember();
  changed();
}

void Session::go_to(long frame) {
  const History::Moment* const moment = history_.at(frame);
  if (moment == nullptr) return;
  for (std::size_t i = 0; i < panes_.size() && i < moment->panes.size(); ++i) panes_[i]->restore(moment->panes[i]);
  frame_ = moment->frame;
  hands_ = moment->hands;
  colliders_ = moment->colliders;
  let_go_of_all();
}

void Session::seek(const Message& message) {
  constexpr long latest = 1L << 30;
  playing_ = false;
  go_to(message.whole("frame", 0, latest));
  changed();
}

/// Back by a second, from where the pane goes on with another integrator.
void Session::rescue(const Message& message) {
  Pane& pane = pane_of(message);
  const std::string name = find_integrator(message.text("integrator")).name;
  const long back = static_cast<long>(std::ceil(1 / frame_seconds_));
  playing_ = false;
  go_to(std::max(0L, frame_ - back));
  pane.use(name, pane.wishes(), h());
  playing_ = true;
  changed();
}

void Session::set_speed(const Message& message) {
  speed_ = message.number("value", Bound::closed(0.01, 10));
  changed();
}

Pane& Session::pane_of(const Message& message) {
  return *panes_[static_cast<std::size_t>(message.whole("pane", 0, static_cast<long>(panes_.size()) - 1))];
}

Json Session::scene_event() const {
  const Scene& scene = panes_.front()->scene();
  return {{"event", "scene"},
          {"title", scene.title},
          {"name", text_.name},
          {"text", text_.text},
          {"warnings", scene.warnings},
          {"frame_seconds", frame_seconds_},
          {"shapes", shapes_json(scene)}};
}

Json Session::state_event() const {
  Json values = Json::object();
  for (const auto& field : settings_fields().fields()) values[field.info.key] = to_json(field.get(settings_));
  Json panes = Json::array();
  for (const auto& pane : panes_)
    panes.push_back({{"integrator", pane->integrator()},
                     {"options", values_of(pane->simulation().method(), pane->options())},
                     {"ended", pane->ended()}});
  return {{"event", "state"},
          {"playing", playing_},
          {"speed", speed_},
          {"h", h()},
          {"coloring", to_string(coloring_)},
          {"settings", std::move(values)},
          {"panes", std::move(panes)}};
}

std::string Session::frame_message(Json head) const {
  std::vector<float> floats;
  Json panes = Json::array();
  for (const auto& pane : panes_) {
    append_floats(*pane, coloring_, floats);
    panes.push_back(pane_json(*pane));
  }
  const Scene& scene = panes_.front()->scene();
  const double time = panes_.front()->simulation().state().time;
  Json poses = Json::array();
  for (std::size_t i = 0; i < colliders_.size(); ++i)
    poses.push_back(pose_json(scene.scenery.obstacles[i], time, colliders_[i]));
  Json hands = Json::array();
  for (const auto& [number, hand] : hands_) {
    Json ends = Json::array();
    for (const auto& pane : panes_) {
      const auto held = pane->held(number);
      ends.push_back(held ? Json{numbers(held->first), numbers(held->second)} : Json());
    }
    hands.push_back({{"number", number}, {"pin", hand.pin}, {"ends", std::move(ends)}});
  }
  head["frame"] = frame_;
  head["time"] = time;
  head["history"] = {history_.first(), std::max(history_.last(), frame_)};
  head["coloring"] = to_string(coloring_);
  head["panes"] = std::move(panes);
  head["poses"] = std::move(poses);
  head["hands"] = std::move(hands);
  return studio::frame_message(head, floats);
}

}  // namespace brio::studio
