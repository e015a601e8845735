/// A page as its worst: HTTP and WebSocket by hand, so that a test can say what no browser would.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace brio::studio::testing {

class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(static_cast<std::uint16_t>(port));
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    open_ = connect(socket_, reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0;
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool open() const { return open_; }
  bool send(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

  /// Until `enough` is in it, the other side closes, or five seconds have passed.
  std::string receive(const std::string& enough) {
    std::string text;
    char buffer[65536];
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    while (text.find(enough) == std::string::npos && poll(&waiting, 1, 5000) > 0) {
      const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) return text + "<closed>";
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

  /// The status of the answer: 200, 403, 101 …
  int ask(const std::string& path, const std::string& host, const std::string& headers = "") {
    send(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n{}\r\n", path, host, headers));
    answer = receive("\r\n\r\n");
    return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
  }

  /// A message of text as browsers send it: masked.
  bool say(const std::string& text, int first = 0x81) {
    std::string frame{static_cast<char>(first)};
    if (text.size() < 126) {
      frame += static_cast<char>(0x80 | text.size());
    } else {
      frame += static_cast<char>(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>(text.size() >> shift & 255);
    }
    return send(frame + std::string(4, '\0') + text);
  }

  std::string answer;

 private:
  int socket_;
  bool open_ = false;
};

inline std::string upgrade(const std::string& origin) {
  return "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: " +
         origin + "\r\n";
}

}  // namespace brio::studio::testing
