/// Who may talk to a studio: pages that this program served itself, on this machine, to whoever knows its token.
#pragma once

#include <string>
#include <string_view>

namespace brio::studio {

/// 32 hexadecimal digits of the system's randomness.
std::string make_token();
/// In a time that does not depend on where they differ.
bool same_token(std::string_view a, std::string_view b);

/// Whether a `Host` header names this machine by its loopback address and that port. A name that an attacker lets
/// resolve to 127.0.0.1 (DNS rebinding) is another host.
bool is_own_host(std::string_view host, int port);
/// Whether an `Origin` header is of a page that came from there.
bool is_own_origin(std::string_view origin, int port);

}  // namespace brio::studio
