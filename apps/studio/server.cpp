#include "server.h"

#include <fmt/format.h>

#include "network.h"
#include "pages.h"
#include "studio/guard.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

Site make_site(const fs::path& page) {
  return {.files = {{"/", {"text/html; charset=utf-8", read_page_file(page / "index.html")}},
                    {"/studio.js", {"text/javascript; charset=utf-8", read_page_file(page / "studio.js")}},
                    {"/studio.css", {"text/css; charset=utf-8", read_page_file(page / "studio.css")}}},
          .token = studio::make_token()};
}

}  // namespace

Server::Server(const fs::path& page, int port) : network_(std::make_unique<Network>(make_site(page), port)) {}

Server::~Server() = default;

void Server::serve(studio::Studio studio) { network_->serve(std::move(studio)); }

std::string Server::address() const {
  return fmt::format("http://127.0.0.1:{}/#token={}", network_->site().port, network_->site().token);
}

}  // namespace brio::app
