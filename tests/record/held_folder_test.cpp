/// Which files of a folder are brio's, and that no others are touched.
#include "record/held_folder.h"

#include <gtest/gtest.h>

#include <random>

#include "in_folder.h"
#include "record/exports/formats.h"
#include "record/recorder.h"
#include "testing.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

class HeldFolders : public brio::testing::InFolder {
 protected:
  /// Everything below the folder but the list itself: names, contents, goals of links.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> map;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().lexically_relative(folder).string();
      if (entry.path().filename() == Manifest::file_name) continue;
      if (entry.is_symlink()) {
        map[name] = "-> " + fs::read_symlink(entry.path()).string();
      } else {
        map[name] = entry.is_directory() ? "folder" : read(name);
      }
    }
    return map;
  }
  void write_list(const std::string& lines) const {
    write(Manifest::file_name, fmt::format("{}{}", Manifest::header, lines));
  }
};

const Outputs some{.files = {"ledger.csv", "pc2/cube.obj"}, .sequences = {{"obj", 3}}};

}  // namespace

TEST(Manifest, KnowsEveryFileThatARunOrAFormatWrites) {
  const std::vector<Surface> surfaces{{.name = "a", .id = "a", .kind = "solid"},
                                      {.name = "b", .id = "b_2", .kind = "solid"}};
  for (const ExportFormat& format : export_formats()) {
    const Outputs outputs = format.outputs(surfaces, 12);
    Manifest manifest;
    const Manifest again(fmt::format("{}{}", Manifest::header, manifest.add(outputs)), "list");
    for (const std::string& file : outputs.files) EXPECT_TRUE(again.lists(file)) << file;
    for (const auto& [folder, frames] : outputs.sequences) {
      EXPECT_TRUE(again.lists(folder, sequence_file(11, folder)));
      EXPECT_FALSE(again.lists(folder, sequence_file(12, folder)));
      EXPECT_FALSE(again.lists(folder, "frame_11." + folder)) << "not as brio writes it";
    }
    for (const std::string& folder : outputs.folders()) EXPECT_TRUE(again.made(folder));
    EXPECT_EQ(manifest.add(outputs), "") << "said already";
  }
}

TEST(Manifest, RefusesEveryLineThatBrioWouldNotWrite) {
  for (const std::string line : {"file /etc/passwd",
                                 "file ../s.toml",
                                 "file pc2/../../s.toml",
                                 "file pc2/",
                                 "file pc2/.obj",
                                 "file s.toml",
                                 "file notes.txt",
                                 "file obj/frame_000001.obj",
                                 "file pc2/a/b.obj",
                                 "file pc2/a b.obj",
                                 "file scene.toml ",
                                 "file ",
                                 "file",
                                 "folder .",
                                 "folder ..",
                                 "folder /",
                                 "folder src",
                                 "folder obj/",
                                 "folder",
                                 "frames obj",
                                 "frames obj -1",
                                 "frames obj 0",
                                 "frames obj 1x",
                                 "frames obj 99999999999999999999",
                                 "frames src 3",
                                 "frames ../obj 3",
                                 "frames obj 3 4",
                                 "",
                                 "x",
                                 "#",
                                 "File scene.toml"}) {
    const std::string text = fmt::format("{}file ledger.csv\n{}\n", Manifest::header, line);
    try {
      const Manifest manifest(text, "list");
      ADD_FAILURE() << "accepted: " << line;
    } catch (const InputError& error) {
      EXPECT_EQ(error.complaint().line, 3) << error.what();
    }
  }
  EXPECT_THROW(Manifest("something else\n", "list"), InputError);
}

TEST(Manifest, HalfALineAtTheEndSaysNothing) {
  const std::string text = fmt::format("{}file ledger.csv\nfolder obj\nframes obj 12\n", Manifest::header);
  for (std::size_t cut = Manifest::header.size(); cut < text.size(); ++cut) {
    const Manifest manifest(text.substr(0, cut), "list");
    EXPECT_FALSE(manifest.lists("obj", "frame_000001.obj")) << cut;
  }
}

TEST_F(HeldFolders, WriteBesideFilesOfOthersAndRemoveOnlyTheirOwn) {
  write("notes.txt", "mine");
  write("x.part", "mine");
  write("ledger.csv.part", "mine");
  const auto before = contents();
  HeldFolder held(folder);
  held.claim(some);
  write("ledger.csv", "");
  write("ledger.csv.0123456789ab.part", "killed");
  write("pc2/cube.obj", "");
  write("pc2/drawing.obj", "mine too");
  for (const char* frame : {"obj/frame_000000.obj", "obj/frame_000002.obj"}) write(frame, "");
  EXPECT_TRUE(held.holds_any());
  held.clear();
  auto after = before;
  after["pc2"] = "folder";
  after["pc2/drawing.obj"] = "mine too";
  EXPECT_EQ(contents(), after) << "a subfolder stays while something of others is in it";
  EXPECT_FALSE(held.holds_any());
}

TEST_F(HeldFolders, RefuseWhatBrioDidNotWriteAndChangeNothing) {
  const std::vector<std::string> foreign{"ledger.csv", "pc2/cube.obj", "pc2/other", "obj/frame_000002.obj"};
  for (const std::string& name : foreign) {
    fs::create_directories((folder / name).parent_path());
    write(name, "mine");
    const auto before = contents();
    {
      HeldFolder held(folder);
      const std::string told = testing::complaint([&] { held.claim(some); });
      EXPECT_NE(told.find("brio did not write it (brio-files.txt does not list it); move it away"), std::string::npos)
          << name << ": " << told;
      held.clear();
    }
    EXPECT_EQ(contents(), before) << name;
    EXPECT_FALSE(fs::exists(folder / Manifest::file_name)) << "an empty list is none";
    for (const char* top : {"ledger.csv", "pc2", "obj"}) fs::remove_all(folder / top);
  }
}

TEST_F(HeldFolders, NeverFollowLinks) {
  fs::create_directory(folder / "victim");
  for (const char* name : {"victim/frame_000000.obj", "victim/frame_000001.obj.0123456789ab.part", "victim/ledger.csv"})
    write(name, "precious");
  fs::create_symlink("victim", folder / "obj");
  write_list("folder obj\nframes obj 100\nfile ledger.csv\n");
  const auto before = contents();
  {
    HeldFolder held(folder);
    EXPECT_NE(testing::complaint([&] { held.claim(some); }).find("obj: is a link"), std::string::npos);
    EXPECT_NE(testing::complaint([&] { held.clear(); }).find("obj: is a link"), std::string::npos);
    EXPECT_NE(testing::complaint([&] {
                held.trim({.sequences = {{"obj", 1}}});
              }).find("obj: is a link"),
              std::string::npos);
  }
  EXPECT_EQ(contents(), before);
  fs::remove(folder / "obj");
  fs::create_symlink("victim/ledger.csv", folder / "ledger.csv");
  HeldFolder(folder).clear();
  EXPECT_FALSE(fs::is_symlink(folder / "ledger.csv")) << "the link is listed, and goes";
  EXPECT_EQ(read("victim/ledger.csv"), "precious");
}

TEST_F(HeldFolders, TheListItselfIsNeverALink) {
  write("victim", "precious");
  fs::create_symlink("victim", folder / Manifest::file_name);
  EXPECT_NE(testing::complaint([&] { HeldFolder held(folder); }).find("is a link"), std::string::npos);
  EXPECT_EQ(read("victim"), "precious");
}

TEST_F(HeldFolders, SpareWhatTheCommandReads) {
  fs::create_directory(folder / "pc2");
  write("pc2/cube.obj", "an input");
  write("scene.toml", "the scene");
  write_list("folder pc2\nfile pc2/cube.obj\nfile scene.toml\n");
  HeldFolder held(folder);
  const std::string told = "is read by this command, which would replace it; copy it to another folder first";
  EXPECT_NE(testing::complaint([&] { held.claim(some, {folder / "pc2/cube.obj"}); }).find(told), std::string::npos);
  EXPECT_NE(testing::complaint([&] { held.clear({folder / "scene.toml"}); }).find(told), std::string::npos);
  fs::create_hard_link(folder / "scene.toml", folder / "other.toml");
  EXPECT_NE(testing::complaint([&] { held.clear({folder / "other.toml"}); }).find(told), std::string::npos);
  held.claim(some, {folder / "scene.toml"});
  EXPECT_EQ(read("scene.toml"), "the scene");
}

TEST_F(HeldFolders, OneAtATimeAndTheOtherIsToldWho) {
  {
    const HeldFolder held(folder);
    const std::string told = testing::complaint([&] { HeldFolder again(folder); });
    EXPECT_NE(told.find(fmt::format("is in use: 2")), std::string::npos) << told;
    EXPECT_NE(told.find(fmt::format(", process {}: ", getpid())), std::string::npos) << told;
    EXPECT_NE(told.find("test_record"), std::string::npos) << "its command: " << told;
    EXPECT_NE(told.find("; wait until it has ended, or choose another folder"), std::string::npos) << told;
  }
  EXPECT_EQ(testing::complaint([&] { HeldFolder again(folder); }), "no complaint");
}

TEST_F(HeldFolders, KnowFilesOfAKilledProcessWhereverItDied) {
  { HeldFolder(folder).claim(some); }
  const std::string list = read(Manifest::file_name);
  for (const std::size_t cut : {list.size(), list.size() - 1, list.size() - 5}) {
    write(Manifest::file_name, list.substr(0, cut));
    HeldFolder held(folder);
    held.claim(some);
    EXPECT_TRUE(Manifest(read(Manifest::file_name), "list").lists("obj", "frame_000002.obj"));
  }
}

TEST_F(HeldFolders, NewFoldersGoWhenNothingIsPutIntoThem) {
  { const HeldFolder held(folder / "new"); }
  EXPECT_FALSE(fs::exists(folder / "new"));
  { const HeldFolder held(folder); }
  EXPECT_TRUE(fs::exists(folder));
  EXPECT_TRUE(contents().empty());
}

TEST_F(HeldFolders, FramesOfALongerAnimationGo) {
  HeldFolder held(folder);
  held.claim({.sequences = {{"obj", 5}}});
  for (int k = 0; k < 5; ++k) write("obj/" + sequence_file(k, "obj"), "");
  write("obj/frame_000007.obj", "mine");
  held.trim({.sequences = {{"obj", 2}}});
  std::vector<std::string> left;
  for (const auto& [name, content] : contents()) left.push_back(name);
  EXPECT_EQ(left,
            (std::vector<std::string>{"obj", "obj/frame_000000.obj", "obj/frame_000001.obj", "obj/frame_000007.obj"}));
}

TEST(Surfaces, GetNamesThatEveryDiskCanTellApart) {
  Model model;
  const Mesh mesh = make_cube({.cells = 1});
  const std::vector<std::string> names{"Ball",
                                       "ball",
                                       "BALL",
                                       "a/b",
                                       "a.b",
                                       "..",
                                       ".",
                                       "nul",
                                       "Com1",
                                       "立方体",
                                       "方体立",
                                       "7",
                                       std::string(300, 'x'),
                                       std::string(300, 'x') + "y",
                                       "\x1b[2J"};
  for (const std::string& name : names) model.add(SolidOptions{.name = name, .mesh = mesh});
  std::set<std::string> taken;
  for (const Surface& s : surfaces(model)) {
    std::string lower = s.id;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    EXPECT_TRUE(taken.insert(lower).second) << s.id;
    EXPECT_LT(s.id.size(), 200u);
    EXPECT_EQ(s.id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
              std::string::npos);
    EXPECT_TRUE(lower != "nul" && lower != "com1");
    Manifest manifest;
    EXPECT_NO_THROW(manifest.add({.files = {"pc2/" + s.id + ".pc2"}}));
  }
  EXPECT_EQ(taken.size(), names.size());
}

}  // namespace brio
