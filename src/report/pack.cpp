#include "report/pack.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <limits>
#include <stdexcept>

namespace brio {
namespace {

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int window_with_gzip_header = 15 + 16;
  if (deflateInit2(&stream, 6, Z_DEFLATED, window_with_gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib cannot compress");
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("zlib cannot compress");
  return out;
}

}  // namespace

std::string packed(std::string_view bytes) {
  if (bytes.size() > std::numeric_limits<int>::max() / 2) throw std::length_error("too much for one packed text");
  const std::string small = gzip(bytes);
  std::string text(4 * ((small.size() + 2) / 3) + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(small.data()), static_cast<int>(small.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace brio
