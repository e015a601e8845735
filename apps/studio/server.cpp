#include "server.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "network.h"
#include "studio/guard.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (!in)
    throw InputError({.file = file.lexically_normal().string(),
                      .problem = "cannot be read: the page of the studio is not there",
                      .advice = "`./brio studio` in the checkout builds it, as does studio/build"});
  return bytes;
}

Site make_site(const fs::path& page) {
  return {.files = {{"/", {"text/html; charset=utf-8", read(page / "index.html")}},
                    {"/studio.js", {"text/javascript; charset=utf-8", read(page / "studio.js")}},
                    {"/studio.css", {"text/css; charset=utf-8", read(page / "studio.css")}}},
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
