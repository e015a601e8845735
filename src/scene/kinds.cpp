#include "scene/kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/materials/registry.h"

namespace brio {
namespace {

const std::string law_help = "of the springs: hookean (stiffness in N/m) or stvk (in N/m^3)";

const FieldTable<SolidOptions>& solid_fields() {
  static const auto table =
      FieldTable<SolidOptions>{}
          .number("mass", &SolidOptions::mass, "kg", Bound::positive(), "of the whole body")
          .number("density", &SolidOptions::density, "kg/m^3", Bound::positive(), "instead of mass");
  return table;
}

const FieldTable<ClothOptions>& cloth_fields() {
  static const auto table =
      FieldTable<ClothOptions>{}
          .number("mass", &ClothOptions::mass, "kg", Bound::positive(), "of the whole body")
          .choice("law", &ClothOptions::law, law_help)
          .number("stretch", &ClothOptions::stretch, "N/m", Bound::positive(), "stiffness along threads")
          .number("shear", &ClothOptions::shear, "N/m", Bound::not_negative(), "stiffness along diagonals")
          .number("bend", &ClothOptions::bend, "N/m", Bound::not_negative(), "stiffness to second neighbors");
  return table;
}

const FieldTable<WireOptions>& wire_fields() {
  static const auto table =
      FieldTable<WireOptions>{}
          .number("mass", &WireOptions::mass, "kg", Bound::positive(), "of the whole body")
          .number("radius", &WireOptions::radius, "m", Bound::positive(), "of the cross-section")
          .choice("law", &WireOptions::law, law_help)
          .number("stiffness", &WireOptions::stiffness, "N/m", Bound::positive(), "of the springs")
          .number("volume", &WireOptions::volume, "J", Bound::not_negative(), "stiffness against change of volume")
          .number("torsion", &WireOptions::torsion, "N m^2", Bound::not_negative(), "torsional rigidity")
          .choice("torsion_law", &WireOptions::torsion_law, "s2: a force without potential")
          .flag("improved", &WireOptions::improved, "volume law that grows towards collapse")
          .number("collapse", &WireOptions::collapse, "", Bound::closed(1e-6, 1),
                  "improved: relative volume below which its force grows no further");
  return table;
}

const FieldTable<ParticlesOptions>& particles_fields() {
  static const auto table =
      FieldTable<ParticlesOptions>{}
          .number("mass", &ParticlesOptions::mass, "kg", Bound::positive(), "of each particle")
          .choice("law", &ParticlesOptions::law, law_help)
          .number("stiffness", &ParticlesOptions::stiffness, "N/m", Bound::positive(), "of the springs")
          .choice("potential", &ParticlesOptions::potential,
                  "of each particle, in metres: pendulum: 1 - cos x; quartic: x^4; double-well: (x^2 - 1)^2; kepler: "
                  "-1/r around the origin")
          .number("strength", &ParticlesOptions::strength, "J", Bound::positive(), "of the potential, a factor");
  return table;
}

const std::map<std::string, std::vector<std::string>>& keys_by_kind() {
  static const std::map<std::string, std::vector<std::string>> table = [] {
    std::map<std::string, std::vector<std::string>> keys{{"solid", solid_fields().keys()},
                                                         {"cloth", cloth_fields().keys()},
                                                         {"wire", wire_fields().keys()},
                                                         {"particles", particles_fields().keys()}};
    keys["solid"].emplace_back("material");
    keys["wire"].emplace_back("straight");
    return keys;
  }();
  return table;
}

/// Keys that hold more than a plain value and are read elsewhere.
const std::vector<std::string> body_tables{"mesh", "rotate", "deform",    "pin",    "attach",
                                           "push", "wind",   "constrain", "copies", "spacing"};

[[noreturn]] void refuse_key(const Node& member, const std::string& kind) {
  for (const auto& [other, keys] : keys_by_kind())
    if (std::ranges::count(keys, member.key) > 0)
      refuse(member, fmt::format("a {} has no such key", kind), fmt::format("it belongs to kind = \"{}\"", other));
  std::vector<std::string> known = common_fields().keys();
  known.insert(known.end(), body_tables.begin(), body_tables.end());
  known.insert(known.end(), keys_by_kind().at(kind).begin(), keys_by_kind().at(kind).end());
  refuse_unknown(member, known);
}

template <class Options>
Options read_kind(const Node& node, const std::string& kind, const FieldTable<Options>& table) {
  Options options;
  for (const Node& member : node.children) {
    if (std::ranges::count(body_tables, member.key) > 0 || common_fields().knows(member.key)) continue;
    if (member.key == (kind == "solid" ? "material" : kind == "wire" ? "straight" : "")) continue;  // read elsewhere
    if (!table.knows(member.key)) refuse_key(member, kind);
    table.set(options, member.entry(), node.path);
  }
  return options;
}

}  // namespace

const FieldTable<BodyCommon>& common_fields() {
  static const auto table =
      FieldTable<BodyCommon>{}
          .text("name", &BodyCommon::name, {}, "for reports, complaints and animation files; at most 100 bytes")
          .text("kind", &BodyCommon::kind, {"solid", "cloth", "wire", "particles"}, "else what the mesh suggests")
          .vector("position", &BodyCommon::position, "m", Bound::any(), "where the mesh's origin goes")
          .number("scale", &BodyCommon::scale, "", Bound::positive(), "of the mesh, about its origin")
          .vector("velocity", &BodyCommon::velocity, "m/s", Bound::any(), "at the start")
          .vector("spin", &BodyCommon::spin, "rad/s", Bound::any(), "at the start, about the center of mass")
          .list("color", &BodyCommon::color, "", Bound::closed(0, 1),
                "red, green and blue as screens show them (sRGB), in reports and animation files");
  return table;
}

void document_kinds(Reference& reference) {
  reference.table("body[] kind \"solid\"", solid_fields());
  reference.table("body[] kind \"cloth\"", cloth_fields());
  reference.table("body[] kind \"wire\"", wire_fields());
  reference.table("body[] kind \"particles\"", particles_fields());
}

BodyOptions read_options(const Node& node, const std::string& kind, const std::string& name, SceneMesh shape) {
  const auto with_mesh = [&](auto options) {
    options.name = name;
    options.mesh = std::move(shape.mesh);
    return options;
  };
  if (kind == "solid") {
    SolidOptions options = read_kind(node, kind, solid_fields());
    if (node.find("mass") != nullptr && node.find("density") != nullptr)
      refuse(*node.find("density"), "give mass or density, not both");
    if (const Node* material = node.find("material")) {
      require(*material, Node::Kind::table, "a table with a name and moduli");
      options.material = at_place_of(*material, [&] { return read_material(material->entries(), material->path); });
    }
    return with_mesh(std::move(options));
  }
  if (kind == "cloth") {
    ClothOptions options = read_kind(node, kind, cloth_fields());
    options.grid = shape.grid;
    return with_mesh(std::move(options));
  }
  if (kind == "wire") return with_mesh(read_kind(node, kind, wire_fields()));
  return with_mesh(read_kind(node, kind, particles_fields()));
}

}  // namespace brio
