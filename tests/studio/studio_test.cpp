/// What pages say, whatever they say.
#include "studio/studio.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "core/safe_file.h"
#include "in_folder.h"
#include "studio/disk.h"
#include "studio/guard.h"
#include "studio/scenes.h"

namespace brio::studio {
namespace {

using namespace testing;
namespace fs = std::filesystem;

/// The first event of that kind, or an empty one.
Json event_of(std::vector<Json> events, const std::string& kind) {
  for (Json& event : events)
    if (event["event"] == kind) return event;
  return Json::object();
}

std::unique_ptr<Files> disk(Places places = {}) { return std::make_unique<Disk>(std::move(places)); }

class StudioTest : public brio::testing::InFolder {};

TEST(Messages, NameWhatIsWrongWithThem) {
  const auto complaint = [](const std::string& text) {
    Studio studio(bar(), {}, disk());
    studio.receive(text);
    return event_of(studio.take_events(), "complaint").value("text", "");
  };
  EXPECT_EQ(complaint(R"({"do":"play"})"), "");
  EXPECT_NE(complaint("{").find("must be a JSON object"), std::string::npos);
  EXPECT_NE(complaint(R"({"do":"plya"})").find("did you mean 'play'"), std::string::npos);
  EXPECT_NE(complaint(R"({"do":"speed","value":1e9})").find("must be in [0.01, 10]"), std::string::npos);
  EXPECT_NE(complaint(R"({"do":"grab","hand":1,"body":7,"vertices":[0,0,0],"weights":[1,0,0]})").find("bodies"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"do":"option","pane":0,"key":"epsilom","value":1})").find("epsilon"), std::string::npos);
  EXPECT_NE(complaint(std::string(Message::max_bytes + 1, ' ')).find("at most"), std::string::npos);
}

TEST(Messages, NothingThatAPageSaysCrashesOrMakesNumbersInfinite) {
  Studio studio(bar("backward-euler"), {}, disk());
  const int v = tip(studio.session());
  const std::vector<std::string> words{R"({"do":"play"})",
                                       R"({"do":"step","frames":2})",
                                       R"({"do":"seek","frame":3})",
                                       R"({"do":"reset"})",
                                       R"({"do":"rescue","pane":0,"integrator":"avf"})",
                                       grab(studio.session(), 1),
                                       grab(studio.session(), 2, "pin"),
                                       R"({"do":"move","hand":1,"by":[0.1,0.2,0]})",
                                       R"({"do":"let_go","hand":1})",
                                       fmt::format(R"({{"do":"push","body":0,"vertex":{},"impulse":[0,1,0]}})", v),
                                       R"({"do":"throw","body":0,"velocity":[1,1,0]})",
                                       R"({"do":"collider","index":0,"to":[0,1,0]})",
                                       R"({"do":"panes","integrators":["avf","bdf2"]})",
                                       R"({"do":"integrator","pane":0,"name":"backward-euler"})",
                                       R"({"do":"option","pane":0,"key":"solver.tolerance","value":1e-3})",
                                       R"({"do":"set","key":"gravity","value":[0,-3,0]})",
                                       R"({"do":"set","key":"substeps","value":2})",
                                       R"({"do":"color","by":"stress"})",
                                       R"({"do":"check","text":"[time]\nfps = 3"})",
                                       R"({"do":"save"})",
                                       R"({"do":"load","name":"../../etc/passwd"})"};
  std::mt19937 dice(7);
  const auto roll = [&](std::size_t sides) { return std::uniform_int_distribution<std::size_t>(0, sides - 1)(dice); };
  const std::string spice = R"({}[]":,0123456789.-+eE\u nultrasfd)"
                            "\x01\xff";
  for (int i = 0; i < 5000; ++i) {
    std::string text = words[roll(words.size())];
    for (std::size_t n = roll(4); n > 0; --n) {
      const std::size_t at = roll(text.size());
      switch (roll(4)) {
        case 0:
          text[at] = spice[roll(spice.size())];
          break;
        case 1:
          text.insert(at, 1, spice[roll(spice.size())]);
          break;
        case 2:
          text.erase(at, 1 + roll(4));
          break;
        default:
          text.insert(at, words[roll(words.size())].substr(roll(10), roll(20)));
      }
      if (text.empty()) text = "x";
    }
    ASSERT_NO_THROW(studio.receive(text)) << text;
    if (i % 10 == 0) studio.advance();
    for (const auto& pane : studio.session().panes()) ASSERT_TRUE(pane->simulation().ledger().finite()) << text;
    studio.take_events();
  }
  EXPECT_FALSE(read_frame(studio.session().frame_message()).second.empty());
}

TEST_F(StudioTest, MistakesInAnEditedSceneAreToldWithTheirLine) {
  Studio studio(bar(), {}, disk());
  std::string text = bar().text;
  text.replace(text.find("young"), 5, "yuong");
  studio.receive(Json{{"do", "check"}, {"text", text}}.dump());
  const Json wrong = event_of(studio.take_events(), "complaint");
  EXPECT_EQ(wrong.value("line", 0), 11);
  EXPECT_NE(wrong.value("text", "").find("young"), std::string::npos);
  studio.receive(Json{{"do", "open"}, {"text", text}}.dump());
  EXPECT_EQ(studio.session().scene().text, bar().text) << "the old one stays";
  studio.receive(Json{{"do", "check"}, {"text", bar("bdf2").text}}.dump());
  EXPECT_FALSE(event_of(studio.take_events(), "checked").empty());
  studio.receive(Json{{"do", "open"}, {"text", bar("bdf2").text}}.dump());
  EXPECT_EQ(studio.session().panes()[0]->integrator(), "bdf2");
}

TEST_F(StudioTest, ScenesOfAPageReadNoFileOutsideTheirFolder) {
  fs::create_directory(folder / "home");
  write_safely(folder / "secret.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_safely(folder / "home" / "own.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  fs::create_symlink(folder / "secret.obj", folder / "home" / "link.obj");
  SceneText scene = bar();
  scene.folder = folder / "home";
  Studio studio(scene, {}, disk());
  const auto check = [&](const std::string& file) {
    const std::string text =
        "[time]\nfps = 50\n[[body]]\nname = \"c\"\nkind = \"cloth\"\nmesh = { file = '" + file + "' }\n";
    studio.receive(Json{{"do", "check"}, {"text", text}}.dump());
    return event_of(studio.take_events(), "complaint").value("text", "");
  };
  EXPECT_EQ(check("own.obj"), "");
  for (const std::string file : {"../secret.obj", "/etc/hostname", "link.obj", "x/../../secret.obj"})
    EXPECT_NE(check(file).find("is not in the folder"), std::string::npos) << file;
  EXPECT_NE(check((folder / "secret.obj").string()).find("is not in the folder"), std::string::npos);
}

TEST_F(StudioTest, TheGalleryGivesItsScenesAndNothingElse) {
  write_safely(folder / "one.toml", bar("bdf2").text);
  Studio studio(bar(), {}, disk({.gallery = folder}));
  EXPECT_EQ(studio.greeting()[0]["gallery"][0]["name"], "one");
  studio.receive(R"({"do":"load","name":"one"})");
  EXPECT_EQ(studio.session().panes()[0]->integrator(), "bdf2");
  studio.take_events();
  studio.receive(R"({"do":"load","name":"../one"})");
  EXPECT_NE(event_of(studio.take_events(), "complaint").value("text", "").find("no scene"), std::string::npos);
}

TEST_F(StudioTest, AClosedSurfaceThatIsDroppedIsFilledAndFalls) {
  Studio studio(bar(), {}, disk());
  const std::string tetrahedron = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  studio.receive(Json{{"do", "drop"}, {"obj", tetrahedron}}.dump());
  const Json told = event_of(studio.take_events(), "complaint");
#ifdef BRIO_WITH_GPL
  ASSERT_TRUE(told.empty()) << told;
  const Model& model = studio.session().panes()[0]->simulation().model();
  EXPECT_FALSE(model.bodies()[0].mesh.tets.empty());
  double lowest = 1;
  for (int i = 0; i < 60; ++i) {
    studio.advance();
    for (std::size_t v = 0; v < model.vertices(); ++v)
      lowest = std::min(lowest, studio.session().panes()[0]->simulation().state().x[v].y());
  }
  EXPECT_NEAR(lowest, 0, 0.02) << "it fell onto the floor, not through it";
  studio.receive(Json{{"do", "drop"}, {"obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}}.dump());
  EXPECT_FALSE(event_of(studio.take_events(), "complaint").empty()) << "an open surface";
#else
  EXPECT_NE(told.value("text", "").find("TetGen"), std::string::npos);
#endif
}

TEST_F(StudioTest, ATakeHasEveryFrameAndIsExported) {
  Studio studio(bar(), {}, disk({.out = folder / "out"}));
  studio.receive(R"({"do":"record","on":true,"pane":0})");
  for (int i = 0; i < 12; ++i) studio.advance();
  studio.receive(R"({"do":"record","on":false,"formats":["pc2","gltf"]})");
  const Json done = event_of(studio.take_events(), "exported");
  ASSERT_FALSE(done.empty());
  EXPECT_EQ(done["frames"], 13);
  const fs::path take = folder / "out" / "scene-take";
  EXPECT_TRUE(fs::exists(take / "animation.glb"));
  EXPECT_TRUE(fs::exists(take / "pc2" / "bar.pc2"));
  EXPECT_EQ(FrameCache(take / RunFiles::frames).frames(), 13);
}

TEST(Catalog, HasEveryMethodWithItsSentenceAndItsOptions) {
  const Json all = catalog();
  EXPECT_EQ(all["integrators"].size(), integrators().size());
  for (const Json& method : all["integrators"]) EXPECT_FALSE(method["sentence"].get<std::string>().empty());
  EXPECT_EQ(all["solvers"].size(), solvers().size());
  EXPECT_EQ(all["settings"].size(), settings_fields().fields().size());
}

TEST(Guard, KnowsItsOwnPagesAndTokens) {
  const std::string token = make_token();
  EXPECT_EQ(token.size(), 32);
  EXPECT_NE(token, make_token());
  EXPECT_TRUE(same_token(token, token));
  EXPECT_FALSE(same_token(token, token.substr(1) + "x"));
  EXPECT_FALSE(same_token("", ""));
  EXPECT_TRUE(is_own_host("127.0.0.1:80", 80));
  EXPECT_TRUE(is_own_origin("http://localhost:8123", 8123));
  for (const char* host :
       {"evil.example:80", "127.0.0.1", "127.0.0.1:81", "127.0.0.1.evil.example:80", "", "0.0.0.0:80"})
    EXPECT_FALSE(is_own_host(host, 80)) << host;
  for (const char* origin :
       {"null", "", "https://127.0.0.1:80", "http://evil.example", "http://127.0.0.1:80.evil.example"})
    EXPECT_FALSE(is_own_origin(origin, 80)) << origin;
}

}  // namespace
}  // namespace brio::studio
