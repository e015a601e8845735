#include "network.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>

#include "page.h"

namespace brio::app {

using boost::asio::ip::tcp;

Network::Network(Site site, int port) : site_(std::move(site)) {
  boost::system::error_code error;
  const tcp::endpoint here(boost::asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
  acceptor_.open(here.protocol(), error);
  acceptor_.set_option(boost::asio::socket_base::reuse_address(true), error);
  acceptor_.bind(here, error);
  if (!error) acceptor_.listen(16, error);
  if (error)
    throw InputError({.key = "--port",
                      .value = std::to_string(port),
                      .problem = "cannot be listened on: " + error.message(),
                      .advice = "choose another, or 0 for any that is free"});
  site_.port = acceptor_.local_endpoint().port();
}

Network::~Network() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
  engine_.reset();
  leader_.reset();
  pages_.clear();
}

void Network::serve(studio::Studio studio) {
  const auto to_all = [this](void (Page::*say)(Bytes)) {
    return [this, say](const Bytes& bytes) {
      boost::asio::post(context_, [this, say, bytes] {
        for (const auto& page : pages_) (page.get()->*say)(bytes);
      });
    };
  };
  engine_ = std::make_unique<Engine>(std::move(studio),
                                     Engine::Listener{.event = to_all(&Page::tell), .frame = to_all(&Page::show)});
  accept();
  thread_ = std::thread([this] { context_.run(); });
}

void Network::accept() {
  acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
    if (!error) {
      boost::system::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      answer_requests(boost::beast::tcp_stream(std::move(socket)), *this);
    }
    accept();
  });
}

bool Network::has_room() const {
  constexpr std::size_t most = 8;
  return pages_.size() < most;
}

void Network::come(const std::shared_ptr<Page>& page) {
  pages_.insert(page);
  if (leader_ == nullptr) leader_ = page;
  tell_who_leads();
  engine_->greet();
}

void Network::go(const std::shared_ptr<Page>& page) {
  if (pages_.erase(page) == 0) return;
  if (leader_ == page) leader_ = pages_.empty() ? nullptr : *pages_.begin();
  tell_who_leads();
  if (pages_.empty()) engine_->rest();
}

bool Network::hear(const std::shared_ptr<Page>& page, std::string message) {
  if (message == R"({"do":"lead"})") {
    leader_ = page;
    tell_who_leads();
    return true;
  }
  return page != leader_ || engine_->post(std::move(message));
}

void Network::tell_who_leads() {
  for (const auto& page : pages_)
    page->tell(std::make_shared<const std::string>(
        fmt::format(R"({{"event":"role","leads":{},"pages":{}}})", page == leader_, pages_.size())));
}

}  // namespace brio::app
