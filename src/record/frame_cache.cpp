#include "record/frame_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/cancellation.h"
#include "core/hash.h"

namespace brio {
namespace {

static_assert(std::endian::native == std::endian::little, "frames.bin is written as it lies in memory");

struct Header {
  std::array<char, 8> magic{'B', 'R', 'I', 'O', 'F', 'R', 'M', '1'};
  std::uint64_t vertices = 0;
  double frames_per_second = 0;
  std::uint64_t digest = 0;
  std::uint64_t checksum = 0;  ///< of all before

  std::uint64_t sum() const { return hash_bytes(std::as_bytes(std::span(this, 1)).first(32)); }
};
static_assert(sizeof(Header) == 40);

constexpr std::uint64_t max_vertices = std::uint64_t{1} << 31;

/// Frames per second and seconds per frame that can be reckoned with.
bool is_rate(double frames_per_second) { return frames_per_second > 1e-300 && frames_per_second < 1e300; }

std::uint64_t record_bytes(std::size_t vertices) { return 6 * sizeof(float) * vertices + sizeof(std::uint64_t); }

std::uint64_t checksum(long frame, std::span<const std::byte> x, std::span<const std::byte> v) {
  return hash_bytes(v, hash_bytes(x, static_cast<std::uint64_t>(frame)));
}

Header header_of(const FrameCacheInfo& info) {
  Header header;
  header.vertices = info.vertices;
  header.frames_per_second = info.frames_per_second;
  header.digest = info.digest;
  header.checksum = header.sum();
  return header;
}

/// Bytes to keep of a cache that is to be continued.
std::uint64_t length_of(const std::filesystem::path& path, const FrameCacheInfo& info, long keep) {
  if (keep == 0) return 0;
  const FrameCache cache(path);
  const auto refuse = [&](const std::string& problem) {
    throw InputError({.file = path.string(),
                      .problem = problem,
                      .advice = "the run cannot be resumed; start it again with --force"});
  };
  if (cache.info().digest != info.digest || cache.info().vertices != info.vertices) refuse("is of another scene");
  if (cache.frames() < keep) refuse(fmt::format("has {} frames where the checkpoint counts {}", cache.frames(), keep));
  return info.bytes(keep);
}

}  // namespace

std::uint64_t FrameCacheInfo::bytes(long frames) const {
  return sizeof(Header) + static_cast<std::uint64_t>(frames) * record_bytes(vertices);
}

FrameCacheWriter::FrameCacheWriter(const std::filesystem::path& path, const FrameCacheInfo& info, long keep)
    : file_(path, length_of(path, info, keep)), record_(record_bytes(info.vertices), '\0'), frames_(keep) {
  if (keep > 0) return;
  const Header header = header_of(info);
  file_.append({reinterpret_cast<const char*>(&header), sizeof header});
}

void check_range(const NodalField& x, const NodalField& v) {
  for (const NodalField* field : {&x, &v})
    for (std::size_t i = 0; i < field->size(); ++i)
      for (int c = 0; c < 3; ++c)
        if (!std::isfinite(static_cast<float>(field->row(i)[c])))
          throw std::range_error(
              fmt::format("vertex {}: {} is beyond what an animation can hold", i, field->row(i)[c]));
}

void FrameCacheWriter::add(const NodalField& x, const NodalField& v) {
  check_range(x, v);
  char* place = record_.data();
  for (const NodalField* field : {&x, &v}) {
    for (std::size_t i = 0; i < field->size(); ++i) {
      for (int c = 0; c < 3; ++c) {
        const auto number = static_cast<float>(field->row(i)[c]);
        std::memcpy(place, &number, sizeof number);
        place += sizeof number;
      }
    }
  }
  const auto all = std::as_bytes(std::span(record_)).first(record_.size() - sizeof(std::uint64_t));
  const std::uint64_t sum = checksum(frames_, all.first(all.size() / 2), all.last(all.size() / 2));
  std::memcpy(place, &sum, sizeof sum);
  file_.append(record_);
  ++frames_;
}

FrameCache::FrameCache(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw InputError({.file = path_.string(), .problem = std::string("cannot be read: ") + std::strerror(errno)});
  try {
    Header header;
    fetch(0, &header, sizeof header);
    if (header.magic != Header{}.magic || header.checksum != header.sum() || header.vertices == 0 ||
        header.vertices > max_vertices || !is_rate(header.frames_per_second))
      throw InputError(
          {.file = path_.string(), .byte = 0, .problem = "is not a frame cache, or its header is damaged"});
    info_ = {.vertices = header.vertices, .frames_per_second = header.frames_per_second, .digest = header.digest};
    const std::uint64_t size = std::filesystem::file_size(path_);
    frames_ = static_cast<long>((size - sizeof header) / record_bytes(info_.vertices));
    Frame last;
    if (frames_ > 0 && !fetch_frame(frames_ - 1, last)) --frames_;
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

FrameCache::~FrameCache() { ::close(descriptor_); }

void FrameCache::fetch(std::uint64_t byte, void* into, std::size_t size) const {
  interruption_point();
  auto* place = static_cast<char*>(into);
  while (size > 0) {
    const ssize_t got = pread(descriptor_, place, size, static_cast<off_t>(byte));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw InputError({.file = path_.string(),
                        .byte = static_cast<long>(byte),
                        .problem = got < 0 ? std::strerror(errno) : "the file ends here"});
    place += got;
    byte += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

bool FrameCache::fetch_frame(long frame, Frame& into) const {
  const std::uint64_t byte = info_.bytes(frame);
  const std::size_t half = 3 * sizeof(float) * info_.vertices;
  into.x.resize(3 * info_.vertices);
  into.v.resize(3 * info_.vertices);
  std::uint64_t sum = 0;
  fetch(byte, into.x.data(), half);
  fetch(byte + half, into.v.data(), half);
  fetch(byte + 2 * half, &sum, sizeof sum);
  return sum == checksum(frame, std::as_bytes(std::span(into.x)), std::as_bytes(std::span(into.v)));
}

void FrameCache::read(long frame, Frame& into) const {
  const auto refuse = [&](const char* what) {
    throw InputError({.file = path_.string(),
                      .byte = static_cast<long>(info_.bytes(frame)),
                      .problem = fmt::format("frame {} {}", frame, what),
                      .advice = "run the scene again"});
  };
  const auto is_finite = [](float number) { return std::isfinite(number); };
  if (!fetch_frame(frame, into)) refuse("is damaged");
  if (!std::ranges::all_of(into.x, is_finite) || !std::ranges::all_of(into.v, is_finite))
    refuse("holds numbers that are not finite");
}

void FrameCache::read_positions(long frame, std::size_t first, std::size_t count, std::vector<float>& xyz) const {
  xyz.resize(3 * count);
  fetch(info_.bytes(frame) + 3 * sizeof(float) * first, xyz.data(), 3 * sizeof(float) * count);
}

}  // namespace brio
