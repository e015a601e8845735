#include "studio/guard.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace brio::studio {

std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "the system gives no random numbers");
  constexpr const char* digits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += digits[byte >> 4];
    token += digits[byte & 15];
  }
  return token;
}

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size() || a.empty()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference = difference | static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

bool is_own_host(std::string_view host, int port) {
  const std::string end = ":" + std::to_string(port);
  return host == "127.0.0.1" + end || host == "localhost" + end;
}

bool is_own_origin(std::string_view origin, int port) {
  constexpr std::string_view scheme = "http://";
  return origin.starts_with(scheme) && is_own_host(origin.substr(scheme.size()), port);
}

}  // namespace brio::studio
