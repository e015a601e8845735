/// HTTP and WebSocket on 127.0.0.1: hands out the page, takes what it says to the engine, and brings back what the
/// engine tells. Nobody waits for a page: one that is slow misses frames.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "studio/studio.h"

namespace brio::app {

class Network;

class Server {
 public:
  /// Listens on the port, or any where it is 0, with the files of that folder. Throws InputError when it cannot.
  Server(const std::filesystem::path& page, int port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// From now on pages may come.
  void serve(studio::Studio studio);
  /// With the token, which stays in the browser: fragments are not sent.
  std::string address() const;

 private:
  std::unique_ptr<Network> network_;
};

}  // namespace brio::app
