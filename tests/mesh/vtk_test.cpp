#include <zlib.h>

#include "mesh/io/base64.h"
#include "mesh/io/formats.h"
#include "mesh/mesh_io_testing.h"

namespace brio {
namespace {

/// As VTK 9.1 writes it, with field data and metadata around the mesh.
const std::string grid_51 = R"(# vtk DataFile Version 5.1
vtk output
ASCII
DATASET UNSTRUCTURED_GRID
FIELD FieldData 1
TimeValue 1 1 double
0.5 
METADATA
INFORMATION 0

POINTS 5 double
0 0 0 1 0 0 0 1 0 
0 0 1 0.1 0.33333333333 1 
METADATA
INFORMATION 1
NAME L2_NORM_RANGE LOCATION vtkDataArray
DATA 2 0 1.05883 

CELLS 6 14
OFFSETS vtktypeint64
0 4 7 11 13 14 
CONNECTIVITY vtktypeint64
0 1 2 3 0 2 1 0 1 
4 2 0 3 4 
CELL_TYPES 5
10
5
9
3
1

POINT_DATA 5
SCALARS u float
LOOKUP_TABLE default
0 1 2 3 4 
)";

const std::string polydata_42 = R"(# vtk DataFile Version 4.2
vtk output
ASCII
DATASET POLYDATA
POINTS 5 float
0 0 0 1 0 0 0 1 0 
0 0 1 0.1 0.5 1 
VERTICES 1 2
1 4 

LINES 1 4
3 0 3 4 

TRIANGLE_STRIPS 1 5
4 0 1 2 3 

POLYGONS 2 9
3 0 1 3 
4 0 1 4 2 
)";

std::string complaint(const std::string& text) {
  return complaint_of([&] { parse_vtk(text, "a.vtk"); });
}
std::string changed(std::string text, const std::string& from, const std::string& to) {
  replace(text, from, to);
  return text;
}

/// A file as VTK 9.1 writes it: a tetrahedron and a quad over four points.
std::string vtu(const std::string& settings, const std::array<std::string, 4>& arrays,
                const std::string& appended = {}) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" " + settings +
         ">\n  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"4\"    NumberOfCells=\"2\"   >\n"
         "      <PointData>\n      </PointData>\n      <Points>\n"
         "<DataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\" " +
         arrays[0] +
         "<InformationKey name=\"L2_NORM_RANGE\" location=\"vtkDataArray\" length=\"2\">\n"
         "<Value index=\"0\">\n0\n</Value>\n</InformationKey>\n</DataArray>\n</Points>\n<Cells>\n"
         "<DataArray type=\"Int64\" Name=\"connectivity\" " +
         arrays[1] +
         "</DataArray>\n"
         "<DataArray type=\"Int64\" Name=\"offsets\" " +
         arrays[2] +
         "</DataArray>\n"
         "<DataArray type=\"UInt8\" Name=\"types\" " +
         arrays[3] +
         "</DataArray>\n"
         "</Cells>\n</Piece>\n</UnstructuredGrid>\n" +
         appended + "</VTKFile>\n";
}
std::string in_place(const std::string& data, const std::string& format) {
  return "format=\"" + format + "\" RangeMin=\"0\">\n          " + data + "\n          ";
}
std::string vtu_in_place(const std::string& settings, const std::string& format,
                         const std::array<std::string, 4>& data) {
  return vtu(settings, {in_place(data[0], format), in_place(data[1], format), in_place(data[2], format),
                        in_place(data[3], format)});
}
std::string vtu_appended(const std::string& settings, const std::array<int, 4>& offsets, const std::string& encoding,
                         const std::string& data) {
  std::array<std::string, 4> arrays;
  for (std::size_t i = 0; i < 4; ++i)
    arrays[i] = "format=\"appended\" offset=\"" + std::to_string(offsets[i]) + "\"   >";
  return vtu(settings, arrays, "  <AppendedData encoding=\"" + encoding + "\">\n   _" + data + "\n  </AppendedData>\n");
}

const std::string zlib = "compressor=\"vtkZLibDataCompressor\"";
const std::array<std::string, 4> numbers = {"0 0 0 1 0 0 0 1 0 0 0 1", "0 1 2 3 0 1 3 2", "4 8", "10 9"};
std::string text_vtu(std::size_t array = 0, const std::string& data = numbers[0]) {
  std::array<std::string, 4> arrays = numbers;
  arrays[array] = data;
  return vtu_in_place("byte_order=\"LittleEndian\"", "ascii", arrays);
}
std::string vtu_complaint(const std::string& text) {
  return complaint_of([&] { parse_vtu(text, "a.vtu"); });
}
/// So many zeros in one compressed block, as appended data have it.
std::string zeros_packed(std::uint32_t bytes) {
  const std::string zeros(bytes, '\0');
  uLongf length = compressBound(bytes);
  std::string packed(length, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(zeros.data()), bytes);
  packed.resize(length);
  const std::uint32_t header[] = {1, bytes, 0, static_cast<std::uint32_t>(length)};
  return std::string(reinterpret_cast<const char*>(header), sizeof header) + packed;
}
std::string decoded(const std::string& text) { return decode_base64(text, text.size()).value().bytes; }

}  // namespace

TEST(Vtk, ReadsGridsOfVersion5WithFieldsAndMetadata) {
  const Mesh mesh = parse_vtk(grid_51, "a.vtk");
  ASSERT_EQ(mesh.vertices.size(), 5U);
  EXPECT_EQ(mesh.vertices[4], Vec3(0.1, 0.33333333333, 1));
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 2, 1}, {0, 1, 4}, {0, 4, 2}}));
  EXPECT_EQ(mesh.segments, (std::vector<Segment>{{0, 3}}));
}

TEST(Vtk, ReadsPolydataWithStripsOfAlternatingTurn) {
  const Mesh mesh = parse_vtk(polydata_42, "a.vtk");
  EXPECT_EQ(mesh.segments, (std::vector<Segment>{{0, 3}, {3, 4}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}, {0, 1, 3}, {0, 1, 4}, {0, 4, 2}}));
}

TEST(Vtk, NamesThePlaceOfEveryMistake) {
  EXPECT_EQ(complaint("solid\n"), "a.vtk:1: expected '# vtk DataFile Version ...'");
  EXPECT_EQ(complaint(changed(grid_51, "UNSTRUCTURED_GRID", "STRUCTURED_POINTS")),
            "a.vtk:4: 'STRUCTURED_POINTS': kind of data set: must be UNSTRUCTURED_GRID or POLYDATA");
  EXPECT_EQ(
      complaint(changed(grid_51, "10\n5\n", "12\n5\n")),
      "a.vtk:26: cell 0: cell of type 12 (hexahedron): only points, lines, polygons and linear tetrahedra are read");
  EXPECT_EQ(complaint(changed(grid_51, "10\n5\n", "5\n10\n")),
            "a.vtk:26: cell 0: triangle with 4 corners: must have 3");
  EXPECT_EQ(complaint(changed(grid_51, "0 1 2 3 0 2 1", "0 1 2 5 0 2 1")),
            "a.vtk:23: vertex 5 is out of range: must be in [0, 4]");
  EXPECT_EQ(complaint(changed(grid_51, "0 4 7 11", "0 4 3 11")), "a.vtk:21: offset 3: must be in [4, 14]");
  EXPECT_EQ(complaint(changed(grid_51, "POINTS 5 ", "POINTS 5000000 ")),
            "a.vtk:11: 5000000 points declared, but the rest of the file (320 bytes) cannot hold so many");
  EXPECT_EQ(complaint(changed(grid_51, "POINTS 5 double", "POINTS 5 bool")),
            "a.vtk:11: 'bool': unknown data type: must be float, double, int, vtktypeint64 or the like");
  EXPECT_EQ(complaint(changed(polydata_42, "POLYGONS 2 9", "POLYGONS 2 7")),
            "a.vtk:19: cell of 4 corners: must be in [0, 2]");
  EXPECT_EQ(complaint(grid_51.substr(0, grid_51.find("CELL_TYPES"))), "a.vtk:24: CELLS without CELL_TYPES");
}

TEST(Vtu, ReadsEveryEncodingThatVtkWrites) {
  const Mesh expected{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                      .tets = {{0, 1, 2, 3}},
                      .triangles = {{0, 1, 3}, {0, 3, 2}},
                      .segments = {}};
  const auto check = [&](const char* what, const std::string& file) {
    SCOPED_TRACE(what);
    expect_same_bits(parse_vtu(file, "a.vtu"), expected);
  };
  check("text", text_vtu());
  check("base64",
        vtu_in_place("byte_order=\"LittleEndian\" header_type=\"UInt32\"", "binary",
                     {"MAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==",
                      "QAAAAAAAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAMAAAAAAAAAAgAAAAAA"
                      "AAA=",
                      "EAAAAAQAAAAAAAAACAAAAAAAAAA=", "AgAAAAoJ"}));
  check("base64, zlib in two blocks, 64-bit lengths",
        vtu_in_place("header_type=\"UInt64\" " + zlib, "binary",
                     {"AgAAAAAAAAAgAAAAAAAAABAAAAAAAAAAEQAAAAAAAAANAAAAAAAAAA==eF5jYEAGDfYoXCAfAA6OAX94XmNgQAYN9gAB"
                      "TwDA",
                      "AgAAAAAAAAAgAAAAAAAAAAAAAAAAAAAAEwAAAAAAAAATAAAAAAAAAA==eF5jYIAARijNBKWZoTQAAHAAB3heY2CAAEYo"
                      "zQylmaA0AAB4AAc=",
                      "AQAAAAAAAAAgAAAAAAAAABAAAAAAAAAADgAAAAAAAAA=eF5jYYAADigNAACQAA0=",
                      "AQAAAAAAAAAgAAAAAAAAAAIAAAAAAAAACgAAAAAAAAA=eF7j4gQAAB8AFA=="}));
  check("appended base64",
        vtu_appended("header_type=\"UInt64\"", {0, 76, 172, 204}, "base64",
                     "MAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8=QAAAAAAAAAAAAAAAAAAA"
                     "AAEAAAAAAAAAAgAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAADAAAAAAAAAAIAAAAAAAAAEAAAAAAAAAAEAAAAAAAA"
                     "AAgAAAAAAAAAAgAAAAAAAAAKCQ=="));
  check("appended base64, zlib",
        vtu_appended("header_type=\"UInt32\" " + zlib, {0, 68, 148, 192}, "base64",
                     "AgAAACAAAAAQAAAAEQAAAA0AAAA=eF5jYEAGDfYoXCAfAA6OAX94XmNgQAYN9gABTwDAAgAAACAAAAAAAAAAEwAAABMAAAA="
                     "eF5jYIAARijNBKWZoTQAAHAAB3heY2CAAEYozQylmaA0AAB4AAc=AQAAACAAAAAQAAAADgAAAA==eF5jYYAADigNAACQAA0="
                     "AQAAACAAAAACAAAACgAAAA==eF7j4gQAAB8AFA=="));
  check("appended raw, zlib",
        vtu_appended(zlib, {0, 50, 108, 138}, "raw",
                     decoded("AgAAACAAAAAQAAAAEQAAAA0AAAB4XmNgQAYN9ihcIB8ADo4Bf3heY2BABg32AAFPAMACAAAAIAAAAAAAAAATAAAA"
                             "EwAAAHheY2CAAEYozQSlmaE0AABwAAd4XmNggABGKM0MpZmgNAAAeAAHAQAAACAAAAAQAAAADgAAAHheY2GAAA4o"
                             "DQAAkAANAQAAACAAAAACAAAACgAAAHhe4+IEAAAfABQ=")));
  check("appended raw, big-endian",
        vtu_appended("byte_order=\"BigEndian\"", {0, 52, 120, 140}, "raw",
                     decoded("AAAAMAAAAAAAAAAAAAAAAD+AAAAAAAAAAAAAAAAAAAA/gAAAAAAAAAAAAAAAAAAAP4AAAAAAAEAAAAAAAAAAAAAA"
                             "AAAAAAABAAAAAAAAAAIAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAwAAAAAAAAACAAAAEAAAAAAAAAAE"
                             "AAAAAAAAAAgAAAACCgk=")));
}

TEST(Vtu, JoinsPieces) {
  std::string file = text_vtu();
  const std::size_t begin = file.find("    <Piece"), end = file.find("</UnstructuredGrid>");
  file.insert(end, file.substr(begin, end - begin));
  const Mesh mesh = parse_vtu(file, "a.vtu");
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST(Vtu, NamesThePlaceOfEveryMistake) {
  EXPECT_EQ(vtu_complaint("<VTKFile type=\"UnstructuredGrid\">\n<Piece>\n"),
            "a.vtu:2: not well-formed XML: Start-end tags mismatch");
  EXPECT_EQ(vtu_complaint("<VTKFile type=\"PolyData\"/>"),
            "a.vtu:1: 'PolyData': type of VTKFile: must be UnstructuredGrid");
  EXPECT_EQ(vtu_complaint(text_vtu(0, "0 0 0 1 0 zero 0 1 0 0 0 1")), "a.vtu:9: 'zero': expected a number");
  EXPECT_EQ(vtu_complaint(text_vtu(0, "0 0 0 1 0 inf 0 1 0 0 0 1")),
            "a.vtu:8: array Points: point 1 is (1, 0, inf): must be finite");
  EXPECT_EQ(vtu_complaint(text_vtu(0, "0 0 0 1 0")), "a.vtu:8: array Points: 12 numbers expected, 5 given");
  EXPECT_EQ(vtu_complaint(text_vtu(1, "0 1 2 4 0 1 3 2")),
            "a.vtu:18: array connectivity: point 4 of cell 0 is out of range: the piece has 4 points");
  EXPECT_EQ(vtu_complaint(text_vtu(2, "4 9")), "a.vtu:21: array offsets: offset 9 of cell 1: must be in [4, 8]");
  EXPECT_EQ(vtu_complaint(text_vtu(3, "10 14")),
            "a.vtu:24: array types: cell 1: cell of type 14 (pyramid): only points, lines, polygons and linear "
            "tetrahedra are read");
  EXPECT_EQ(vtu_complaint(vtu_in_place(zlib, "binary", {"AgAAACAAAAD//////////w==", "", "", ""})),
            "a.vtu:8: array Points: data end: 20 bytes expected, 16 there");
  EXPECT_EQ(vtu_complaint(vtu_in_place("", "binary", {"MA*A", "", "", ""})),
            "a.vtu:8: array Points: data are not base64");
  EXPECT_EQ(vtu_complaint(vtu_in_place("", "binary", {"////fw==", "", "", ""})),
            "a.vtu:8: array Points: 2147483647 bytes declared, more than the file has");
  EXPECT_EQ(vtu_complaint(vtu_appended("", {9999, 0, 0, 0}, "raw", "")),
            "a.vtu:8: '9999': array Points: offset lies beyond the appended data (30 bytes)");
  EXPECT_EQ(
      vtu_complaint(text_vtu().replace(text_vtu().find("byte_order"), 0, "compressor=\"vtkLZ4DataCompressor\" ")),
      "a.vtu:2: 'vtkLZ4DataCompressor': compressor: only vtkZLibDataCompressor is read; write the file with zlib");
}

TEST(Vtu, EntitiesAreNeverExpanded) {
  const std::string bomb =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE VTKFile [<!ENTITY a \"1 1 1 1\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n";
  std::string file = text_vtu(0, "&b; 0 0 1 0 0 0 1 0 0 0 1");
  file.replace(0, file.find('\n') + 1, bomb);
  EXPECT_EQ(vtu_complaint(file), "a.vtu:10: '&b;': expected a number");
}

/// What would be 2.4 GB if it were unpacked is refused by what is declared, within the memory that a bomb must not
/// take.
TEST(Vtu, NothingIsUnpackedThatIsNotDeclared) {
  const std::string packed = zeros_packed(48000000);  // in 47 kB
  const auto bomb = [&](std::size_t array, const std::string& settings = "") {
    std::array<std::string, 4> arrays = {"format=\"ascii\">" + numbers[0], "format=\"ascii\">" + numbers[1],
                                         "format=\"ascii\">" + numbers[2], "format=\"ascii\">" + numbers[3]};
    arrays[array] = "format=\"appended\" offset=\"0\">";
    return vtu(zlib + settings, arrays, "<AppendedData encoding=\"raw\">_" + packed + "</AppendedData>");
  };
  EXPECT_EQ(vtu_complaint(bomb(0)), "a.vtu:8: array Points: 12 numbers expected, 12000000 given");
  EXPECT_EQ(vtu_complaint(bomb(1)), "a.vtu:16: array connectivity: at most 8 numbers expected, 6000000 given");
  EXPECT_EQ(vtu_complaint(bomb(2)), "a.vtu:17: array offsets: 2 numbers expected, 6000000 given");
  EXPECT_EQ(vtu_complaint(bomb(3)), "a.vtu:18: array types: 2 numbers expected, 48000000 given");
  // Declared or not: what no mesh shrinks to is not unpacked.
  EXPECT_NE(vtu_complaint(changed(bomb(0), "NumberOfPoints=\"4\"", "NumberOfPoints=\"4000000\""))
                .find("numbers are too many for a file of "),
            std::string::npos);
}

TEST(Vtu, DeepNestingIsNoDanger) {
  std::string file = "<VTKFile type=\"UnstructuredGrid\">";
  for (int i = 0; i < 200000; ++i) file += "<a>";
  EXPECT_NE(vtu_complaint(file).find("not well-formed XML"), std::string::npos);
}

}  // namespace brio
