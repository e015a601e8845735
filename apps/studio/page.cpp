#include "page.h"

#include <fmt/format.h>

#include "studio/guard.h"

namespace brio::app {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;

void Page::accept(const http::request<http::empty_body>& request) {
  socket_.read_message_max(studio::Message::max_bytes);
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = std::chrono::seconds(2);  // also for saying goodbye
  timeout.idle_timeout = std::chrono::seconds(30);      // a page that answers no ping has gone
  timeout.keep_alive_pings = true;
  socket_.set_option(timeout);
  socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
    if (error) return;
    self->network_.come(self);
    self->read();
  });
}

bool Page::too_often() {
  constexpr int most_per_second = 1000;
  const auto now = std::chrono::steady_clock::now();
  if (now - second_ > std::chrono::seconds(1)) {
    second_ = now;
    in_second_ = 0;
  }
  return ++in_second_ > most_per_second;
}

void Page::read() {
  socket_.async_read(heard_, [self = shared_from_this()](beast::error_code error, std::size_t) {
    if (error) return self->network_.go(self);  // too long a message as well: the socket says so and closes
    std::string message = beast::buffers_to_string(self->heard_.data());
    self->heard_.consume(self->heard_.size());
    if (self->too_often() || !self->socket_.got_text() || !self->network_.hear(self, std::move(message)))
      return self->close(websocket::close_code::policy_error);
    self->read();
  });
}

void Page::close(websocket::close_code code) {
  closing_ = true;
  socket_.async_close(code, [self = shared_from_this()](beast::error_code) { self->network_.go(self); });
}

void Page::tell(Network::Bytes event) {
  constexpr std::size_t most = 1000;  // a page that takes nothing for so long has gone
  if (events_.size() < most) events_.push_back(std::move(event));
  write();
}

void Page::show(Network::Bytes frame) {
  frame_ = std::move(frame);
  write();
}

void Page::write() {
  if (closing_ || under_way_ != nullptr) return;
  const bool text = !events_.empty();
  if (text) {
    under_way_ = std::move(events_.front());
    events_.pop_front();
  } else {
    under_way_ = std::exchange(frame_, nullptr);
  }
  if (under_way_ == nullptr) return;
  socket_.text(text);
  socket_.async_write(boost::asio::buffer(*under_way_),
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        self->under_way_ = nullptr;
                        if (!error) self->write();
                      });
}

namespace {

using Request = http::request<http::empty_body>;

/// The page may load what this server has, talk to it, and nothing else; nothing may embed it.
void add_rules(http::response<http::string_body>& response, int port) {
  response.set(http::field::cache_control, "no-store");
  response.set("Content-Security-Policy",
               fmt::format("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                           "media-src blob:; connect-src 'self' ws://127.0.0.1:{0} ws://localhost:{0}; "
                           "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                           port));
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
}

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

/// Whether whoever asks may talk: a page of this server that knows the token.
bool is_welcome(const Request& request, const Site& site) {
  constexpr std::string_view path = "/live?token=";
  const std::string_view target = view(request.target());
  return target.starts_with(path) && studio::is_own_origin(view(request[http::field::origin]), site.port) &&
         studio::same_token(target.substr(path.size()), site.token);
}

http::response<http::string_body> answer(const Request& request, const Site& site) {
  http::response<http::string_body> response{http::status::ok, request.version()};
  const auto say = [&](http::status status, const std::string& type, const std::string& bytes) {
    response.result(status);
    response.set(http::field::content_type, type);
    response.body() = bytes;
  };
  const std::string plain = "text/plain; charset=utf-8";
  const auto file = site.files.find(std::string(view(request.target())));
  if (!studio::is_own_host(view(request[http::field::host]), site.port)) {
    say(http::status::forbidden, plain, "This address is for pages on this machine.\n");
  } else if (websocket::is_upgrade(request)) {
    say(http::status::forbidden, plain, "This page may not talk to the studio.\n");
  } else if (request.method() != http::verb::get || file == site.files.end()) {
    say(http::status::not_found, plain, "There is no such thing here.\n");
  } else {
    say(http::status::ok, file->second.first, file->second.second);
  }
  add_rules(response, site.port);
  response.keep_alive(request.keep_alive());
  response.prepare_payload();
  return response;
}

class Visit : public std::enable_shared_from_this<Visit> {
 public:
  Visit(beast::tcp_stream stream, Network& network) : stream_(std::move(stream)), network_(network) {}

  void read() {
    constexpr std::uint32_t longest_head = 8192;
    parser_.emplace();
    parser_->header_limit(longest_head);
    parser_->body_limit(0);
    stream_.expires_after(std::chrono::seconds(20));
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->reply();
    });
  }

 private:
  void reply() {
    const Request request = parser_->release();
    const Site& site = network_.site();
    if (websocket::is_upgrade(request) && studio::is_own_host(view(request[http::field::host]), site.port) &&
        is_welcome(request, site) && network_.has_room()) {
      stream_.expires_never();
      return std::make_shared<Page>(std::move(stream_), network_)->accept(request);
    }
    response_ = answer(request, site);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error && self->response_.keep_alive()) self->read();
    });
  }

  beast::tcp_stream stream_;
  Network& network_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
};

}  // namespace

void answer_requests(beast::tcp_stream stream, Network& network) {
  std::make_shared<Visit>(std::move(stream), network)->read();
}

}  // namespace brio::app
