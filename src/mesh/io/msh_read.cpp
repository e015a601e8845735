/// Gmsh .msh 2.2 and 4.1, text and binary of either byte order. Sections other than $Nodes and $Elements are stepped
/// over. [Gmsh reference manual, "MSH file format"]
#include <fmt/format.h>

#include <algorithm>

#include "mesh/io/cells.h"
#include "mesh/io/formats.h"
#include "mesh/io/input.h"

namespace brio {
namespace {

struct Kind {
  int type;  ///< Gmsh's number
  const char* name;
  int nodes;
  int vtk;  ///< -1 = refused
};
constexpr Kind kinds[] = {{1, "line", 2, vtk::line},
                          {2, "triangle", 3, vtk::triangle},
                          {3, "quadrangle", 4, vtk::polygon},
                          {4, "tetrahedron", 4, vtk::tetra},
                          {5, "hexahedron", 8, -1},
                          {6, "prism", 6, -1},
                          {7, "pyramid", 5, -1},
                          {8, "second-order line", 3, -1},
                          {9, "second-order triangle", 6, -1},
                          {10, "second-order quadrangle", 9, -1},
                          {11, "second-order tetrahedron", 10, -1},
                          {15, "point", 1, vtk::poly_vertex}};

const Kind& kind_of(int type, const Input& in) {
  const char* name = "unknown";
  for (const Kind& kind : kinds) {
    if (kind.type == type && kind.vtk >= 0) return kind;
    if (kind.type == type) name = kind.name;
  }
  in.fail(
      fmt::format("element of type {} ({}): only points, lines, triangles, quadrangles and linear tetrahedra are read",
                  type, name),
      {}, "mesh with first-order tetrahedra: gmsh -3 -order 1");
}

/// From the tags of nodes, which may be any numbers, to vertices.
class Tags {
 public:
  void add(std::uint64_t tag) { tags_.push_back({tag, static_cast<int>(tags_.size())}); }
  std::size_t size() const { return tags_.size(); }

  void finish(const Input& in) {
    std::sort(tags_.begin(), tags_.end());
    for (std::size_t i = 1; i < tags_.size(); ++i)
      if (tags_[i].first == tags_[i - 1].first) in.fail(fmt::format("node {} is given twice", tags_[i].first));
    dense_ = !tags_.empty() && tags_.back().first - tags_.front().first == tags_.size() - 1;
  }

  int vertex(std::uint64_t tag, const Input& in) const {
    if (dense_) {
      const std::uint64_t i = tag - tags_.front().first;
      if (i < tags_.size()) return tags_[i].second;
    } else {
      const auto found = std::lower_bound(tags_.begin(), tags_.end(), std::pair(tag, 0));
      if (found != tags_.end() && found->first == tag) return found->second;
    }
    in.fail(fmt::format("node {} is used but not given", tag));
  }

 private:
  std::vector<std::pair<std::uint64_t, int>> tags_;
  bool dense_ = false;
};

class MshReader {
 public:
  MshReader(std::string_view bytes, const std::string& name) : bytes_(bytes), in_(bytes, name) {}

  Mesh read() {
    read_format();
    while (in_.has_word()) {
      const std::string section(in_.word("a section"));
      if (!section.starts_with('$')) in_.fail("expected a section such as $Nodes", section);
      if (section == "$Nodes" || section == "$Elements") {
        in_.rest_of_line();
        in_.set_coding(coding_);
        if (section == "$Nodes")
          version_ == 2 ? read_nodes_2() : read_nodes_4();
        else
          version_ == 2 ? read_elements_2() : read_elements_4();
        in_.set_coding(Coding::text);
        in_.expect("$End" + section.substr(1));
      } else {
        const std::size_t end = bytes_.find("$End" + section.substr(1), in_.position());
        if (end == std::string_view::npos)
          in_.fail(fmt::format("section is not closed by $End{}", section.substr(1)), section);
        in_.seek(end);
        in_.word("the end of the section");
      }
    }
    if (!has_nodes_) in_.fail("no section $Nodes in the file");
    return std::move(mesh_);
  }

 private:
  void read_format() {
    in_.expect("$MeshFormat");
    const std::string_view version = in_.word("the version of the format");
    version_ = version == "4.1" ? 4 : 2;
    if (version_ == 2 && version != "2" && !version.starts_with("2."))
      in_.fail("version of the format: must be 2.2 or 4.1", version, "convert it: gmsh -save -format msh41 IN -o OUT");
    const int binary = in_.get<int>("0 for text or 1 for binary");
    if (binary != 0 && binary != 1) in_.fail("must be 0 for text or 1 for binary", fmt::format("{}", binary));
    if (in_.get<int>("the size of numbers") != 8) in_.fail("size of numbers: must be 8");
    in_.rest_of_line();
    if (binary == 1) {
      in_.set_coding(Coding::little_endian);
      const auto one = in_.get<std::uint32_t>("the number 1, which tells the byte order");
      if (one != 1 && one != 0x01000000) in_.fail("expected the number 1, which tells the byte order");
      coding_ = one == 1 ? Coding::little_endian : Coding::big_endian;
      in_.set_coding(Coding::text);
    }
    in_.expect("$EndMeshFormat");
  }

  bool text() const { return coding_ == Coding::text; }

  void start_nodes() {
    if (has_nodes_) in_.fail("a second section $Nodes");
    has_nodes_ = true;
  }
  void start_elements() const {
    if (!has_nodes_) in_.fail("section $Elements stands before $Nodes");
  }

  /// In version 2 the numbers of nodes and elements are text even in binary files.
  std::uint64_t read_text_count(const char* what) {
    in_.set_coding(Coding::text);
    const auto count = in_.get<std::uint64_t>(what);
    in_.rest_of_line();
    in_.set_coding(coding_);
    return count;
  }

  void read_nodes_2() {
    start_nodes();
    const auto count =
        in_.checked_count(read_text_count("the number of nodes"), text() ? 8 : 4 + 3 * sizeof(double), "nodes");
    for (std::size_t i = 0; i < count; ++i) {
      tags_.add(static_cast<std::uint64_t>(in_.get<std::int32_t>("the number of a node")));
      mesh_.vertices.push_back(in_.point());
    }
    tags_.finish(in_);
  }

  void read_elements_2() {
    start_elements();
    const auto count = in_.checked_count(read_text_count("the number of elements"), 8, "elements");
    for (std::size_t done = 0; done < count;) {
      // Binary elements come in groups of one type; text ones are groups of one.
      if (text()) in_.get<std::int32_t>("the number of an element");
      const Kind& kind = kind_of(in_.get<std::int32_t>("the type of an element"), in_);
      const auto group = text() ? 1 : in_.get<std::int32_t>("the number of elements in the group");
      if (group < 1 || static_cast<std::size_t>(group) > count - done)
        in_.fail(fmt::format("group of {} elements: must be in [1, {}]", group, count - done));
      const auto tags = in_.checked_count(static_cast<std::uint64_t>(in_.get<std::int32_t>("the number of tags")),
                                          text() ? 2 : 4, "tags");
      for (int i = 0; i < group; ++i) {
        if (!text()) in_.get<std::int32_t>("the number of an element");
        for (std::size_t k = 0; k < tags; ++k) in_.get<std::int32_t>("a tag");
        read_element<std::int32_t>(kind);
      }
      done += static_cast<std::size_t>(group);
    }
  }

  void read_nodes_4() {
    start_nodes();
    const auto blocks = in_.get<std::uint64_t>("the number of blocks");
    const auto total = in_.get<std::uint64_t>("the number of nodes");
    in_.get<std::uint64_t>("the least tag");
    in_.get<std::uint64_t>("the greatest tag");
    for (std::uint64_t b = 0; b < blocks; ++b) {
      const int dimension = in_.get<int>("the dimension of a block");
      if (dimension < 0 || dimension > 3) in_.fail(fmt::format("dimension {}: must be in [0, 3]", dimension));
      in_.get<int>("the tag of an entity");
      const bool parametric = in_.get<int>("0 or 1 for parameters") != 0;
      const auto count = in_.checked_count(in_.get<std::uint64_t>("the number of nodes in the block"),
                                           text() ? 8 : 4 * sizeof(double), "nodes");
      for (std::size_t i = 0; i < count; ++i) tags_.add(in_.get<std::uint64_t>("the tag of a node"));
      for (std::size_t i = 0; i < count; ++i) {
        mesh_.vertices.push_back(in_.point());
        for (int k = 0; parametric && k < dimension; ++k) in_.get<double>("a parameter");
      }
    }
    if (tags_.size() != total) in_.fail(fmt::format("{} nodes declared, {} given", total, tags_.size()));
    tags_.finish(in_);
  }

  void read_elements_4() {
    start_elements();
    const auto blocks = in_.get<std::uint64_t>("the number of blocks");
    const auto total = in_.get<std::uint64_t>("the number of elements");
    in_.get<std::uint64_t>("the least tag");
    in_.get<std::uint64_t>("the greatest tag");
    std::uint64_t given = 0;
    for (std::uint64_t b = 0; b < blocks; ++b) {
      in_.get<int>("the dimension of a block");
      in_.get<int>("the tag of an entity");
      const Kind& kind = kind_of(in_.get<int>("the type of elements"), in_);
      const auto min_bytes = static_cast<std::size_t>(1 + kind.nodes) * (text() ? 2 : sizeof(std::uint64_t));
      const auto count =
          in_.checked_count(in_.get<std::uint64_t>("the number of elements in the block"), min_bytes, "elements");
      for (std::size_t i = 0; i < count; ++i) {
        in_.get<std::uint64_t>("the tag of an element");
        read_element<std::uint64_t>(kind);
      }
      given += count;
    }
    if (given != total) in_.fail(fmt::format("{} elements declared, {} given", total, given));
  }

  template <class Tag>
  void read_element(const Kind& kind) {
    std::array<int, 4> corners{};
    for (int k = 0; k < kind.nodes; ++k)
      corners[k] = tags_.vertex(static_cast<std::uint64_t>(in_.get<Tag>("the tag of a node")), in_);
    add_vtk_cell(mesh_, kind.vtk, std::span(corners).first(kind.nodes));
  }

  std::string_view bytes_;
  Input in_;
  Mesh mesh_;
  int version_ = 4;
  Coding coding_ = Coding::text;
  Tags tags_;
  bool has_nodes_ = false;
};

}  // namespace

Mesh parse_msh(std::string_view bytes, const std::string& name) { return MshReader(bytes, name).read(); }

}  // namespace brio
