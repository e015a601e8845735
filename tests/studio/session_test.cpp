/// What people do to simulations that run side by side.
#include "studio/session.h"

#include <gtest/gtest.h>

#include "core/hash.h"
#include "studio/scenes.h"

namespace brio::studio {
namespace {

using namespace testing;

TEST(Session, PanesThatNobodyTouchesEqualRunsOfTheirIntegratorsBitForBit) {
  const std::vector<std::string> names{"backward-euler", "stabilized", "avf", "symplectic-euler"};
  Session session(bar(), names);
  advance(session, 20);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const SceneText text = bar();
    // As `brio compare` has it: the scene's own integrator as it is, others in its place.
    std::vector<Override> changes;
    if (names[i] != "avf") changes.push_back({"integrator", "{ name = '" + names[i] + "' }", "--integrators"});
    Scene scene = parse_scene(text.text, text.name, {}, changes);
    for (int frame = 0; frame < 20; ++frame) scene.simulation.step(scene.steps_per_frame);
    EXPECT_EQ(hashes(session)[i], scene.simulation.hash()) << names[i];
  }
}

TEST(Session, AFrameThatIsStoppedLeavesPanesInStep) {
  Session session(bar(), {"symplectic-euler", "avf"}), other(bar(), {"symplectic-euler", "avf"});
  const std::atomic<bool> stop = true;
  advance(session, 1);
  for (int i = 0; i < 3; ++i) session.advance(&stop);
  EXPECT_EQ(session.frame(), 1);
  advance(session, 2);
  advance(other, 3);
  EXPECT_EQ(hashes(session), hashes(other));
  EXPECT_EQ(session.panes()[0]->simulation().state().step, session.panes()[1]->simulation().state().step);
}

TEST(Session, WorkOfTheHandInThePageIsThatOfTheLedgerAndClosesIt) {
  Session session(bar("avf", "gravity = [0, 0, 0]"), {"avf", "backward-euler"});
  say(session, grab(session, 1));
  for (int i = 1; i <= 10; ++i) {
    say(session, fmt::format(R"({{"do":"move","hand":1,"by":[0,{},0]}})", 0.02 * i));
    session.advance();
  }
  const LedgerRow pulled = session.panes()[0]->simulation().ledger();
  EXPECT_GT(pulled.user_work, 0.01);
  EXPECT_NEAR(pulled.residual, 0, 1e-7 * pulled.user_work);
  say(session, R"({"do":"let_go","hand":1})");
  advance(session, 5);
  const auto [head, floats] = read_frame(session.frame_message());
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(head["panes"][i]["user_work"].get<double>(), session.panes()[i]->simulation().ledger().user_work);
  EXPECT_NEAR(head["panes"][0]["residual"].get<double>(), 0, 1e-7 * pulled.user_work);
}

TEST(Session, WhatIsHeldFollowsTheHandInEveryPane) {
  Session session(bar("avf", "gravity = [0, 0, 0]"), {"avf", "backward-euler", "stabilized"});
  const int v = tip(session);
  const double before = session.panes()[0]->simulation().state().x[static_cast<std::size_t>(v)].y();
  say(session, grab(session, 3));
  say(session, R"({"do":"move","hand":3,"by":[0,0.2,0]})");
  advance(session, 25);
  for (const auto& pane : session.panes())
    EXPECT_GT(pane->simulation().state().x[static_cast<std::size_t>(v)].y(), before + 0.05) << pane->integrator();
}

TEST(Session, APinHoldsWhatWouldFallAndLetsGoWhenItIsTakenOff) {
  Session session(bar());
  const auto v = static_cast<std::size_t>(tip(session));
  const auto height = [&] { return session.panes()[0]->simulation().state().x[v].y(); };
  const double before = height();
  say(session, grab(session, 1, "pin"));
  double lowest = before;
  for (int i = 0; i < 40; ++i) session.advance(), lowest = std::min(lowest, height());
  EXPECT_GT(lowest, before - 0.02);
  session.let_go_of_all();  // of hands, not of pins
  EXPECT_TRUE(session.panes()[0]->held(1));
  say(session, R"({"do":"unpin","hand":1})");
  for (int i = 0; i < 40; ++i) session.advance(), lowest = std::min(lowest, height());
  EXPECT_LT(lowest, before - 0.1);
}

TEST(Session, GoingBackAndBranchingReproducesTheSameBits) {
  Session session(bar(), {"avf", "stabilized"});
  advance(session, 10);
  say(session, grab(session, 1, "pin"));
  advance(session, 10);
  const auto there = hashes(session);
  advance(session, 10);
  const auto later = hashes(session);
  say(session, R"({"do":"seek","frame":20})");
  EXPECT_EQ(session.frame(), 20);
  EXPECT_EQ(hashes(session), there);
  EXPECT_FALSE(session.playing());
  advance(session, 10);
  EXPECT_EQ(hashes(session), later) << "the same again";
  say(session, R"({"do":"seek","frame":5})");
  EXPECT_FALSE(session.panes()[0]->held(1)) << "the pin came later";
  say(session, fmt::format(R"({{"do":"push","body":0,"vertex":{},"impulse":[0,0,5]}})", tip(session)));
  say(session, R"({"do":"throw","body":0,"velocity":[0,1,0]})");
  advance(session, 25);
  EXPECT_NE(hashes(session), later) << "another future";
}

TEST(Session, ResetBeginsAnewWithTheSameBitsAndWhatWasChosen) {
  Session session(bar());
  const auto start = hashes(session);
  say(session, R"({"do":"set","key":"gravity","value":[0,-2,0]})");
  advance(session, 10);
  const auto first = hashes(session);
  say(session, R"({"do":"reset"})");
  EXPECT_EQ(session.frame(), 0);
  EXPECT_EQ(hashes(session), start);
  EXPECT_EQ(session.settings().gravity, Vec3(0, -2, 0));
  advance(session, 10);
  EXPECT_EQ(hashes(session), first);
}

TEST(Session, SwitchingTheIntegratorGoesOnFromWhereItWas) {
  Session session(bar("avf"));
  advance(session, 10);
  const auto before = hashes(session);
  const double total = session.panes()[0]->simulation().ledger().total;
  say(session, R"({"do":"integrator","pane":0,"name":"backward-euler"})");
  EXPECT_EQ(hashes(session), before);
  advance(session, 60);
  EXPECT_LT(session.panes()[0]->simulation().ledger().total, total - 0.1) << "backward Euler takes energy";
}

TEST(Session, OptionsAreKeptWhileAnotherMethodIsInUse) {
  Session session(bar("stabilized"));
  say(session, R"({"do":"option","pane":0,"key":"epsilon","value":0.05})");
  say(session, R"({"do":"integrator","pane":0,"name":"avf"})");
  EXPECT_FALSE(session.state_event()["panes"][0]["options"].contains("epsilon"));
  say(session, R"({"do":"integrator","pane":0,"name":"stabilized"})");
  EXPECT_EQ(session.state_event()["panes"][0]["options"]["epsilon"].get<double>(), 0.05);
  say(session, R"({"do":"option","pane":0,"key":"solver.name","value":"local-global"})");
  say(session, R"({"do":"option","pane":0,"key":"solver.iterations","value":11})");
  say(session, R"({"do":"set","key":"substeps","value":2})");
  advance(session, 3);
  EXPECT_EQ(session.panes()[0]->options().solver.iterations, 11);
  EXPECT_EQ(session.panes()[0]->simulation().h(), 0.01);
}

TEST(Session, NewPanesBeginWhereTheFirstIs) {
  Session session(bar("avf"));
  advance(session, 7);
  const NodalField x = session.panes()[0]->simulation().state().x;
  say(session, R"({"do":"panes","integrators":["avf","backward-euler","bdf2"]})");
  ASSERT_EQ(session.panes().size(), 3);
  for (const auto& pane : session.panes())
    for (std::size_t v = 0; v < x.size(); ++v) EXPECT_EQ(pane->simulation().state().x[v], x[v]);
  advance(session, 3);
  EXPECT_NE(hashes(session)[0], hashes(session)[1]);
}

TEST(Session, AnExplosionPausesTellsAndCanBeRescued) {
  Session session(bar("symplectic-euler"));  // far beyond its stable step
  say(session, R"({"do":"play"})");
  session.take_events();
  std::string alarm;
  for (int i = 0; i < 500 && alarm.empty(); ++i) {
    session.advance();
    for (const Json& event : session.take_events())
      if (event["event"] == "alarm") alarm = event["text"].get<std::string>();
  }
  EXPECT_NE(alarm.find("symplectic-euler"), std::string::npos);
  EXPECT_FALSE(session.playing());
  const long at = session.frame();
  say(session, R"({"do":"rescue","pane":0,"integrator":"avf"})");
  EXPECT_LT(session.frame(), at);
  EXPECT_TRUE(session.playing());
  advance(session, 30);
  for (const Json& event : session.take_events()) EXPECT_NE(event["event"], "alarm");
  EXPECT_TRUE(session.panes()[0]->ended().empty());
  EXPECT_TRUE(session.panes()[0]->simulation().ledger().finite());
}

TEST(Session, WhatIsSetHoldsInAllPanesAndIsBooked) {
  Session session(bar("avf"), {"avf", "stabilized"});
  advance(session, 5);
  const double stiff = session.panes()[0]->simulation().ledger().elastic;
  say(session, R"({"do":"set","key":"stiffness","value":2})");
  for (const auto& pane : session.panes()) {
    EXPECT_NE(pane->simulation().ledger().user_work, 0) << "softer jelly holds less: somebody took it";
    EXPECT_NEAR(pane->simulation().ledger().residual, 0, 0.2);
  }
  EXPECT_NEAR(session.panes()[0]->simulation().ledger().elastic, 2 * stiff, 1e-9 * stiff);
  say(session, R"({"do":"set","key":"strain_damping","value":0.01})");
  say(session, R"({"do":"set","key":"wind","value":[0,0,3]})");
  advance(session, 10);
  EXPECT_GT(session.panes()[1]->simulation().ledger().damping_loss, 0);
  EXPECT_THROW(say(session, R"({"do":"set","key":"gravty","value":[0,0,0]})"), InputError);
  EXPECT_THROW(say(session, R"({"do":"set","key":"budget","value":-1})"), InputError);
}

TEST(Session, ABudgetEndsStepsInTimeAndSaysSo) {
  for (const char* method :
       {"backward-euler", "discrete-gradient"}) {  // the latter must meet its equations, and takes longer
    Session session(bar(method));
    say(session, R"({"do":"set","key":"budget","value":0.0001})");
    session.advance();
    const auto [head, floats] = read_frame(session.frame_message());
    EXPECT_TRUE(head["panes"][0]["out_of_time"].get<bool>()) << method;
    EXPECT_TRUE(session.panes()[0]->ended().empty());
    EXPECT_EQ(session.panes()[0]->simulation().state().step, 1);
  }
}

TEST(Session, AFrameHasEverySurfaceOfEveryPaneAndNumbersToColorThemBy) {
  Session session(bar(), {"avf", "bdf2"});
  advance(session, 5);
  const std::size_t seen = session.panes()[0]->scene().scenery.surfaces[0].size();
  EXPECT_EQ(read_frame(session.frame_message()).second.size(), 2 * 3 * seen);
  for (const char* by : {"speed", "energy", "stress"}) {
    say(session, fmt::format(R"({{"do":"color","by":"{}"}})", by));
    const auto [head, floats] = read_frame(session.frame_message());
    ASSERT_EQ(floats.size(), 2 * 4 * seen) << by;
    double largest = 0;
    for (std::size_t i = 3 * seen; i < 4 * seen; ++i) {
      EXPECT_GE(floats[i], 0);
      largest = std::max<double>(largest, floats[i]);
    }
    EXPECT_GT(largest, 0) << by;
    EXPECT_EQ(head["coloring"], by);
  }
  EXPECT_THROW(say(session, R"({"do":"color","by":"sped"})"), InputError);
}

TEST(Session, CollidersMoveByHandAndPush) {
  Session session(bar("stabilized",
                      "gravity = [0, 0, 0]\n[[collider]]\nshape = \"sphere\"\ncenter = [0.5, -1, 0]\nradius = 0.3\n"));
  const auto v = static_cast<std::size_t>(tip(session));
  const double before = session.panes()[0]->simulation().state().x[v].y();
  for (int i = 1; i <= 30; ++i) {
    say(session, fmt::format(R"({{"do":"collider","index":0,"to":[0,{},0]}})", 0.025 * i));
    session.advance();
  }
  EXPECT_GT(session.panes()[0]->simulation().state().x[v].y(), before + 0.02);
  const auto [head, floats] = read_frame(session.frame_message());
  EXPECT_NEAR(head["poses"][0][7].get<double>(), -0.25, 1e-6);
}

TEST(Session, ThePresentSceneReadsBackToWhatIsChosen) {
  Session session(bar("avf"));
  say(session, R"({"do":"integrator","pane":0,"name":"stabilized"})");
  say(session, R"({"do":"option","pane":0,"key":"epsilon","value":0.02})");
  say(session, R"({"do":"option","pane":0,"key":"solver.name","value":"local-global"})");
  say(session, R"({"do":"set","key":"gravity","value":[0,-3,1]})");
  say(session, R"({"do":"set","key":"substeps","value":4})");
  const Session again({.text = session.present_scene()});
  const Pane& pane = *again.panes()[0];
  EXPECT_EQ(pane.integrator(), "stabilized");
  EXPECT_EQ(pane.options().epsilon, 0.02);
  EXPECT_EQ(pane.options().solver.name, "local-global");
  EXPECT_EQ(again.settings().gravity, Vec3(0, -3, 1));
  EXPECT_EQ(pane.simulation().h(), 0.005);
}

TEST(History, KeepsAMinuteInBoundedMemory) {
  History history(1000, 40000);
  const Pane pane(bar(), "");
  for (long frame = 0; frame < 5000; ++frame)
    if (history.wants(frame)) history.add({.frame = frame, .panes = {pane.moment()}, .hands = {}, .colliders = {}});
  EXPECT_GE(history.first(), 3900);
  EXPECT_GE(history.last(), 4900);
  const long at = history.at(4500)->frame;
  EXPECT_LE(at, 4500);
  EXPECT_GT(at, 4300);
  EXPECT_EQ(history.at(-1)->frame, history.first());
  history.forget_after(4500);
  EXPECT_EQ(history.last(), at);
}

}  // namespace
}  // namespace brio::studio
