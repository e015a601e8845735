// Pages that simulate by themselves: what is in them, and that they do what brio does.
#include "studio/share.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "brio/mesh_io.h"
#include "core/safe_file.h"
#include "in_folder.h"
#include "studio/headless.h"
#include "studio/scenes.h"

namespace brio::studio {
namespace {

using namespace testing;
namespace fs = std::filesystem;

class ShareTest : public brio::testing::InFolder {};

/// A scene of which a body and a collider are files, in other folders than its own.
SceneText scene_of_files(const fs::path& folder) {
  fs::create_directories(folder / "meshes");
  fs::create_directories(folder / "scenes");
  write_mesh(folder / "meshes" / "block.msh", make_cube({.size = 0.3, .cells = 2}));
  Mesh bowl;
  bowl.vertices = {{-1, -0.5, -1}, {1, -0.5, -1}, {1, -0.6, 1}, {-1, -0.6, 1}};
  bowl.triangles = {{0, 2, 1}, {0, 3, 2}};
  write_mesh(folder / "meshes" / "slope.obj", bowl);
  return {.text = R"(title = "Falls </script><script>alert(1)</script>"
[time]
fps = 60
[integrator]
name = "avf"
[[body]]
mesh = { file = "../meshes/block.msh" }
material = { name = "stable-neo-hookean", young = 2e4, poisson = 0.4 }
density = 500
[[collider]]
shape = "mesh"
mesh = { file = "../meshes/slope.obj" }
[output]
formats = ["gltf"]
)",
          .name = "falls.toml",
          .folder = folder / "scenes"};
}

TEST_F(ShareTest, ASharedSceneHasWhatItsFilesHoldToTheBit) {
  const SharedScene scene = gather(scene_of_files(folder), {"avf"});
  const SharedScene read = read_shared(write_shared(scene));
  EXPECT_EQ(read.text, scene.text);
  EXPECT_EQ(read.name, "falls.toml");
  EXPECT_EQ(read.integrators, std::vector<std::string>{"avf"});
  ASSERT_EQ(read.files.size(), 2u);
  for (const auto& [name, mesh] : scene.files) {
    const Mesh& copy = read.files.at(name);
    EXPECT_EQ(copy.vertices, mesh.vertices) << name;
    EXPECT_EQ(copy.tets, mesh.tets);
    EXPECT_EQ(copy.triangles, mesh.triangles);
  }
  EXPECT_THROW(read_shared("{}"), InputError);
  EXPECT_THROW(read_shared("no JSON"), InputError);
}

TEST_F(ShareTest, APageLoadsNothingAndTextIsNoMarkup) {
  const PageParts parts{.html =
                            "<html><head><meta charset=\"utf-8\"><link rel=\"stylesheet\" href=\"studio.css\"></head>"
                            "<body><script src=\"studio.js\" type=\"module\"></script></body></html>",
                        .style = "body { color: red }",
                        .script = "const s = '</script>';",
                        .worker = "</script>",
                        .engine = "\0asm"};
  const std::string html = share_page(parts, gather(scene_of_files(folder), {}));
  EXPECT_EQ(html.find("alert(1)"), std::string::npos);
  EXPECT_EQ(html.find("studio.js"), std::string::npos);
  EXPECT_EQ(html.find(folder.string()), std::string::npos) << "tells where its files were";
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  // printf "body { color: red }" | openssl sha256 -binary | base64
  EXPECT_NE(html.find("style-src 'sha256-kl6HQb5peP+QG0x7FWklMRxR/HYq4xozK9Oa6BWSDQA='"), std::string::npos) << html;
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = html.find("</script", at)) != std::string::npos; ++at) ++ends;
  EXPECT_EQ(ends, 4u) << "a script ends early";
}

TEST_F(ShareTest, APageNeedsAllFilesOfItsScene) {
  EXPECT_THROW(
      gather({.text = "[time]\nfps = 60\n[integrator]\nname = \"avf\"\n[[body]]\nmesh = { file = \"no.msh\" }\n"}, {}),
      InputError);
}

TEST(Studio, WithoutFilesSaysWhatNeedsThem) {
  Studio studio(bar(), {});
  for (const char* const message : {R"({"do":"drop","obj":"v 0 0 0"})", R"({"do":"load","name":"hello"})",
                                    R"({"do":"record","on":true,"pane":0,"formats":[]})"}) {
    studio.receive(message);
    const std::vector<Json> events = studio.take_events();
    ASSERT_EQ(events.size(), 1u) << message;
    EXPECT_NE(events[0].at("text").get<std::string>().find("needs brio itself"), std::string::npos) << events[0];
  }
}

bool answers_alarm(Session& session) {
  const std::vector<Json> events = session.take_events();
  return std::ranges::any_of(events, [](const Json& event) { return event["event"] == "alarm"; });
}

/// As far as the vertices of the page's engine are from ours, at worst over so many frames; negative: there is none.
double farthest_apart(const SceneText& scene, const std::vector<std::string>& before, int frames) {
  std::vector<std::string> messages = before;
  for (int i = 0; i < frames; ++i) messages.emplace_back(R"({"do":"step"})");
  const auto answers = run_headless(fs::path(BRIO_SOURCE_DIR) / "build/studio", gather(scene, {}), messages, true);
  if (!answers) return -1;
  EXPECT_EQ(answers->size(), messages.size());
  Session session(scene);
  double farthest = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    session.handle(Message(messages[i]));
    const NodalField& x = session.panes()[0]->simulation().state().x;
    const HeadlessAnswer& answer = (*answers)[i];
    const bool exploded = answers_alarm(session);
    EXPECT_EQ(exploded, !answer.complaints.empty()) << fmt::format("{}", fmt::join(answer.complaints, "; "));
    if (exploded) break;  // what follows is noise
    if (answer.positions.size() != x.size()) {
      ADD_FAILURE() << answer.positions.size() << " vertices of " << x.size();
      return 1;
    }
    for (std::size_t v = 0; v < x.size(); ++v) farthest = std::max(farthest, (Vec3(x[v]) - answer.positions[v]).norm());
  }
  EXPECT_GT(session.frame(), 0);
  return farthest;
}

class WebAssembly : public ShareTest {
 protected:
  /// Same scene, same hands, 100 frames: rounding is all that may differ.
  static void agrees(const SceneText& scene, const std::vector<std::string>& before = {}) {
    const double apart = farthest_apart(scene, before, 100);
    if (apart < 0) GTEST_SKIP() << "no engine for pages: ./brio share builds it";
    fmt::print("{} m apart at worst\n", apart);
    EXPECT_LT(apart, 1e-9);
  }
};

TEST_F(WebAssembly, DoesWhatBrioDoesWithAllIntegrators) {
  for (const Method& method : integrators()) {
    SCOPED_TRACE(method.name);
    agrees(bar(method.name), {R"({"do":"set","key":"substeps","value":8})"});  // h = 2.5 ms: explicit ones are stable
    if (IsSkipped()) return;
  }
}

TEST_F(WebAssembly, DoesWhatBrioDoesUnderAHand) {
  const Session session(bar());
  agrees(bar("stabilized"), {grab(session, 1), R"({"do":"move","hand":1,"by":[0.1,0.2,0]})"});
}

TEST_F(WebAssembly, DoesWhatBrioDoesWithMeshesOfFiles) { agrees(scene_of_files(folder)); }

}  // namespace
}  // namespace brio::studio
