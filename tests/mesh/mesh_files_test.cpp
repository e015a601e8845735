/// What holds for every format: round trips, damage, refusals.
#include <fstream>

#include "mesh/io/formats.h"
#include "mesh/mesh_io_testing.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

/// A directory of its own for each test, gone afterwards.
class MeshFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = fs::path(::testing::TempDir()) / (std::string("brio_") + test->name());
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  fs::path path(const std::string& name) const { return directory_ / name; }
  void save(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }
  fs::path directory_;
};

/// Coordinates that lose bits in careless hands.
Mesh awkward_points() {
  return {.vertices = {{0.1, -0.0, 1.0 / 3},
                       {5e-324, 1.7976931348623157e308, -2.2250738585072014e-308},
                       {1, 2, 3},
                       {-4503599627370497.5, 1e22, 123456789.12345679},
                       {0.3, 0.7, 1e-5}},
          .tets = {},
          .triangles = {},
          .segments = {}};
}
Mesh solid() {
  Mesh mesh = awkward_points();
  mesh.tets = {{0, 1, 2, 3}, {4, 3, 2, 1}};
  return mesh;
}
Mesh sheet() {
  Mesh mesh = awkward_points();
  mesh.triangles = {{0, 1, 2}, {2, 3, 4}, {4, 0, 3}};
  return mesh;
}
Mesh curve() {
  Mesh mesh = awkward_points();
  mesh.segments = {{0, 1}, {1, 2}, {2, 4}};
  return mesh;
}
Mesh everything() {
  Mesh mesh = solid();
  mesh.triangles = sheet().triangles;
  mesh.segments = curve().segments;
  return mesh;
}

struct Dialect {
  std::string file;
  WriteOptions options{};
};
const std::vector<Dialect> for_all_cells = {
    {"x.msh"},
    {"x.msh", {.binary = true}},
    {"x.msh", {.version = "2.2"}},
    {"x.msh", {.binary = true, .version = "2.2"}},
    {"x.vtu"},
    {"x.vtu", {.binary = false}},
    {"x.vtk"},
    {"x.vtk", {.binary = true}},
};
const std::vector<Dialect> for_flat_cells = {{"x.obj"}, {"x.ply"}, {"x.ply", {.binary = false}}, {"x.off"}};
const std::vector<Dialect> for_triangles = {{"x.stl", {.binary = false}}};
const std::vector<Dialect> for_tets = {{"x.node"}, {"x.ele"}};

}  // namespace

TEST_F(MeshFiles, RoundTripsKeepEveryBit) {
  const auto check = [&](const std::vector<Dialect>& dialects, const std::vector<Mesh>& meshes) {
    for (const Dialect& dialect : dialects)
      for (const Mesh& mesh : meshes) {
        SCOPED_TRACE(dialect.file + (dialect.options.binary.value_or(false) ? " binary " : " ") +
                     dialect.options.version);
        write_mesh(path(dialect.file), mesh, dialect.options);
        expect_same_bits(read_mesh(path(dialect.file)), mesh);
      }
  };
  check(for_all_cells, {solid(), sheet(), curve(), everything(), awkward_points()});
  check(for_flat_cells, {sheet(), curve(), awkward_points()});
  check(for_triangles, {sheet()});
  check(for_tets, {solid(), awkward_points()});
}

TEST_F(MeshFiles, BinaryStlKeepsWhatFitsAFloat) {
  Mesh mesh{.vertices = {{0.25, 0, 1}, {1, 0, 0}, {0, 1, -3.5}}, .tets = {}, .triangles = {{0, 1, 2}}, .segments = {}};
  write_mesh(path("x.stl"), mesh);
  expect_same_bits(read_mesh(path("x.stl")), mesh);
  mesh.vertices[0][0] = 1e39;
  EXPECT_EQ(complaint_of([&] { write_mesh(path("y.stl"), mesh); }),
            path("y.stl").string() +
                ": not written: vertex 0 is (1e+39, 0, 1), beyond the range of 32-bit floats; write it as text");
  EXPECT_FALSE(fs::exists(path("y.stl")));
}

TEST_F(MeshFiles, ReadFormatsAreWrittenAndKnownByExtension) {
  std::vector<std::string> extensions;
  for (const MeshFormat& format : mesh_formats()) {
    EXPECT_TRUE(format.can_read && format.can_write) << format.extension;
    extensions.push_back(format.extension);
  }
  EXPECT_EQ(extensions,
            (std::vector<std::string>{".msh", ".vtu", ".vtk", ".node", ".ele", ".obj", ".ply", ".stl", ".off"}));
}

TEST_F(MeshFiles, ExtensionsAreReadInEitherCase) {
  write_mesh(path("X.OBJ"), sheet());
  expect_same_bits(read_mesh(path("X.OBJ")), sheet());
}

TEST_F(MeshFiles, RefusesUnknownFormats) {
  const std::string known = "; known: .msh, .vtu, .vtk, .node, .ele, .obj, .ply, .stl, .off";
  EXPECT_EQ(complaint_of([] { read_mesh("a.fbx"); }), "a.fbx: unknown format .fbx" + known);
  EXPECT_EQ(complaint_of([] { write_mesh("a", sheet()); }), "a: no extension to tell the format by" + known);
}

TEST_F(MeshFiles, RefusesWhatIsNoReadableFile) {
  fs::create_directory(path("d.obj"));
  save("e.obj", "");
  EXPECT_EQ(complaint_of([&] { read_mesh(path("none.obj")); }), path("none.obj").string() + ": no such file");
  EXPECT_EQ(complaint_of([&] { read_mesh(path("d.obj")); }), path("d.obj").string() + ": is a directory, not a file");
  EXPECT_EQ(complaint_of([&] { read_mesh(path("e.obj")); }), path("e.obj").string() + ": is empty");
}

TEST_F(MeshFiles, TetGenNeedsBothFiles) {
  write_mesh(path("x.node"), solid());
  fs::remove(path("x.node"));
  EXPECT_EQ(complaint_of([&] { read_mesh(path("x.ele")); }), path("x.node").string() + ": no such file");
}

TEST_F(MeshFiles, RefusesCellsTheFormatCannotHold) {
  EXPECT_EQ(complaint_of([] { write_mesh("a.obj", solid()); }),
            "a.obj: .obj cannot hold tetrahedra; extract the surface first: brio mesh in.msh out.obj --surface");
  EXPECT_EQ(complaint_of([] { write_mesh("a.node", sheet()); }),
            "a.node: .node cannot hold triangles; write .msh, .vtu or .vtk");
  EXPECT_EQ(complaint_of([] { write_mesh("a.stl", curve()); }),
            "a.stl: .stl cannot hold segments; write .msh, .vtu, .vtk, .obj, .ply or .off");
}

TEST_F(MeshFiles, RefusesOptionsTheFormatDoesNotKnow) {
  EXPECT_EQ(complaint_of([] { write_mesh("a.obj", sheet(), {.binary = true}); }), "a.obj: .obj is always text");
  EXPECT_EQ(complaint_of([] { write_mesh("a.msh", sheet(), {.version = "3"}); }),
            "a.msh: .msh is not written in version 3; versions: 4.1, 2.2");
}

TEST_F(MeshFiles, RefusesBrokenMeshesBeforeTouchingTheDisk) {
  write_mesh(path("x.msh"), solid());
  Mesh broken = solid();
  broken.tets[1][2] = 5;
  EXPECT_EQ(complaint_of([&] { write_mesh(path("x.msh"), broken); }),
            path("x.msh").string() + ": not written: tet 1 uses vertex 5, but there are 5 vertices");
  broken = solid();
  broken.vertices[2][1] = std::nan("");
  EXPECT_EQ(complaint_of([&] { write_mesh(path("x.msh"), broken); }),
            path("x.msh").string() + ": not written: vertex 2 is (1, nan, 3), must be finite");
  expect_same_bits(read_mesh(path("x.msh")), solid());
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(MeshFiles, FailedWritesLeaveNothingBehind) {
  EXPECT_NE(complaint_of([&] { write_mesh(path("none/x.msh"), solid()); }).find("cannot be written"),
            std::string::npos);
  fs::create_directory(path("x.msh"));
  EXPECT_NE(complaint_of([&] { write_mesh(path("x.msh"), solid()); }).find("cannot be written"), std::string::npos);
  EXPECT_EQ(file_count(), 1U);
}

namespace {

struct Sample {
  const char* name;
  Mesh (*parse)(std::string_view, const std::string&);
  std::string bytes;
};

Mesh parse_tetgen_pair(std::string_view bytes, const std::string&) {
  const std::size_t zero = std::min(bytes.find('\0'), bytes.size());
  return parse_tetgen(bytes.substr(0, zero), "x.node", bytes.substr(std::min(zero + 1, bytes.size())), "x.ele");
}

std::vector<Sample> samples() {
  return {{"msh 4.1 text", parse_msh, print_msh(everything(), false, "4.1")},
          {"msh 4.1 binary", parse_msh, print_msh(everything(), true, "4.1")},
          {"msh 2.2 text", parse_msh, print_msh(everything(), false, "2.2")},
          {"msh 2.2 binary", parse_msh, print_msh(everything(), true, "2.2")},
          {"vtu text", parse_vtu, print_vtu(everything(), false, "")},
          {"vtu raw", parse_vtu, print_vtu(everything(), true, "")},
          {"vtk text", parse_vtk, print_vtk(everything(), false, "")},
          {"vtk binary", parse_vtk, print_vtk(everything(), true, "")},
          {"obj", parse_obj, print_obj(sheet(), false, "")},
          {"ply text", parse_ply, print_ply(sheet(), false, "")},
          {"ply binary", parse_ply, print_ply(sheet(), true, "")},
          {"stl text", parse_stl, print_stl(sheet(), false, "")},
          {"stl binary", parse_stl, std::string(80, ' ') + std::string("\1\0\0\0", 4) + std::string(50, '\0')},
          {"off", parse_off, print_off(sheet(), false, "")},
          {"tetgen", parse_tetgen_pair, print_node(solid()) + '\0' + print_ele(solid())}};
}

/// Either a sound mesh or an InputError that says something; any other exception fails the test.
bool survives(const Sample& sample, std::string_view bytes) {
  try {
    return is_sound(sample.parse(bytes, "x"));
  } catch (const InputError& error) {
    return !error.complaint().problem.empty();
  }
}

}  // namespace

TEST(DamagedMeshFiles, EveryTruncationIsRefusedOrSound) {
  for (const Sample& sample : samples())
    for (std::size_t size = 0; size < sample.bytes.size(); ++size)
      ASSERT_TRUE(survives(sample, std::string_view(sample.bytes).substr(0, size)))
          << sample.name << " cut at " << size;
}

TEST(DamagedMeshFiles, EveryChangedByteIsRefusedOrSound) {
  for (const Sample& sample : samples())
    for (std::size_t i = 0; i < sample.bytes.size(); ++i)
      for (const char value : {'\0', '9', '-', '\xFF', '\x7F', '\n'}) {
        std::string bytes = sample.bytes;
        bytes[i] = value;
        ASSERT_TRUE(survives(sample, bytes)) << sample.name << " with byte " << i << " = " << int{value};
      }
}

TEST(DamagedMeshFiles, CutInHalfIsRefusedByEveryFormatThatDeclaresItsSize) {
  for (const Sample& sample : samples()) {
    if (sample.parse == parse_obj) continue;
    const std::string_view half = std::string_view(sample.bytes).substr(0, sample.bytes.size() / 2);
    EXPECT_THROW(sample.parse(half, "x"), InputError) << sample.name;
  }
}

}  // namespace brio
