/// The server's sockets. All of it happens on one thread, which only ever waits for the network; the engine's thread
/// hands over what it tells.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "engine.h"

namespace brio::app {

class Page;

/// Ready-made answers, and who may ask.
struct Site {
  std::map<std::string, std::pair<std::string, std::string>> files{};  ///< path to type and bytes
  std::string token{};
  int port = 0;
};

class Network {
 public:
  using Bytes = std::shared_ptr<const std::string>;

  Network(Site site, int port);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  void serve(studio::Studio studio);
  const Site& site() const { return site_; }

  // For pages, on the network's thread.
  bool has_room() const;
  void come(const std::shared_ptr<Page>& page);
  void go(const std::shared_ptr<Page>& page);
  /// False where the page says more than can be worked off.
  bool hear(const std::shared_ptr<Page>& page, std::string message);

 private:
  void accept();
  void tell_who_leads();

  Site site_;
  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_{context_};
  std::set<std::shared_ptr<Page>> pages_;
  std::shared_ptr<Page> leader_;  ///< the page that is obeyed; others watch
  std::unique_ptr<Engine> engine_;
  std::thread thread_;
};

}  // namespace brio::app
