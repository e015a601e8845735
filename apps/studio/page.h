/// One page that is connected, and what it is yet to be told.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>

#include "network.h"

namespace brio::app {

class Page : public std::enable_shared_from_this<Page> {
 public:
  Page(boost::beast::tcp_stream stream, Network& network) : socket_(std::move(stream)), network_(network) {}

  /// Answers the request by which a page asks to talk.
  void accept(const boost::beast::http::request<boost::beast::http::empty_body>& request);
  /// Events are sent one after the other, of frames the last that there is.
  void tell(Network::Bytes event);
  void show(Network::Bytes frame);

 private:
  void read();
  void write();
  bool too_often();
  void close(boost::beast::websocket::close_code code);

  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  Network& network_;
  boost::beast::flat_buffer heard_;
  std::deque<Network::Bytes> events_;
  Network::Bytes frame_, under_way_;
  std::chrono::steady_clock::time_point second_{};
  int in_second_ = 0;  ///< messages since then
  bool closing_ = false;
};

/// Waits for requests on a connection, answers them, and makes a page of it where that is asked for.
void answer_requests(boost::beast::tcp_stream stream, Network& network);

}  // namespace brio::app
