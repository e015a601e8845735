/// What exporters write, read back by readers of our own; those of others are in tests/readers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "brio/mesh_io.h"
#include "record/testing.h"

namespace brio {
namespace {

constexpr long frame_count = 3;

class Exports : public testing::InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    FrameCacheWriter writer(folder / "frames.bin", testing::info_of(model));
    for (long k = 0; k < frame_count; ++k) writer.add(testing::moved(model, k).x, testing::moved(model, k).v);
  }

  void write(const std::string& format) const {
    const FrameCache frames(folder / "frames.bin");
    find_export_format(format).write({.model = model, .surfaces = shapes, .frames = frames, .title = "a \"title\""},
                                     folder);
  }

  /// Of vertex i of a surface in a frame, as the cache has it.
  std::array<float, 3> position(const Surface& s, std::size_t i, long frame) const {
    const State state = testing::moved(model, frame);
    const double* row = state.x.row(s.first_vertex + static_cast<std::size_t>(s.vertices[i]));
    return {static_cast<float>(row[0]), static_cast<float>(row[1]), static_cast<float>(row[2])};
  }
  std::vector<float> all_positions(long frame) const {
    std::vector<float> list;
    for (const Surface& s : shapes)
      for (std::size_t i = 0; i < s.size(); ++i)
        for (const float c : position(s, i, frame)) list.push_back(c);
    return list;
  }

  Model model = testing::one_of_each();
  std::vector<Surface> shapes = surfaces(model);
};

template <class T>
T number(const std::string& bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

std::vector<float> flat(const std::vector<Vec3>& points) {
  std::vector<float> list;
  for (const Vec3& p : points)
    for (const double c : p) list.push_back(static_cast<float>(c));
  return list;
}

long count(const std::string& text, const std::string& what) {
  long found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

}  // namespace

TEST_F(Exports, SurfacesAreClosedSkinsWithNamesOfTheirOwn) {
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[0].id, "jelly_bar");
  EXPECT_EQ(shapes[2].id, "wire");
  EXPECT_EQ(shapes[3].id, "wire_2");
  EXPECT_EQ(shapes[0].size(), 64u - 8u) << "the inner vertices of 3 x 3 x 3 cells are not seen";
  for (const std::size_t k : {0u, 2u}) {
    Mesh skin;
    for (const int v : shapes[k].vertices)
      skin.vertices.push_back(model.bodies()[k].mesh.vertices[static_cast<std::size_t>(v)]);
    skin.triangles = shapes[k].triangles;
    const MeshReport report = check_mesh(skin);
    EXPECT_TRUE(report.closed && report.oriented && report.unreferenced_vertices.empty()) << k;
    EXPECT_GT(report.volume, 0) << k;
  }
  EXPECT_EQ(shapes[2].curve.size(), 5u);
  EXPECT_FLOAT_EQ(shapes[2].radius, 0.01f);
  EXPECT_EQ(shapes[3].segments.size(), 1u);
}

TEST_F(Exports, PointCachesHoldTheFramesBitForBitOverTheirFirstShape) {
  write("pc2");
  for (const Surface& s : shapes) {
    const std::string bytes = read("pc2/" + s.id + ".pc2");
    ASSERT_EQ(bytes.size(), 32 + 12 * s.size() * frame_count);
    EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(number<std::int32_t>(bytes, 12), 1);
    EXPECT_EQ(number<std::int32_t>(bytes, 16), static_cast<int>(s.size()));
    EXPECT_EQ(number<float>(bytes, 20), 0);
    EXPECT_EQ(number<float>(bytes, 24), 1);
    EXPECT_EQ(number<std::int32_t>(bytes, 28), frame_count);
    for (long k = 0; k < frame_count; ++k)
      for (std::size_t i = 0; i < s.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
          ASSERT_EQ(number<float>(bytes, 32 + 4 * (3 * (s.size() * static_cast<std::size_t>(k) + i) + c)),
                    position(s, i, k)[c]);
  }
  const Mesh first = read_mesh(folder / "pc2" / "jelly_bar.obj");
  EXPECT_EQ(first.triangles, shapes[0].triangles);
  for (std::size_t i = 0; i < shapes[0].size(); ++i)
    EXPECT_EQ(static_cast<float>(first.vertices[i].x()), position(shapes[0], i, 0)[0]);
}

TEST_F(Exports, SequencesOfObjAndPlyHoldEveryFrameBitForBit) {
  for (const std::string format : {"obj", "ply"}) {
    write(format);
    for (long k = 0; k < frame_count; ++k) {
      const Mesh mesh = read_mesh(folder / format / sequence_file(k, format));
      EXPECT_EQ(flat(mesh.vertices), all_positions(k)) << format;
      EXPECT_EQ(mesh.triangles.size(),
                shapes[0].triangles.size() + shapes[1].triangles.size() + shapes[2].triangles.size());
    }
  }
}

TEST_F(Exports, LeaveWhatElseIsInTheirFolderAloneAndFollowNoLink) {
  std::filesystem::create_directories(folder / "obj");
  InFolder::write("obj/frame_000099.obj", "mine");
  write("obj");
  EXPECT_EQ(read("obj/frame_000099.obj"), "mine");
  std::filesystem::rename(folder / "obj", folder / "elsewhere");
  std::filesystem::create_directory_symlink("elsewhere", folder / "obj");
  EXPECT_NE(testing::complaint([&] { write("obj"); }).find("obj: is a link"), std::string::npos);
}

TEST_F(Exports, VtuKeepsTheTetrahedraAndThePvdTheTimes) {
  write("vtu");
  for (long k = 0; k < frame_count; ++k) {
    const Mesh mesh = read_mesh(folder / "vtu" / sequence_file(k, "vtu"));
    ASSERT_EQ(mesh.vertices.size(), model.vertices());
    EXPECT_EQ(mesh.tets.size(), model.bodies()[0].mesh.tets.size() + model.bodies()[2].mesh.tets.size());
    EXPECT_EQ(mesh.triangles.size(), model.bodies()[1].mesh.triangles.size());
    const State state = testing::moved(model, k);
    for (std::size_t i = 0; i < model.vertices(); ++i)
      EXPECT_EQ(static_cast<float>(mesh.vertices[i].y()), static_cast<float>(state.x.row(i)[1]));
  }
  EXPECT_NE(read("animation.pvd").find("timestep=\"0.041666666666666664\" part=\"0\" file=\"vtu/frame_000001.vtu\""),
            std::string::npos);
}

TEST_F(Exports, UsdaHasAPrimPerBodyWithASampleOfEveryAttributePerFrame) {
  write("usda");
  const std::string text = read("animation.usda");
  EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
  for (const char* line : {"framesPerSecond = 24\n", "timeCodesPerSecond = 24\n", "metersPerUnit = 1\n",
                           "upAxis = \"Y\"\n", "endTimeCode = 2\n", "doc = \"a \\\"title\\\"\"\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
  EXPECT_EQ(count(text, "def Mesh"), 2);
  EXPECT_EQ(count(text, "def BasisCurves"), 1);
  EXPECT_EQ(count(text, "def Points"), 1);
  EXPECT_EQ(count(text, "points.timeSamples"), 4);
  EXPECT_EQ(count(text, "extent.timeSamples"), 4);
  EXPECT_EQ(count(text, "normals.timeSamples"), 2);
  EXPECT_EQ(count(text, "            2: [("), 4 + 4 + 2);
  const auto [x, y, z] = position(shapes[3], 1, 2);
  EXPECT_NE(text.find(fmt::format("({}, {}, {})]", x, y, z)), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST_F(Exports, GltfMorphsFromTheFirstFrameToEveryOther) {
  write("gltf");
  const std::string bytes = read("animation.glb");
  ASSERT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(number<std::uint32_t>(bytes, 8), bytes.size());
  const auto json_size = number<std::uint32_t>(bytes, 12);
  const auto document = nlohmann::json::parse(bytes.substr(20, json_size));
  const std::string content = bytes.substr(28 + json_size);
  EXPECT_EQ(document["buffers"][0]["byteLength"], content.size());
  const auto vectors = [&](const nlohmann::json& accessor_index) {
    const auto& accessor = document["accessors"][accessor_index.get<std::size_t>()];
    const auto& view = document["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::size_t start = view["byteOffset"].get<std::size_t>() + accessor["byteOffset"].get<std::size_t>();
    std::vector<float> list;
    for (std::size_t i = 0; i < 3 * accessor["count"].get<std::size_t>(); ++i)
      list.push_back(number<float>(content, start + 4 * i));
    return list;
  };
  ASSERT_EQ(document["meshes"].size(), shapes.size());
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const auto& primitive = document["meshes"][b]["primitives"][0];
    const std::vector<float> first = vectors(primitive["attributes"]["POSITION"]);
    ASSERT_EQ(primitive["targets"].size(), frame_count - 1);
    for (long k = 1; k < frame_count; ++k) {
      const std::vector<float> displacement =
          vectors(primitive["targets"][static_cast<std::size_t>(k) - 1]["POSITION"]);
      for (std::size_t i = 0; i < displacement.size(); ++i)
        ASSERT_NEAR(first[i] + displacement[i], position(shapes[b], i / 3, k)[i % 3], 3e-7);
    }
    ASSERT_EQ(primitive["attributes"].contains("NORMAL"), !shapes[b].triangles.empty());
    if (shapes[b].triangles.empty()) continue;
    const std::vector<float> at_first = vectors(primitive["attributes"]["NORMAL"]);
    const std::vector<float> turn = vectors(primitive["targets"][1]["NORMAL"]);
    std::vector<float> xyz;
    for (std::size_t i = 0; i < shapes[b].size(); ++i)
      for (const float coordinate : position(shapes[b], i, 2)) xyz.push_back(coordinate);
    std::vector<float> normals;
    vertex_normals(shapes[b], xyz, normals);
    for (std::size_t i = 0; i < normals.size(); ++i) ASSERT_NEAR(at_first[i] + turn[i], normals[i], 3e-7);
  }
  const auto& sampler = document["animations"][0]["samplers"][0];
  const auto& weights = document["accessors"][sampler["output"].get<std::size_t>()];
  const std::size_t start = document["bufferViews"][weights["bufferView"].get<std::size_t>()]["byteOffset"];
  EXPECT_EQ(content.substr(start, 6), std::string("\0\0\xff\0\0\xff", 6));
}

TEST_F(Exports, AbsurdlyLargeGltfIsRefusedBeforehandWithAdvice) {
  EXPECT_NO_THROW(find_export_format("gltf").check(shapes, 1000));
  EXPECT_NE(testing::complaint([&] { find_export_format("gltf").check(shapes, 100000); }).find("choose pc2 or usda"),
            std::string::npos);
}

TEST_F(Exports, EstimatesOfSizeAreRight) {
  for (const ExportFormat& format : export_formats()) {
    const std::uint64_t before = [&] {
      std::uint64_t sum = 0;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) sum += entry.file_size();
      return sum;
    }();
    write(format.name);
    std::uint64_t after = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) after += entry.file_size();
    const double real = static_cast<double>(after - before);
    const double estimate = format.bytes(model, shapes, frame_count);
    EXPECT_GT(estimate, real / 6) << format.name;  // headers and faces weigh much in a file as small as this
    EXPECT_LT(estimate, real * 1.5) << format.name;
  }
}

TEST_F(Exports, DamageIsToldBeforeAnythingIsWritten) {
  std::string bytes = read("frames.bin");
  bytes[testing::info_of(model).bytes(1) + 20] ^= 1;
  InFolder::write("frames.bin", bytes);
  const FrameCache frames(folder / "frames.bin");
  const Animation animation{.model = model, .surfaces = shapes, .frames = frames, .title = ""};
  EXPECT_NE(testing::complaint([&] { check_frames(animation); }).find("frame 1 is damaged"), std::string::npos);
}

TEST(ExportFormats, AreFoundByNameOrTheNearestIsNamed) {
  EXPECT_EQ(find_export_format("vtu").name, "vtu");
  EXPECT_NE(testing::complaint([] { find_export_format("usd"); }).find("did you mean 'usda'?"), std::string::npos);
  for (const std::string& name : default_export_formats()) EXPECT_NO_THROW(find_export_format(name));
}

}  // namespace brio
