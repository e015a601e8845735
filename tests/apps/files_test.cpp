/// What brio may never do to people's files, in folders of theirs and in folders that came from somewhere.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>

#include "command_test.h"

namespace {

namespace fs = std::filesystem;

using Contents = std::map<std::string, std::string>;

class Files : public CommandTest {
 protected:
  void SetUp() override { write_scene("s.toml"); }

  void write_scene(const std::string& name, const std::string& mesh = "{ generate = 'cube', cells = 1 }",
                   const std::string& more = "", int frames = 3) const {
    write(name, fmt::format("title = 't'\n[time]\nh = 1e-3\nframes = {}\n[[body]]\nname = 'cube'\nmesh = {}\n{}",
                            frames, mesh, more));
  }
  void make(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    write(name, text);
  }

  /// Names, contents and goals of links of all that is there, but for what the test itself leaves.
  Contents contents() const {
    Contents map;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().lexically_relative(folder).string();
      if (name == "stderr" || name == "stdout") continue;
      if (entry.is_symlink()) {
        map[name] = "-> " + fs::read_symlink(entry.path()).string();
      } else if (entry.is_regular_file()) {
        map[name] = read(name);
      }
    }
    return map;
  }

  /// The command is refused with these words, and nothing is changed by it.
  void expect_refused(const std::string& command, const std::string& words) {
    const Contents before = contents();
    const Result result = brio(command);
    EXPECT_EQ(result.code, 1) << command << "\n" << result.output << read("stderr");
    EXPECT_NE(read("stderr").find(words), std::string::npos) << command << "\n" << read("stderr");
    const Contents after = contents();
    for (const auto& [name, text] : before)
      EXPECT_TRUE(after.contains(name) && after.at(name) == text) << command << " changed " << name;
    for (const auto& [name, text] : after) EXPECT_TRUE(before.contains(name)) << command << " left " << name;
  }

  /// All of these are there as they were.
  void expect_kept(const Contents& files) const {
    const Contents now = contents();
    for (const auto& [name, text] : files) EXPECT_TRUE(now.contains(name) && now.at(name) == text) << name;
  }

  /// Starts the program and returns when `ready` holds.
  template <class Ready>
  pid_t start(const std::vector<std::string>& arguments, Ready ready) const {
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder.c_str()) != 0 || freopen("/dev/null", "w", stderr) == nullptr ||
          freopen("/dev/null", "w", stdout) == nullptr)
        _exit(99);
      std::vector<char*> words{const_cast<char*>(BRIO_PROGRAM)};
      for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
      words.push_back(nullptr);
      execv(BRIO_PROGRAM, words.data());
      _exit(98);
    }
    for (int i = 0; i < 5000 && !ready() && waitpid(child, nullptr, WNOHANG) == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return child;
  }
};

const std::vector<std::string> formats{"pc2", "usda", "gltf", "vtu", "obj", "ply"};
const std::string all_formats = "pc2,usda,gltf,vtu,obj,ply";
const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

}  // namespace

TEST_F(Files, OfTheUsersStayWhereBrioWritesBesideThem) {
  for (const std::string place : {"", "q/"}) {
    make(place + "obj/in.obj", triangle);
    for (const char* name : {"obj/frame_000000.obj", "ply/scan.ply", "vtu/a.vtu", "pc2/hand.pc2", "obj/x.part",
                             "notes.part", "frames.bin.part", "scene.toml.part", "animation.usda.part", "report.txt"})
      make(place + name, "mine");
  }
  write_scene("s.toml", "{ file = 'obj/in.obj' }");
  const Contents mine = contents();
  for (const std::string command :
       {"run s.toml -o . --formats usda", "run s.toml -o . --formats usda --force",
        "run s.toml -o . --formats gltf --force", "run s.toml -o . --formats usda --resume --frames 5", "report .",
        "export . --formats gltf", "compare s.toml --integrators verlet,bdf2 -o q",
        "compare s.toml --integrators verlet,bdf2 -o q --force", "compare s.toml --integrators verlet -o q --resume"}) {
    ASSERT_EQ(brio(command).code, 0) << command << read("stderr");
    expect_kept(mine);
  }
}

TEST_F(Files, InTheWayAreNamedAndNothingIsDone) {
  for (const std::string name : {"scene.toml", "frames.bin", "ledger.csv", "checkpoint.brio", "run.json", "run.log",
                                 "report.html", "animation.usda", "animation.glb", "animation.pvd", "pc2/cube.pc2",
                                 "pc2/x", "obj/frame_000002.obj", "ply/mine.ply", "vtu/mine.vtu"}) {
    make("x/" + name, "mine");
    const std::string told = name.find('/') == std::string::npos ? name : name.substr(0, name.find('/'));
    for (const std::string how : {"", " --force", " --resume"})
      expect_refused(
          "run s.toml -o x --formats " + all_formats + how,
          "x/" + told +
              ": is there already, and brio did not write it (brio-files.txt does not list it); move it away");
    fs::remove_all(folder / "x");
  }
  make("x/compare.html", "mine");
  expect_refused("compare s.toml --integrators verlet -o x --force", "x/compare.html: is there already");
  fs::remove_all(folder / "x");
  make("x/verlet/frames.bin", "mine");
  expect_refused("compare s.toml --integrators bdf2,verlet -o x --force", "x/verlet/frames.bin: is there already");
}

TEST_F(Files, AddedToARunOutliveItsReplacement) {
  ASSERT_EQ(brio("run s.toml -o x --formats " + all_formats).code, 0) << read("stderr");
  for (const std::string& format : formats) make("x/" + format + "/mine.obj", "mine");
  make("x/notes.txt", "mine");
  const Contents mine{{"x/notes.txt", "mine"}, {"x/obj/mine.obj", "mine"}, {"x/pc2/mine.obj", "mine"}};
  ASSERT_EQ(brio("run s.toml -o x --force --frames 1 --formats none").code, 0) << read("stderr");
  expect_kept(mine);
  std::vector<std::string> left;
  for (const auto& [name, text] : contents())
    if (name.starts_with("x/") && name.find('/', 2) != std::string::npos) left.push_back(name);
  EXPECT_EQ(left.size(), formats.size()) << "all else of the earlier run is gone";
  make("x/obj/frame_000001.obj", "mine");
  expect_refused("run s.toml -o x --force --formats obj", "x/obj/frame_000001.obj: is there already");
}

TEST_F(Files, AreNotReachedThroughLinks) {
  ASSERT_EQ(brio("run s.toml -o given --formats none").code, 0) << read("stderr");
  const std::string list = read("given/brio-files.txt");
  for (const char* name :
       {"frame_000000.obj", "frame_000001.vtu", "frame_000002.ply", "cube.pc2", "cube.obj", "frames.bin"})
    make(std::string("victim/") + name, "precious");
  make("victim.txt", "precious");
  const Contents precious{
      {"victim.txt", "precious"},      {"victim/frame_000000.obj", "precious"}, {"victim/cube.obj", "precious"},
      {"victim/cube.pc2", "precious"}, {"victim/frame_000002.ply", "precious"}, {"victim/frames.bin", "precious"}};
  for (const std::string name : {"obj", "ply", "vtu", "pc2"}) {
    fs::create_symlink("../victim", folder / "given" / name);
    for (const std::string& claimed : {std::string(), "folder " + name + "\n"}) {
      write("given/brio-files.txt", list + claimed);
      expect_refused("export given --formats " + all_formats, "given/" + name + ": is ");
      for (const std::string how : {" --force", " --resume --frames 9"})
        expect_refused("run s.toml -o given --formats " + all_formats + how, "given/" + name + ": is ");
    }
    fs::remove(folder / "given" / name);
    write("given/brio-files.txt", list);
  }
  // Names in between, and names of results, whether the list has them or not.
  for (const char* name : {"animation.usda", "animation.glb", "animation.pvd", "report.html", "scene.toml", "run.json"})
    for (const char* ending : {".part", ".tmp", ""}) {
      const fs::path link = folder / "given" / (std::string(name) + ending);
      const bool there = fs::exists(link);
      const std::string text = there ? read(link) : "";
      fs::remove(link);
      fs::create_symlink("../victim.txt", link);
      brio("export given --formats usda,gltf,vtu");
      brio("report given");
      brio("run s.toml -o given --resume --frames 9");
      expect_kept(precious);
      fs::remove(link);
      if (there) std::ofstream(link) << text;
    }
  // Files that grow.
  for (const char* name : {"frames.bin", "ledger.csv", "run.log"}) {
    ASSERT_EQ(brio("run s.toml -o given --force --formats none").code, 0) << read("stderr");
    fs::rename(folder / "given" / name, folder / "grown");
    const std::string text = read("grown");
    fs::create_symlink("../grown", folder / "given" / name);
    EXPECT_EQ(brio("run s.toml -o given --resume --frames 9").code, 1) << name;
    EXPECT_NE(read("stderr").find(fmt::format("given/{}: is a link", name)), std::string::npos) << read("stderr");
    EXPECT_EQ(read("grown"), text) << name;
  }
  expect_kept(precious);
  fs::create_directory(folder / "c");
  fs::create_symlink("../victim", folder / "c/verlet");
  expect_refused("compare s.toml --integrators verlet -o c", "c/verlet: is a link");
  EXPECT_EQ(brio("compare s.toml --integrators bdf2 -o c").code, 0) << read("stderr");
  expect_refused("compare s.toml --integrators verlet -o c --force", "c/verlet: is a link");
}

TEST_F(Files, AListThatSomebodyMadeUpIsRefused) {
  const std::string head = "# Files here that brio wrote. It replaces and removes these, and no others.\n";
  make("x/s.toml", "mine");
  for (const std::string line :
       {"file s.toml", "file ../s.toml", "file /etc/passwd", "folder ..", "frames .. 9", "x"}) {
    make("x/brio-files.txt", head + line + "\n");
    for (const std::string how : {"", " --force", " --resume"})
      expect_refused("run s.toml -o x" + how, "x/brio-files.txt:2: '" + line + "': is not a line that brio writes");
  }
  make("x/brio-files.txt", "shopping\n");
  expect_refused("run s.toml -o x --force", "x/brio-files.txt:1: 'shopping'");
}

TEST_F(Files, TheSceneThatIsRunIsNeverReplaced) {
  write_scene("scene.toml");
  for (const std::string how : {"", " --force", " --resume"})
    expect_refused("run scene.toml -o ." + how, "./scene.toml: is there already, and brio did not write it");
  ASSERT_EQ(brio("run s.toml -o x").code, 0) << read("stderr");
  expect_refused("run x/scene.toml -o x --force",
                 "x/scene.toml: is read by this command, which would replace it; copy it to another folder first");
  write_scene("m.toml", "{ file = 'x/pc2/cube.obj' }");
  expect_refused("run m.toml -o x --force", "x/pc2/cube.obj: is read by this command");
  EXPECT_EQ(brio("run m.toml -o y").code, 0) << read("stderr");
  const std::string scene = read("x/scene.toml") + "# my notes\n";
  write("x/scene.toml", scene);
  EXPECT_EQ(brio("run x/scene.toml -o x --resume --frames 7").code, 0) << read("stderr");
  EXPECT_EQ(read("x/scene.toml"), scene) << "to go on is no reason to replace it";
}

TEST_F(Files, NoNameOfASceneLeadsOutOfTheFolderOut) {
  make("mine.txt", "mine");
  for (const std::string name : {"..toml", "...toml", ".toml"}) {
    write_scene(name);
    ASSERT_EQ(brio("run " + name).code, 0) << read("stderr");
  }
  std::set<std::string> top;
  for (const auto& entry : fs::directory_iterator(folder)) top.insert(entry.path().filename());
  EXPECT_EQ(top, (std::set<std::string>{"..toml", "...toml", ".toml", "mine.txt", "out", "s.toml", "stderr"}));
  EXPECT_FALSE(fs::exists(folder / "out/frames.bin"));
}

TEST_F(Files, AResumeWithoutACheckpointKeepsTheFrames) {
  ASSERT_EQ(brio("run s.toml -o x --frames 40").code, 0) << read("stderr");
  fs::remove(folder / "x/checkpoint.brio");
  expect_refused("run s.toml -o x --resume --frames 50",
                 "x/checkpoint.brio: is missing: the run cannot be resumed without it; put it back; or start the run "
                 "again with --force");
  ASSERT_EQ(brio("run s.toml -o x --force --frames 2").code, 0) << read("stderr");
  EXPECT_EQ(json("x/run.json")["frames"], 2);
}

TEST_F(Files, OfVersionsWithoutAListAreLeftToTheirOwner) {
  ASSERT_EQ(brio("run s.toml -o x").code, 0) << read("stderr");
  fs::remove(folder / "x/brio-files.txt");
  for (const std::string how : {"", " --force", " --resume"})
    expect_refused("run s.toml -o x" + how, "runs of earlier versions, which kept no such list, are left to you");
  expect_refused("report x", "x/report.html: is there already");
  expect_refused("export x", "x/pc2: is there already");
  EXPECT_EQ(brio("export x --formats usda").code, 0) << read("stderr");
  EXPECT_EQ(brio("export x --formats usda").code, 0) << "which it wrote itself: " << read("stderr");
}

TEST_F(Files, OneCommandAtATimeWritesToAFolder) {
  write_scene("long.toml", "{ generate = 'cube', cells = 2 }", "", 1000000);
  const pid_t run = start({"run", "long.toml", "-o", "x", "--formats", "none"},
                          [&] { return fs::exists(folder / "x/checkpoint.brio"); });
  const std::string who =
      fmt::format("process {}: {} run long.toml -o x --formats none; wait until it has ended", run, BRIO_PROGRAM);
  for (const std::string command :
       {"run s.toml -o x", "run s.toml -o x --force", "run s.toml -o x --resume", "report x", "export x --formats usda",
        "compare s.toml --integrators verlet -o x"}) {
    EXPECT_EQ(brio(command).code, 1) << command;
    EXPECT_NE(read("stderr").find("x: is in use: 2"), std::string::npos) << command << read("stderr");
    EXPECT_NE(read("stderr").find(who), std::string::npos) << command << read("stderr");
  }
  EXPECT_EQ(brio("plot x").code, 0) << "to look is free: " << read("stderr");
  EXPECT_EQ(waitpid(run, nullptr, WNOHANG), 0) << "still running";
  kill(run, SIGKILL);
  waitpid(run, nullptr, 0);
  EXPECT_EQ(brio("export x --formats usda").code, 0) << "a killed process holds nothing: " << read("stderr");
}

TEST_F(Files, RunsThatStartTogetherTakeFoldersOfTheirOwn) {
  std::vector<pid_t> runs;
  for (int i = 0; i < 4; ++i) runs.push_back(start({"run", "s.toml", "--formats", "none"}, [] { return true; }));
  for (const pid_t run : runs) {
    int status = -1;
    const bool waited = waitpid(run, &status, 0) == run;
    EXPECT_TRUE(!waited || status == 0) << read("stderr");
  }
  for (const char* name : {"out/s", "out/s-2", "out/s-3", "out/s-4"})
    EXPECT_TRUE(fs::exists(folder / name / "run.json")) << name;
}

TEST_F(Files, OfAKilledRunAreKnownAndReplaced) {
  make("x/notes.txt", "mine");
  write_scene("long.toml", "{ generate = 'cube', cells = 2 }", "", 400);
  for (const std::string reached :
       {"brio-files.txt", "frames.bin", "checkpoint.brio", "run.json", "obj/frame_000003.obj"}) {
    const pid_t run = start({"run", "long.toml", "-o", "x", "--force", "--formats", all_formats},
                            [&] { return fs::exists(folder / "x" / reached); });
    kill(run, SIGKILL);
    waitpid(run, nullptr, 0);
    ASSERT_EQ(brio("run s.toml -o x --force --formats none").code, 0) << reached << read("stderr");
    std::set<std::string> left;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "x"))
      left.insert(entry.path().lexically_relative(folder / "x"));
    EXPECT_EQ(left, (std::set<std::string>{"brio-files.txt", "checkpoint.brio", "frames.bin", "ledger.csv", "notes.txt",
                                           "report.html", "run.json", "run.log", "scene.toml"}))
        << reached;
  }
  EXPECT_EQ(read("x/notes.txt"), "mine");
}

TEST_F(Files, NamesThatNoFileCouldBearAreRefusedAtTheStart) {
  write("s.toml",
        fmt::format("[time]\nh = 1e-3\nframes = 2\n[[body]]\nname = '{}'\nmesh = {{ generate = 'cube', cells = 1 }}\n",
                    std::string(300, 'n')));
  expect_refused("run s.toml -o x", "has 300 bytes, must have at most 100; animation files are called after it");
  EXPECT_NE(read("stderr").find("s.toml:5: body[0].name = "), std::string::npos);
  std::string scene = fmt::format("title = '{}'\n[time]\nh = 1e-3\nframes = 2\n", std::string(3000, 't'));
  for (const std::string name : {"Ball", "ball", "a/b", "..", "../../x", "nul", "\\u001b[2J", "two\\nlines", ""})
    scene += fmt::format("[[body]]\nname = \"{}\"\nmesh = {{ generate = 'cube', cells = 1 }}\n", name);
  write("s.toml", scene);
  ASSERT_EQ(brio("run s.toml -o x --formats " + all_formats).code, 0) << read("stderr");
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "x/pc2")) {
    std::string name = entry.path().filename();
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    names.insert(name);
  }
  EXPECT_EQ(names.size(), 2 * 9u) << "different also where capitals do not count";
  const std::string long_name(251, 's');
  expect_refused("mesh --generate cube " + long_name + "s.obj",
                 "ss.obj: File name too long; choose another name or folder");
  fs::rename(folder / "s.toml", folder / (long_name + ".txt"));
  expect_refused("compare " + long_name + ".txt --integrators verlet",
                 "cannot be made: File name too long; name a folder with -o");
}

TEST_F(Files, ReceiveNoTextWhenTheStreamsAreClosed) {
  ASSERT_EQ(brio("run s.toml -o open --formats none").code, 0);
  for (const std::string closed : {">&- 2>&-", "<&- >&- 2>&-", "2>&-", ">&-", "<&-"}) {
    const Result result = run_program("cd " + folder.string() +
                                      " && rm -rf x && " BRIO_PROGRAM " run s.toml -o x --formats none " + closed);
    EXPECT_EQ(result.code, 0) << closed;
    EXPECT_TRUE(read("x/frames.bin") == read("open/frames.bin")) << closed;
    EXPECT_TRUE(read("x/scene.toml") == read("open/scene.toml")) << closed;
  }
}

TEST_F(Files, MeshesAreReplacedOnlyWhenForced) {
  make("a.obj", triangle);
  make("b.obj", "mine");
  make("c.ele", "mine");
  expect_refused("mesh a.obj a.obj", "a.obj: is there already; choose another name for the result, or --force");
  expect_refused("mesh a.obj b.obj", "b.obj: is there already");
  expect_refused("mesh --generate cube c.node", "c.ele: is there already");
  EXPECT_EQ(brio("mesh a.obj b.obj --force").code, 0) << read("stderr");
  EXPECT_EQ(brio("mesh a.obj a.obj --force --scale 2").code, 0) << read("stderr");
  EXPECT_NE(read("a.obj").find("v 2 0 0"), std::string::npos);
  EXPECT_EQ(brio("mesh --generate cube c.node --force").code, 0) << read("stderr");
  fs::create_symlink("b.obj", folder / "link.obj");
  EXPECT_EQ(brio("mesh --generate cube --surface link.obj --force").code, 0) << read("stderr");
  EXPECT_FALSE(fs::is_symlink(folder / "link.obj"));
}

TEST_F(Files, PicturesAreReplacedOnlyWhenForced) {
  ASSERT_EQ(brio("run s.toml -o x --formats none").code, 0) << read("stderr");
  for (const char* name : {"plot.svg", "mine.svg"}) write(name, "mine");
  fs::create_symlink("s.toml", folder / "link.svg");
  expect_refused("plot x", "plot.svg: is there already; choose another name for the result, or --force to replace it");
  expect_refused("plot x --phase x -o mine.svg", "mine.svg: is there already");
  expect_refused("plot x -o link.svg", "link.svg: is there already");
  EXPECT_EQ(brio("plot x --force").code, 0) << read("stderr");
  EXPECT_NE(read("plot.svg").find("<svg"), std::string::npos);
  const std::string scene = read("s.toml");
  EXPECT_EQ(brio("plot x -o link.svg --force").code, 0) << read("stderr");
  EXPECT_EQ(read("s.toml"), scene) << "nothing is written through links";
}

TEST_F(Files, AComparisonStaysWhereARunIsReplaced) {
  ASSERT_EQ(brio("compare s.toml --integrators verlet -o c").code, 0) << read("stderr");
  const std::string page = read("c/compare.html"), table = read("c/compare.json");
  ASSERT_EQ(brio("run s.toml -o c").code, 0) << "there is no run yet\n" << read("stderr");
  ASSERT_EQ(brio("run s.toml -o c --force").code, 0) << read("stderr");
  EXPECT_TRUE(read("c/compare.html") == page);
  EXPECT_TRUE(read("c/compare.json") == table);
  EXPECT_EQ(brio("run s.toml -o c").code, 1);
  EXPECT_EQ(brio("compare s.toml --integrators verlet -o c --force").code, 0) << "it is still brio's own\n"
                                                                              << read("stderr");
}
