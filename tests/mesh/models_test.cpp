#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "brio/mesh_io.h"
#include "brio/mesh_models.h"
#include "in_folder.h"
#include "mesh/models/decimate.h"
#include "mesh/models/fill.h"
#include "mesh/models/improve.h"
#include "mesh/models/package.h"
#include "mesh/models/resurface.h"
#include "mesh/models/scans.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

/// A gzipped tar with one file.
void write_archive(const fs::path& file, const std::string& name, const std::string& content) {
  archive* writer = archive_write_new();
  archive_write_add_filter_gzip(writer);
  archive_write_set_format_ustar(writer);
  archive_write_open_filename(writer, file.c_str());
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, name.c_str());
  archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_write_header(writer, entry);
  archive_write_data(writer, content.data(), content.size());
  archive_entry_free(entry);
  archive_write_free(writer);
}

/// A cache of its own, and an npm that copies a prepared archive instead of asking a registry.
class PackageCache : public brio::testing::InFolder {
 protected:
  void SetUp() override {
    forget_failed_fetches();
    fs::create_directory(folder / "bin");
    fs::create_directory(folder / "cache");
    setenv("BRIO_CACHE", (folder / "cache").c_str(), 1);
    setenv("PATH", ((folder / "bin").string() + ":" + old_path).c_str(), 1);
    write_archive(folder / "thing-1.2.3.tgz", "package/data.txt", "two hares");
    package = {"thing", "1.2.3", integrity_of(read(folder / "thing-1.2.3.tgz"))};
    set_npm("echo run >> " + (folder / "runs").string() + "\ncp " + (folder / "thing-1.2.3.tgz").string() +
            " \"$4\"  # npm pack thing@1.2.3 --pack-destination DIR\n");
  }
  void TearDown() override {
    on_fetch({});
    setenv("PATH", old_path.c_str(), 1);
    unsetenv("BRIO_CACHE");
  }
  void set_npm(const std::string& script) {
    write(folder / "bin" / "npm", "#!/bin/sh\n" + script);
    fs::permissions(folder / "bin" / "npm", fs::perms::owner_all);
  }
  /// As if by a process of its own.
  std::string complaint() {
    forget_failed_fetches();
    try {
      return "accepted " + package_file(package, "package/data.txt");
    } catch (const InputError& e) {
      return e.what();
    }
  }
  /// What the cache holds besides directories; scratch directories must be gone.
  std::vector<std::string> cached() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder / "cache")) names.push_back(entry.path().filename());
    return names;
  }

  const std::string old_path = std::getenv("PATH");
  Package package;
};

Mesh shell_of(const Mesh& solid) { return remove_unreferenced({solid.vertices, {}, surface(solid), {}}); }

std::string complaint_about_bunny(const std::string& script) {
  try {
    bunny_surface(script);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST(Package, IntegrityIsTheSha512InBase64) {
  EXPECT_EQ(integrity_of("abc"),
            "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==");
}

TEST_F(PackageCache, FetchesOnceAndThenReadsTheCache) {
  EXPECT_EQ(package_file(package, "package/data.txt"), "two hares");
  EXPECT_EQ(package_file(package, "package/data.txt"), "two hares");
  EXPECT_EQ(read(folder / "runs"), "run\n");
  EXPECT_EQ(cached(), std::vector<std::string>{"thing-1.2.3.tgz"});
}

TEST_F(PackageCache, FetchesAgainWhenTheCacheIsDamaged) {
  package_file(package, "package/data.txt");
  write(folder / "cache" / "thing-1.2.3.tgz", "half an arch");
  EXPECT_EQ(package_file(package, "package/data.txt"), "two hares");
  EXPECT_EQ(read(folder / "runs"), "run\nrun\n");
}

TEST_F(PackageCache, RefusesAnArchiveWithTheWrongHashAndKeepsNothing) {
  write_archive(folder / "thing-1.2.3.tgz", "package/data.txt", "two foxes");
  EXPECT_NE(complaint().find("package thing@1.2.3: what npm fetched has the hash sha512-"), std::string::npos);
  EXPECT_NE(complaint().find("expected " + package.integrity), std::string::npos);
  EXPECT_TRUE(cached().empty());
}

TEST_F(PackageCache, SaysWhatNpmSaidWhenOffline) {
  set_npm("echo 'npm ERR! network request failed' >&2\nexit 1\n");
  EXPECT_NE(complaint().find("npm failed to fetch it (exit code 1): npm ERR! network request failed; with network "
                             "access, run: npm pack thing@1.2.3 --pack-destination " +
                             (folder / "cache").string()),
            std::string::npos)
      << complaint();
  EXPECT_TRUE(cached().empty());
}

TEST_F(PackageCache, KnowsHowNpmSpeaksOfAMissingNetwork) {
  set_npm("echo 'npm ERR! code EAI_AGAIN' >&2\nexit 1\n");
  EXPECT_EQ(complaint(),
            "package thing@1.2.3: it must be fetched once, and there is no network; with network access, run: npm pack "
            "thing@1.2.3 --pack-destination " +
                (folder / "cache").string());
}

TEST_F(PackageCache, EndsAnNpmThatHangs) {
  set_npm("exec sleep 100\n");
  setenv("BRIO_FETCH_TIMEOUT", "0.2", 1);
  EXPECT_TRUE(
      complaint().starts_with("package thing@1.2.3: npm could not fetch it within 0.2 s; set BRIO_FETCH_TIMEOUT "
                              "to more seconds; or with network access, run: npm pack thing@1.2.3"))
      << complaint();
  unsetenv("BRIO_FETCH_TIMEOUT");
  EXPECT_TRUE(cached().empty());
}

TEST_F(PackageCache, SaysToInstallNpmWhenThereIsNone) {
  setenv("PATH", (folder / "cache").c_str(), 1);
  EXPECT_NE(complaint().find("npm could not be started to fetch it; install npm"), std::string::npos) << complaint();
}

TEST_F(PackageCache, ReportsAFileThatIsNotInThePackage) {
  EXPECT_THROW(package_file(package, "package/other.txt"), InputError);
}

TEST_F(PackageCache, ManyFetchesAtOnceDoNotDisturbEachOther) {
  std::vector<std::string> results(6);
  std::vector<std::thread> workers;
  workers.reserve(results.size());
  for (std::string& result : results)
    workers.emplace_back([this, &result] { result = package_file(package, "package/data.txt"); });
  for (std::thread& worker : workers) worker.join();
  for (const std::string& result : results) EXPECT_EQ(result, "two hares");
  EXPECT_EQ(cached(), std::vector<std::string>{"thing-1.2.3.tgz"});
}

TEST_F(PackageCache, UnusableCacheDirectoryIsNamed) {
  write(folder / "file", "");
  setenv("BRIO_CACHE", (folder / "file" / "below").c_str(), 1);
  EXPECT_NE(complaint().find((folder / "file" / "below").string() + ": cannot be made"), std::string::npos);
}

TEST(Models, UnknownNamesAndCountsAreRefused) {
  EXPECT_THROW(load_model("bunny", {.vertices = 3}), InputError);
  try {
    load_model("buny");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "model = \"buny\": unknown model; did you mean 'bunny'?");
  }
}

TEST_F(PackageCache, FinishedModelsAreReadWithoutTheirPackageUnlessTheyAreDamaged) {
  set_npm("exit 1\n");
  const fs::path finished = folder / "cache" / "bunny-1.0.1-0-v2.msh";
  write_mesh(finished, make_cube({.cells = 1}), {.binary = true});
  const std::string bytes = read(finished);
  const std::string sum = integrity_of(bytes);
  write(finished.string() + ".sha512", sum);
  EXPECT_EQ(load_model("bunny").vertices.size(), 8u);
  const auto expect_made_anew = [&](const char* why) {
    forget_failed_fetches();
    EXPECT_THROW(load_model("bunny"), InputError) << why;  // its package is asked for
  };
  for (const std::size_t byte : {bytes.size() / 3, bytes.size() / 2, bytes.size() - 30}) {
    std::string other = bytes;
    other[byte] = static_cast<char>(other[byte] ^ 4);
    write(finished, other);
    expect_made_anew("a coordinate has changed");
  }
  write(finished, bytes.substr(0, bytes.size() / 2));
  expect_made_anew("half of it is gone");
  write(finished, bytes);
  write(finished.string() + ".sha512", sum.substr(0, 20));
  expect_made_anew("its sum is damaged");
  fs::remove(finished.string() + ".sha512");
  expect_made_anew("it has no sum");
}

TEST_F(PackageCache, AfterAFailureNothingMoreIsFetchedAndTheListenerKnows) {
  std::vector<std::string> news;
  on_fetch([&](const std::string& text) { news.push_back(text); });
  set_npm("echo run >> " + (folder / "runs").string() + "\necho 'npm ERR! code EAI_AGAIN' >&2\nexit 1\n");
  EXPECT_NE(complaint().find("there is no network"), std::string::npos);
  package.name = "other";
  try {
    package_file(package, "package/data.txt");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("package other@1.2.3: not fetched, because thing@1.2.3: it must be "
                        "fetched once, and there is no network; with network access, run: npm "
                        "pack other@1.2.3"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(read(folder / "runs"), "run\n");
  EXPECT_EQ(news, (std::vector<std::string>{"fetching thing@1.2.3 through npm, once (at most 60 s) ...",
                                            "thing@1.2.3: it must be fetched once, and there is no network; nothing "
                                            "more is fetched now"}));
}

TEST(Scans, BunnyIsReadFromItsScript) {
  const Mesh mesh =
      bunny_surface("exports.positions=[[1.5,-2,3e-1],[0,0,0],[0,1,0]]\nexports.cells=[[2,0,1],[0,1,2]]\n");
  ASSERT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.vertices[0], Vec3(1.5, -2, 0.3));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{2, 0, 1}, {0, 1, 2}}));
}

TEST(Scans, AScriptThatIsNotTheBunnyIsRefusedNamingTheByte) {
  const std::string positions = "exports.positions=[[0,0,0]]\n";
  EXPECT_NE(complaint_about_bunny(positions).find("exports.cells: missing"), std::string::npos);
  EXPECT_NE(complaint_about_bunny("exports.positions=[[0,0]]").find("',' expected at byte 23"), std::string::npos);
  EXPECT_NE(complaint_about_bunny("exports.positions=[[0,x,0]]").find("number expected at byte 22"), std::string::npos);
  EXPECT_NE(complaint_about_bunny("exports.positions=[[0,0,0],").find("'[' expected at byte 27"), std::string::npos);
  EXPECT_NE(complaint_about_bunny(positions + "exports.cells=[[0,0,1]]").find("no such vertex"), std::string::npos);
}

TEST(Scans, DragonIsReadFromPlyAndClosed) {
  std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 11\nproperty list uchar int vertex_indices\nend_header\n";
  const Mesh bar = shell_of(make_bar({.size = {10, 1, 1}, .cells = {1, 1, 1}}));
  for (const Vec3& p : bar.vertices) ply += fmt::format("{} {} {}\n", p[0], p[1], p[2]);
  for (std::size_t i = 1; i < bar.triangles.size(); ++i) ply += fmt::format("3 {}\n", fmt::join(bar.triangles[i], " "));
  const MeshReport report = check_mesh(dragon_surface(ply));
  EXPECT_TRUE(report.closed);
  EXPECT_TRUE(report.manifold);
  EXPECT_NEAR(report.volume, 10, 0.1);
}

#ifdef BRIO_WITH_GPL

TEST(Improve, LeavesNoSliverWhereALittleMovementIsEnough) {
  Mesh solid = make_cube({.cells = 3});
  const double height = 1.0 / 3;
  for (Vec3& p : solid.vertices)  // one vertex inside is pressed against the layer below
    if ((p - Vec3(-1.0 / 6, -1.0 / 6, -1.0 / 6)).norm() < 1e-9) p.y() -= 0.99 * height;
  ASSERT_LT(check_mesh(solid).tet_quality.min, 0.05);
  improve(solid, 0.06);
  const MeshReport report = check_mesh(solid);
  EXPECT_GE(report.tet_quality.min, 0.05);
  EXPECT_TRUE(report.inverted_tets.empty());
  EXPECT_NEAR(report.volume, 1, 0.05);
}

TEST(FillToSize, ThinsTheSurfaceUntilTheSolidHasTheRequestedCount) {
  const Mesh shell = shell_of(make_torus({.rings = 4, .slices = 40}));
  const int wanted = static_cast<int>(shell.vertices.size()) / 2;
  const MeshReport report = check_mesh(fill_to_size(shell, wanted));
  EXPECT_NEAR(static_cast<double>(report.vertices), wanted, 0.03 * wanted);
  EXPECT_NEAR(report.volume / check_mesh(shell).volume, 1, 0.03);
  EXPECT_TRUE(report.inverted_tets.empty());
  EXPECT_TRUE(report.closed);
}

#endif

TEST(Resurface, ClosesHolesDropsStrayPiecesAndKeepsTheShape) {
  const Mesh ball = make_sphere({.rings = 12});
  Mesh scan = shell_of(ball);
  scan.triangles.erase(scan.triangles.begin() + 100, scan.triangles.begin() + 103);
  scan.triangles.erase(scan.triangles.begin() + 1500);
  const int stray = static_cast<int>(scan.vertices.size());
  scan.vertices.insert(scan.vertices.end(), {{0.7, 0.7, 0.7}, {0.71, 0.7, 0.7}, {0.7, 0.71, 0.7}});
  scan.triangles.push_back({stray, stray + 1, stray + 2});
  ASSERT_FALSE(check_mesh(scan).closed);
  const MeshReport report = check_mesh(resurface(scan, 60));
  EXPECT_TRUE(report.closed);
  EXPECT_TRUE(report.manifold);
  EXPECT_TRUE(report.oriented);
  EXPECT_EQ(report.components, 1);
  EXPECT_EQ(static_cast<int>(report.vertices) - static_cast<int>(report.triangles) / 2, 2);  // no handles
  EXPECT_NEAR(report.volume / check_mesh(ball).volume, 1, 0.02);
}

TEST(Decimate, KeepsTheShapeAndTopologyWithFewerVertices) {
  const Mesh torus = make_torus({.rings = 5, .slices = 60});
  const Mesh fine = shell_of(torus);
  const Mesh coarse = decimate(fine, 400);
  const MeshReport report = check_mesh(coarse);
  EXPECT_NEAR(static_cast<double>(report.vertices), 400, 4);
  EXPECT_EQ(report.vertices, report.triangles / 2);  // Euler characteristic 0
  EXPECT_TRUE(report.closed);
  EXPECT_TRUE(report.manifold);
  EXPECT_TRUE(report.oriented);
  EXPECT_NEAR(report.volume / check_mesh(torus).volume, 1, 0.03);
}

}  // namespace brio
