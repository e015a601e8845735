/// glTF 2.0 in one binary file. Every frame but the first is a morph target of every body, its weights are one at its
/// own time and zero at the others', so that players pass linearly from frame to frame. Positions and normals are
/// float32; weights, whose number is the square of the frames', are normalized bytes and shared by all bodies.
/// [Khronos, glTF 2.0 specification]
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/safe_file.h"
#include "mesh/io/output.h"
#include "record/exports/formats.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

constexpr int float32 = 5126, uint32 = 5125, uint8 = 5121;  // component types
constexpr int vertex_buffer = 34962, index_buffer = 34963;  // targets of views

/// Describes the file in a first pass over the frames, and writes it in a second.
class GltfWriter {
 public:
  explicit GltfWriter(const Animation& animation)
      : animation_(animation), frames_(animation.frames.frames()), targets_(frames_ - 1) {}

  void write(const std::filesystem::path& path) {
    describe();
    SafeFile file(path);
    std::string json = document_.dump(-1, ' ', false, Json::error_handler_t::replace);
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const std::uint64_t total = 12 + 8 + json.size() + 8 + bytes_;
    std::string head = "glTF";
    for (const std::uint64_t number : {std::uint64_t{2}, total, std::uint64_t{json.size()}})
      append(head, static_cast<std::uint32_t>(number));
    file.write(head + "JSON" + json);
    head.clear();
    append(head, static_cast<std::uint32_t>(bytes_));
    file.write(head + std::string("BIN\0", 4));
    write_content(file);
    file.finish();
  }

 private:
  int add_view(std::uint64_t size, int target, int stride) {
    Json view{{"buffer", 0}, {"byteOffset", bytes_}, {"byteLength", size}};
    if (stride > 0) view["byteStride"] = stride;
    if (target > 0) view["target"] = target;
    document_["bufferViews"].push_back(std::move(view));
    bytes_ += (size + 3) / 4 * 4;
    return static_cast<int>(document_["bufferViews"].size()) - 1;
  }

  int add_accessor(Json accessor) {
    document_["accessors"].push_back(std::move(accessor));
    return static_cast<int>(document_["accessors"].size()) - 1;
  }

  /// The i-th of the vectors' frames that a view holds.
  Json vectors(int view, long i, std::size_t count) {
    return {{"bufferView", view},
            {"byteOffset", 12 * count * static_cast<std::uint64_t>(i)},
            {"componentType", float32},
            {"count", count},
            {"type", "VEC3"}};
  }

  /// Triangles, else segments, else points.
  static std::vector<std::uint32_t> indices(const Surface& s) {
    std::vector<std::uint32_t> list;
    for (const Triangle& t : s.triangles)
      for (const int v : t) list.push_back(static_cast<std::uint32_t>(v));
    if (!list.empty()) return list;
    for (const Segment& e : s.segments)
      for (const int v : e) list.push_back(static_cast<std::uint32_t>(v));
    return list;
  }

  void describe_body(const Surface& s, int index) {
    enum Mode { points = 0, lines = 1, triangles = 4 };
    Json primitive{{"attributes", Json::object()},
                   {"material", index},
                   {"mode", !s.triangles.empty()  ? triangles
                            : !s.segments.empty() ? lines
                                                  : points}};
    if (const auto list = indices(s); !list.empty()) {
      const int view = add_view(4 * list.size(), index_buffer, 0);
      primitive["indices"] =
          add_accessor({{"bufferView", view}, {"componentType", uint32}, {"count", list.size()}, {"type", "SCALAR"}});
    }
    const bool faces = !s.triangles.empty();
    const std::uint64_t size = 12 * s.size() * static_cast<std::uint64_t>(frames_);
    const int positions = add_view(size, vertex_buffer, 12);
    const int normals = faces ? add_view(size, vertex_buffer, 12) : -1;
    for (long k = 0; k < frames_; ++k) {
      read_shape(s, k);
      const Extent box = bounds(shape_);
      Json accessor = vectors(positions, k, s.size());
      accessor["min"] = box.low;
      accessor["max"] = box.high;
      Json attributes{{"POSITION", add_accessor(std::move(accessor))}};
      if (faces) attributes["NORMAL"] = add_accessor(vectors(normals, k, s.size()));
      if (k == 0) {
        primitive["attributes"] = std::move(attributes);
      } else {
        primitive["targets"].push_back(std::move(attributes));
      }
    }
    document_["materials"].push_back({{"name", s.id},
                                      {"pbrMetallicRoughness",
                                       {{"baseColorFactor", {s.color[0], s.color[1], s.color[2], 1.0}},
                                        {"metallicFactor", 0},
                                        {"roughnessFactor", 0.6}}},
                                      {"doubleSided", s.kind == "cloth"}});
    document_["meshes"].push_back({{"name", s.id}, {"primitives", {primitive}}});
    document_["nodes"].push_back({{"name", s.id}, {"mesh", index}});
    document_["scenes"][0]["nodes"].push_back(index);
  }

  void describe() {
    document_ = {{"asset", {{"version", "2.0"}, {"generator", "brio"}}}, {"scene", 0}};
    document_["scenes"].push_back({{"name", animation_.title}, {"nodes", Json::array()}});
    for (std::size_t i = 0; i < animation_.surfaces.size(); ++i)
      describe_body(animation_.surfaces[i], static_cast<int>(i));
    if (targets_ > 0) describe_motion();
    document_["buffers"].push_back({{"byteLength", bytes_}});
  }

  void describe_motion() {
    const auto count = static_cast<std::uint64_t>(frames_);
    const int times = add_accessor({{"bufferView", add_view(4 * count, 0, 0)},
                                    {"componentType", float32},
                                    {"count", count},
                                    {"type", "SCALAR"},
                                    {"min", {0.0f}},
                                    {"max", {time(frames_ - 1)}}});
    const std::uint64_t weights = count * static_cast<std::uint64_t>(targets_);
    const int values = add_accessor({{"bufferView", add_view(weights, 0, 0)},
                                     {"componentType", uint8},
                                     {"normalized", true},
                                     {"count", weights},
                                     {"type", "SCALAR"}});
    Json motion{{"name", "animation"},
                {"samplers", {{{"input", times}, {"output", values}, {"interpolation", "LINEAR"}}}}};
    for (std::size_t i = 0; i < animation_.surfaces.size(); ++i)
      motion["channels"].push_back({{"sampler", 0}, {"target", {{"node", i}, {"path", "weights"}}}});
    document_["animations"].push_back(std::move(motion));
  }

  void write_content(SafeFile& file) {
    const auto put = [&](const auto& list) {
      file.write({reinterpret_cast<const char*>(list.data()), sizeof(list[0]) * list.size()});
    };
    for (const Surface& s : animation_.surfaces) {
      put(indices(s));
      for (long k = 0; k < frames_; ++k) {
        read_shape(s, k);
        put(shape_);
      }
      for (long k = 0; k < frames_ && !s.triangles.empty(); ++k) {
        read_normals(s, k);
        put(shape_);
      }
    }
    if (targets_ == 0) return;
    std::vector<float> times;
    for (long k = 0; k < frames_; ++k) times.push_back(time(k));
    put(times);
    std::string row(static_cast<std::size_t>(targets_), '\0');
    for (long k = 0; k < frames_; ++k) {
      if (k > 1) row[static_cast<std::size_t>(k) - 2] = '\0';
      if (k > 0) row[static_cast<std::size_t>(k) - 1] = '\xff';
      file.write(row);
    }
    const auto weights = static_cast<std::uint64_t>(frames_) * static_cast<std::uint64_t>(targets_);
    file.write(std::string((4 - weights % 4) % 4, '\0'));
  }

  float time(long frame) const { return static_cast<float>(animation_.frames.time(frame)); }

  /// Positions of the first frame, of later ones the displacement from there.
  void read_shape(const Surface& s, long frame) {
    read_positions(animation_.frames, frame, s, scratch_, shape_);
    subtract_first(frame);
  }

  /// Likewise.
  void read_normals(const Surface& s, long frame) {
    read_positions(animation_.frames, frame, s, scratch_, xyz_);
    vertex_normals(s, xyz_, shape_);
    subtract_first(frame);
  }

  void subtract_first(long frame) {
    if (frame == 0) {
      first_ = shape_;
      return;
    }
    for (std::size_t i = 0; i < shape_.size(); ++i) shape_[i] -= first_[i];
  }

  const Animation& animation_;
  long frames_;
  long targets_;
  Json document_;
  std::uint64_t bytes_ = 0;  ///< of the binary part
  std::vector<float> scratch_, xyz_, shape_, first_;
};

}  // namespace

void check_gltf(const std::vector<Surface>& surfaces, long frames) {
  constexpr double max_bytes = 4e9;    // lengths are 32 bits
  constexpr double max_targets = 2e5;  // each takes some 300 bytes of description, which readers hold at once
  const auto count = static_cast<double>(frames);
  double bytes = count * count;
  for (const Surface& s : surfaces) bytes += (s.triangles.empty() ? 12 : 24) * static_cast<double>(s.size()) * count;
  if (bytes <= max_bytes && count * static_cast<double>(surfaces.size()) <= max_targets) return;
  throw InputError({.key = "formats",
                    .value = "gltf",
                    .problem = fmt::format("{} frames of {:.2g} GB are more than it can hold", frames, bytes / 1e9),
                    .advice = "choose pc2 or usda, or fewer frames"});
}

void write_gltf(const Animation& animation, const std::filesystem::path& folder) {
  check_gltf(animation.surfaces, animation.frames.frames());
  GltfWriter(animation).write(folder / "animation.glb");
}

}  // namespace brio
