/// PLY (Stanford polygon format): a text header declares elements and their properties of any type and order; the data
/// follow as text or as binary numbers of either byte order. Read are x, y, z of "vertex", the vertex list of "face"
/// and vertex1, vertex2 of "edge"; everything else is stepped over. [Turk, The PLY Polygon File Format, 1994]
#include <optional>

#include "mesh/io/cells.h"
#include "mesh/io/formats.h"
#include "mesh/io/output.h"
#include "mesh/io/scalar.h"

namespace brio {
namespace {

enum class Role { none, x, y, z, corners, first_end, second_end };

struct Property {
  Role role = Role::none;
  Scalar type = Scalar::float32;
  std::optional<Scalar> length;  ///< type of the length of a list
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
  bool has(Role role) const {
    for (const Property& p : properties)
      if (p.role == role) return true;
    return false;
  }
};

Scalar read_ply_type(Input& in) {
  struct Name {
    std::string_view name;
    Scalar type;
  };
  constexpr Name names[] = {{"char", Scalar::int8},      {"int8", Scalar::int8},       {"uchar", Scalar::uint8},
                            {"uint8", Scalar::uint8},    {"short", Scalar::int16},     {"int16", Scalar::int16},
                            {"ushort", Scalar::uint16},  {"uint16", Scalar::uint16},   {"int", Scalar::int32},
                            {"int32", Scalar::int32},    {"uint", Scalar::uint32},     {"uint32", Scalar::uint32},
                            {"float", Scalar::float32},  {"float32", Scalar::float32}, {"double", Scalar::float64},
                            {"float64", Scalar::float64}};
  const std::string_view word = in.word("the type of a property");
  for (const Name& known : names)
    if (known.name == word) return known.type;
  in.fail("unknown property type: must be char, uchar, short, ushort, int, uint, float or double", word);
}

Role role_of(std::string_view element, std::string_view property, bool list) {
  if (list)
    return element == "face" && (property == "vertex_indices" || property == "vertex_index") ? Role::corners
                                                                                             : Role::none;
  if (element == "vertex")
    return property == "x" ? Role::x : property == "y" ? Role::y : property == "z" ? Role::z : Role::none;
  if (element == "edge")
    return property == "vertex1" ? Role::first_end : property == "vertex2" ? Role::second_end : Role::none;
  return Role::none;
}

Property read_property(Input& in, std::string_view element) {
  Property property;
  const bool list = in.peek() == "list";
  if (list) {
    in.word("list");
    property.length = read_ply_type(in);
    if (!is_whole(*property.length)) in.fail("the length of a list must be of a whole type");
  }
  property.type = read_ply_type(in);
  const std::string_view name = in.word("the name of a property");
  property.role = role_of(element, name, list);
  if (property.role >= Role::corners && !is_whole(property.type)) in.fail("must be of a whole type", name);
  return property;
}

Coding read_format(Input& in) {
  in.expect("format");
  const std::string_view format = in.word("the format");
  if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian")
    in.fail("unknown format: must be ascii, binary_little_endian or binary_big_endian", format);
  const std::string_view version = in.word("the version");
  if (version != "1.0") in.fail("unknown version: must be 1.0", version);
  return format == "ascii" ? Coding::text : format == "binary_big_endian" ? Coding::big_endian : Coding::little_endian;
}

void check_element(const Input& in, const Element& e) {
  if (e.count == 0) return;
  if (e.properties.empty()) in.fail(fmt::format("element has {} items but no properties", e.count), e.name);
  if (e.name == "vertex" && !(e.has(Role::x) && e.has(Role::y) && e.has(Role::z)))
    in.fail("element lacks a property x, y or z", e.name);
  if (e.name == "face" && !e.has(Role::corners))
    in.fail("element lacks the property 'list uchar int vertex_indices'", e.name);
  if (e.name == "edge" && !(e.has(Role::first_end) && e.has(Role::second_end)))
    in.fail("element lacks the property vertex1 or vertex2", e.name);
  if (e.name == "tristrips") in.fail("triangle strips are not read", e.name, "write the mesh with faces");
}

/// Leaves the input at the first byte of the data, in its coding.
std::vector<Element> read_header(Input& in) {
  in.expect("ply");
  in.rest_of_line();
  while (in.peek() == "comment" || in.peek() == "obj_info") in.rest_of_line();
  const Coding coding = read_format(in);
  std::vector<Element> elements;
  for (;;) {
    const std::string_view keyword = in.word("end_header");
    if (keyword == "element") {
      const std::string_view name = in.word("the name of an element");
      elements.push_back({std::string(name), in.get<std::uint64_t>("the number of items"), {}});
    } else if (keyword == "property") {
      if (elements.empty()) in.fail("property before the first element");
      elements.back().properties.push_back(read_property(in, elements.back().name));
    } else if (keyword == "comment" || keyword == "obj_info") {
      in.rest_of_line();
    } else if (keyword == "end_header") {
      break;
    } else {
      in.fail("expected element, property, comment or end_header", keyword);
    }
  }
  for (const Element& element : elements) check_element(in, element);
  in.rest_of_line();
  in.set_coding(coding);
  return elements;
}

class Body {
 public:
  Body(Input& in, Mesh& mesh) : in_(in), mesh_(mesh) {}

  void read(const Element& element) {
    std::size_t min_bytes = 0;
    for (const Property& p : element.properties) min_bytes += in_.is_text() ? 2 : size_of(p.length.value_or(p.type));
    if (element.count == 0) return;
    const std::size_t count = in_.checked_count(element.count, min_bytes, element.name + " items");
    for (std::size_t i = 0; i < count; ++i) {
      for (const Property& p : element.properties) p.length ? read_list(p) : read_scalar(p);
      if (element.name == "vertex") mesh_.vertices.push_back(point_);
      if (element.name == "edge") mesh_.segments.push_back({checked(ends_[0]), checked(ends_[1])});
    }
  }

 private:
  void read_scalar(const Property& p) {
    switch (p.role) {
      case Role::x:
      case Role::y:
      case Role::z:
        point_[static_cast<int>(p.role) - static_cast<int>(Role::x)] = read_coordinate(in_, p.type);
        break;
      case Role::first_end:
        ends_[0] = read_whole(in_, p.type, "a vertex index");
        break;
      case Role::second_end:
        ends_[1] = read_whole(in_, p.type, "a vertex index");
        break;
      default:
        skip(p.type);
    }
  }

  void read_list(const Property& p) {
    const std::int64_t length = read_whole(in_, *p.length, "the length of a list");
    const std::size_t size =
        in_.checked_count(static_cast<std::uint64_t>(length), in_.is_text() ? 2 : size_of(p.type), "list entries");
    if (p.role != Role::corners) {
      for (std::size_t i = 0; i < size; ++i) skip(p.type);
      return;
    }
    if (size < 3) in_.fail(fmt::format("face of {} corners: must have at least 3", size));
    corners_.clear();
    for (std::size_t i = 0; i < size; ++i) corners_.push_back(checked(read_whole(in_, p.type, "a vertex index")));
    add_polygon(mesh_, corners_);
  }

  void skip(Scalar type) { in_.is_text() ? void(in_.word("a property")) : in_.skip_bytes(size_of(type), "a property"); }
  int checked(std::int64_t raw) const { return in_.vertex_index(raw, 0, mesh_.vertices.size()); }

  Input& in_;
  Mesh& mesh_;
  Vec3 point_ = Vec3::Zero();
  std::array<std::int64_t, 2> ends_{};
  std::vector<int> corners_;
};

}  // namespace

Mesh parse_ply(std::string_view bytes, const std::string& name) {
  Mesh mesh;
  Input in(bytes, name);
  const std::vector<Element> elements = read_header(in);
  Body body(in, mesh);
  for (const Element& element : elements) body.read(element);
  if (mesh.vertices.empty()) in.fail("no vertices in the file");
  return mesh;
}

std::string print_ply(const Mesh& mesh, bool binary, const std::string&) {
  std::string out;
  print(out, "ply\nformat {} 1.0\ncomment written by brio\n", binary ? "binary_little_endian" : "ascii");
  print(out, "element vertex {}\nproperty double x\nproperty double y\nproperty double z\n", mesh.vertices.size());
  if (!mesh.triangles.empty())
    print(out, "element face {}\nproperty list uchar int vertex_indices\n", mesh.triangles.size());
  if (!mesh.segments.empty())
    print(out, "element edge {}\nproperty int vertex1\nproperty int vertex2\n", mesh.segments.size());
  out += "end_header\n";
  if (!binary) {
    for (const Vec3& x : mesh.vertices) print(out, "{} {} {}\n", x[0], x[1], x[2]);
    for (const Triangle& t : mesh.triangles) print(out, "3 {} {} {}\n", t[0], t[1], t[2]);
    for (const Segment& s : mesh.segments) print(out, "{} {}\n", s[0], s[1]);
    return out;
  }
  for (const Vec3& x : mesh.vertices) append(out, x);
  for (const Triangle& t : mesh.triangles) {
    append(out, std::uint8_t{3});
    for (const int i : t) append(out, i);
  }
  for (const Segment& s : mesh.segments)
    for (const int i : s) append(out, i);
  return out;
}

}  // namespace brio
