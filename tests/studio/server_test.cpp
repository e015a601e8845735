/// The program that serves the studio: who is let in, what becomes of those who say too much, and how it ends.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <thread>

#include "in_folder.h"
#include "studio/client.h"
#include "studio/scenes.h"

namespace brio::studio {
namespace {

namespace fs = std::filesystem;
using testing::Client;
using testing::upgrade;

/// brio-studio with a page of a few words, on any port that is free.
class Server : public brio::testing::InFolder {
 protected:
  void SetUp() override {
    for (const char* name : {"index.html", "studio.js", "studio.css"}) write(name, std::string("the ") + name);
    write("bar.toml", testing::bar().text);
    const std::string program = fs::path(BRIO_PROGRAM).replace_filename("brio-studio");
    const std::string scene = folder / "bar.toml", page = folder, out = folder / "out.txt";
    child_ = fork();
    if (child_ == 0) {
      if (freopen(out.c_str(), "w", stdout) == nullptr) _exit(1);
      execl(program.c_str(), "brio", "studio", scene.c_str(), "--no-open", "--page", page.c_str(), nullptr);
      _exit(1);
    }
    const std::regex address(R"(http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})\n)");
    for (int i = 0; i < 400 && port == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
      const std::string said = read("out.txt");
      if (std::smatch match; std::regex_search(said, match, address)) {
        port = std::stoi(match[1]);
        token = match[2];
      }
    }
    ASSERT_NE(port, 0);
    own = fmt::format("127.0.0.1:{}", port);
  }
  void TearDown() override {
    if (child_ > 0) end(SIGKILL);
  }

  /// Its exit code.
  int end(int signal) {
    kill(child_, signal);
    int status = 0;
    waitpid(std::exchange(child_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string live() const { return "/live?token=" + token; }
  std::string origin() const { return "http://" + own; }
  /// Whether it still serves.
  bool lives() const { return Client(port).ask("/", own) == 200; }

  int port = 0;
  std::string token, own;

 private:
  pid_t child_ = 0;
};

TEST_F(Server, HandsOutItsPageWithAPolicyAndNothingElse) {
  Client page(port);
  EXPECT_EQ(page.ask("/studio.js", own), 200);
  EXPECT_NE(page.answer.find("the studio.js"), std::string::npos);
  EXPECT_NE(page.answer.find("Content-Security-Policy: default-src 'none'; script-src 'self'"), std::string::npos);
  for (const char* path : {"/bar.toml", "/../bar.toml", "/%2e%2e/bar.toml", "/etc/passwd", "//", "/live"})
    EXPECT_EQ(Client(port).ask(path, own), 404) << path;
}

TEST_F(Server, RefusesForeignHostsOriginsAndTokens) {
  EXPECT_EQ(Client(port).ask("/", fmt::format("evil.example:{}", port)), 403) << "DNS rebinding";
  EXPECT_EQ(Client(port).ask("/", "127.0.0.1"), 403);
  EXPECT_EQ(Client(port).ask(live(), own, upgrade("http://evil.example")), 403);
  EXPECT_EQ(Client(port).ask(live(), own, upgrade("null")), 403);
  EXPECT_EQ(Client(port).ask(live(), fmt::format("evil.example:{}", port), upgrade(origin())), 403);
  EXPECT_EQ(Client(port).ask("/live?token=" + std::string(32, '0'), own, upgrade(origin())), 403);
  EXPECT_EQ(Client(port).ask("/live?token=", own, upgrade(origin())), 403);
  EXPECT_EQ(Client(port).ask("/live", own, upgrade(origin())), 403);
  EXPECT_EQ(Client(port).ask(live(), own, upgrade(origin())), 101);
}

TEST_F(Server, TellsAPageTheSceneAndFramesAndObeysIt) {
  Client page(port);
  ASSERT_EQ(page.ask(live(), own, upgrade(origin())), 101);
  EXPECT_NE((page.answer + page.receive("BRS1")).find(R"("event":"scene")"), std::string::npos);
  page.say(R"({"do":"step","frames":5})");
  EXPECT_NE(page.receive(R"("frame":5,)").find(R"("frame":5,)"), std::string::npos);
  page.say(R"({"do":"fly"})");
  EXPECT_NE(page.receive("no such command").find("no such command"), std::string::npos);
}

TEST_F(Server, ASecondPageWatchesUntilItTakesOver) {
  Client first(port), second(port);
  ASSERT_EQ(first.ask(live(), own, upgrade(origin())), 101);
  first.receive("BRS1");
  ASSERT_EQ(second.ask(live(), own, upgrade(origin())), 101);
  EXPECT_NE((second.answer + second.receive("BRS1")).find(R"("leads":false)"), std::string::npos);
  second.say(R"({"do":"step","frames":3})");
  first.say(R"({"do":"step","frames":4})");
  EXPECT_NE(second.receive(R"("frame":4,)").find(R"("frame":4,)"), std::string::npos)
      << "it watches, and is not obeyed";
  second.say(R"({"do":"lead"})");
  second.say(R"({"do":"step","frames":3})");
  EXPECT_NE(first.receive(R"("frame":7,)").find(R"("frame":7,)"), std::string::npos);
}

TEST_F(Server, EndsConnectionsThatSayTooMuchAndLivesOn) {
  const auto connect = [&] {
    auto page = std::make_unique<Client>(port);
    EXPECT_EQ(page->ask(live(), own, upgrade(origin())), 101);
    return page;
  };
  auto page = connect();
  page->say(std::string(Message::max_bytes + 1, ' '));
  EXPECT_NE(page->receive("<closed>").find("<closed>"), std::string::npos) << "too long";
  page = connect();
  page->send("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xffmask");  // a message of 2^63 bytes
  EXPECT_NE(page->receive("<closed>").find("<closed>"), std::string::npos);
  page = connect();
  for (int i = 0; i < 3000 && page->say("{}"); ++i) {
  }
  EXPECT_NE(page->receive("<closed>").find("<closed>"), std::string::npos) << "too often";
  page = connect();
  page->say("binary", 0x82);
  EXPECT_NE(page->receive("<closed>").find("<closed>"), std::string::npos);
  page = connect();
  page->send(std::string(5000, '\xff'));
  EXPECT_NE(page->receive("<closed>").find("<closed>"), std::string::npos) << "no frame at all";
  Client long_head(port);
  long_head.send("GET / HTTP/1.1\r\nX: " + std::string(100000, 'x'));
  EXPECT_NE(long_head.receive("<closed>").find("<closed>"), std::string::npos);
  EXPECT_TRUE(lives());
}

TEST_F(Server, NobodyWaitsForAPageThatTakesNothing) {
  Client slow(port), quick(port);
  ASSERT_EQ(slow.ask(live(), own, upgrade(origin())), 101);
  ASSERT_EQ(quick.ask(live(), own, upgrade(origin())), 101);
  slow.say(R"({"do":"color","by":"stress"})");
  for (int i = 1; i <= 100; ++i) slow.say(R"({"do":"step","frames":100})");  // and never reads
  EXPECT_NE(quick.receive(R"("frame":10000,)").find(R"("frame":10000,)"), std::string::npos);
}

TEST_F(Server, EndsCleanlyOnCtrlC) {
  Client page(port);
  ASSERT_EQ(page.ask(live(), own, upgrade(origin())), 101);
  page.say(R"({"do":"play"})");
  page.receive("BRS1");
  EXPECT_EQ(end(SIGINT), 0);
}

}  // namespace
}  // namespace brio::studio
