/// Uses what the library links privately (threads, formatting) and what its headers promise (Eigen, fields).
#include <brio/brio.h>

#include <cstdio>
#include <string_view>

int main() {
  brio::set_threads(2);
  brio::NodalField x(3);
  x[2] = brio::Vec3(1, 2, 3);
  try {
    brio::set_threads(-1);
  } catch (const brio::InputError& error) {
    std::puts(error.what());
    const bool named = std::string_view(error.what()).find("threads = -1") != std::string_view::npos;
    return named && brio::threads() == 2 && x[2].sum() == 6 ? 0 : 1;
  }
  return 1;
}
