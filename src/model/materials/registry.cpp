#include "model/materials/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "model/body_checks.h"
#include "model/energies/tets.h"
#include "model/materials/corotated.h"
#include "model/materials/custom.h"
#include "model/materials/density_check.h"
#include "model/materials/mooney_rivlin.h"
#include "model/materials/neo_hookean.h"
#include "model/materials/stvk.h"

namespace brio {

namespace {

template <class Psi>
auto solid(Psi (*from)(const Material&)) {
  return [from](const Material& m, std::vector<Tet> tets, const NodalField& rest) -> std::unique_ptr<Energy> {
    return make_tets(from(m), std::move(tets), rest);
  };
}

Lame given(const Material& m) { return {m.mu, m.lambda}; }

std::deque<MaterialEntry> make_materials() {
  const std::vector<std::string> moduli{"mu", "lambda"};
  return {
      {StVK::name, "mu E:E + lambda/2 tr(E)^2", "rubbery motion with exact energy; gives in under strong compression",
       "Rojas, Liu & Kavan 2018, section 4", StVK::force_degree, StVK::barrier, moduli,
       solid<StVK>([](const Material& m) {
         return StVK{m.mu, m.lambda};
       }),
       given},
      {StVKVolume::name,
       "mu E:E + lambda/2 tr(E)^2 + kappa/2 (J-1)^2",
       "stvk that resists compression and inversion",
       "Rojas, Liu & Kavan 2018, limitations",
       StVKVolume::force_degree,
       StVKVolume::barrier,
       {"mu", "lambda", "kappa"},
       solid<StVKVolume>([](const Material& m) {
         return StVKVolume{m.mu, m.lambda, m.kappa};
       }),
       [](const Material& m) {
         return Lame{m.mu, m.lambda + m.kappa};
       }},
      {Corotated::name, "mu |F-R|^2 + lambda/2 tr(R^T F - I)^2", "robust and soft; lambda = 0 is as-rigid-as-possible",
       "Müller & Gross 2004; Dinev et al. 2018", Corotated::force_degree, Corotated::barrier, moduli,
       solid<Corotated>([](const Material& m) {
         return Corotated{m.mu, m.lambda};
       }),
       given},
      {NeoHookean::name, "mu/2 (I_C-3) - mu ln J + lambda/2 (J-1)^2", "large strains that must never invert",
       "Bonet & Burton 1998; Kharevych et al. 2006", NeoHookean::force_degree, NeoHookean::barrier, moduli,
       solid<NeoHookean>([](const Material& m) {
         return NeoHookean{m.mu, m.lambda};
       }),
       given},
      {StableNeoHookean::name, "mu/2 (I_C-3) - mu (J-1) + (lambda+mu)/2 (J-1)^2",
       "the one to start with: flesh-like, recovers from inversion", "Smith, de Goes & Kim 2018, eq. 13",
       StableNeoHookean::force_degree, StableNeoHookean::barrier, moduli,
       solid<StableNeoHookean>([](const Material& m) {
         return StableNeoHookean{m.mu, m.lambda};
       }),
       given},
      {MooneyRivlin::name,
       "a (J^(-2/3) I_C - 3) + b (J^(-4/3) I_2 - 3) + kappa/2 (J-1)^2",
       "rubber with measured constants",
       "Mooney 1940; Rivlin 1948; Kharevych et al. 2006",
       MooneyRivlin::force_degree,
       MooneyRivlin::barrier,
       {"a", "b", "kappa"},
       solid<MooneyRivlin>([](const Material& m) {
         return MooneyRivlin{m.a, m.b, m.kappa};
       }),
       [](const Material& m) {
         return Lame{2 * (m.a + m.b), m.kappa - 4.0 / 3.0 * (m.a + m.b)};
       }},
  };
}

std::deque<MaterialEntry>& registered_materials() {
  static std::deque<MaterialEntry> instance = make_materials();
  return instance;
}

/// Parameters as a user may write them.
struct Written {
  std::string name = Material{}.name;
  double mu = 0, lambda = 0, young = 0, poisson = 0, kappa = 0, a = 0, b = 0;
};

/// Made anew each time: materials may have been registered since.
FieldTable<Written> table() {
  std::vector<std::string> names;
  for (const MaterialEntry& entry : materials()) names.push_back(entry.name);
  return FieldTable<Written>{}
      .text("name", &Written::name, names, "the material")
      .number("mu", &Written::mu, "Pa", Bound::positive(), "shear modulus; with lambda")
      .number("lambda", &Written::lambda, "Pa", Bound::any(), "second Lamé modulus, more than -2/3 mu; with mu")
      .number("young", &Written::young, "Pa", Bound::positive(),
              "Young's modulus; with poisson, instead of mu and lambda")
      .number("poisson", &Written::poisson, "", Bound::open(-1, 0.5), "Poisson's ratio; with young")
      .number("kappa", &Written::kappa, "Pa", Bound::positive(),
              "volume stiffness of stvk-volume, bulk modulus of mooney-rivlin")
      .number("a", &Written::a, "Pa", Bound::not_negative(), "first Mooney–Rivlin constant")
      .number("b", &Written::b, "Pa", Bound::not_negative(), "second Mooney–Rivlin constant");
}

const Entry* find(const std::vector<Entry>& entries, const std::string& key) {
  const auto place = std::find_if(entries.begin(), entries.end(), [&key](const Entry& e) { return e.key == key; });
  return place == entries.end() ? nullptr : &*place;
}

bool takes(const MaterialEntry& entry, const std::string& key) {
  return std::find(entry.keys.begin(), entry.keys.end(), key) != entry.keys.end();
}

/// Finite, and of a rest shape that is stable; a NaN is neither.
bool are_sound(const Lame& moduli) {
  return moduli.mu > 0 && moduli.lambda > -2.0 / 3.0 * moduli.mu && std::isfinite(2 * moduli.mu + moduli.lambda);
}

/// A complaint at the place of `near`, about a key that is missing there.
[[noreturn]] void refuse_missing(const std::vector<Entry>& near, const std::string& path, const std::string& problem) {
  throw InputError({.file = near.empty() ? "" : near.front().file,
                    .line = near.empty() ? 0 : near.front().line,
                    .key = path,
                    .problem = problem});
}

}  // namespace

Lame lame(double young, double poisson) {
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

const std::deque<MaterialEntry>& materials() { return registered_materials(); }

void register_material(MaterialLaw law) {
  for (const MaterialEntry& entry : materials())
    if (entry.name == law.name) throw InputError({.key = "material.name", .value = law.name, .problem = "is taken"});
  if (!law.density) throw InputError({.key = "material.density", .value = law.name, .problem = "is missing"});
  check_density(law);
  const auto make = [density = law.density, small_strain = law.small_strain](
                        const Material& m, std::vector<Tet> tets, const NodalField& rest) -> std::unique_ptr<Energy> {
    const auto of_m = [density, m](const StrainInvariants& I) { return density(m, I); };
    return make_tets(CustomLaw{of_m, small_strain(m)}, std::move(tets), rest);
  };
  registered_materials().push_back({law.name, law.formula, law.sentence, law.reference, CustomLaw::force_degree,
                                    CustomLaw::barrier, law.keys, make, law.small_strain});
}

const MaterialEntry& find_material(const std::string& name) {
  std::vector<std::string> names;
  for (const MaterialEntry& entry : materials()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  refuse_name("material.name", name, "unknown material", names);
}

void check_material(const Material& material, const std::string& path) {
  const MaterialEntry& entry = find_material(material.name);
  static const Material untouched;
  const auto check = [&](const char* key, double Material::*member, const Bound& bound) {
    if (takes(entry, key)) return check_number(path + "." + key, material.*member, bound);
    if (material.*member != untouched.*member)
      throw InputError({.key = path + "." + key,
                        .value = fmt::format("{}", material.*member),
                        .problem = fmt::format("{} has no such parameter", entry.name),
                        .advice = fmt::format("it has {}; leave others as they are", fmt::join(entry.keys, ", "))});
  };
  check("mu", &Material::mu, Bound::positive());
  check("lambda", &Material::lambda, Bound::any());
  check("kappa", &Material::kappa, Bound::positive());
  check("a", &Material::a, Bound::not_negative());
  check("b", &Material::b, Bound::not_negative());
  if (takes(entry, "lambda") && !(material.lambda > -2.0 / 3.0 * material.mu))
    throw InputError({.key = path + ".lambda",
                      .value = fmt::format("{}", material.lambda),
                      .problem = "must be more than -2/3 mu, or the rest shape is unstable"});
  if (takes(entry, "a") && !(material.a + material.b > 0))
    throw InputError({.key = path, .problem = "a + b must be positive, or the material has no shear stiffness"});
  if (const Lame rest = entry.small_strain(material); !are_sound(rest))
    throw InputError({.key = path,
                      .value = entry.name,
                      .problem = fmt::format("has the moduli mu = {} Pa, lambda = {} Pa at rest, which must be finite, "
                                             "mu > 0 and lambda > -2/3 mu",
                                             rest.mu, rest.lambda)});
}

Material read_material(const std::vector<Entry>& entries, const std::string& path) {
  const Written written = table().read(entries, path);
  const MaterialEntry& entry = find_material(written.name);
  const bool has_moduli = takes(entry, "mu");
  for (const Entry& given_entry : entries) {
    const std::string& key = given_entry.key;
    const bool elastic = key == "young" || key == "poisson";
    if (key == "name" || (elastic && has_moduli) || takes(entry, key)) continue;
    fields_detail::refuse(given_entry, path, fmt::format("{} has no such parameter", entry.name),
                          fmt::format("it takes {}{}", fmt::join(entry.keys, ", "),
                                      has_moduli ? ", or young and poisson for mu and lambda" : ""));
  }
  Material material{.name = written.name};
  if (has_moduli) {
    const bool direct = find(entries, "mu") != nullptr || find(entries, "lambda") != nullptr;
    const bool technical = find(entries, "young") != nullptr || find(entries, "poisson") != nullptr;
    const bool complete = direct ? find(entries, "mu") != nullptr && find(entries, "lambda") != nullptr
                                 : find(entries, "young") != nullptr && find(entries, "poisson") != nullptr;
    if (direct == technical || !complete)
      refuse_missing(entries, path, "give either mu and lambda, or young and poisson");
    const Lame moduli = direct ? Lame{written.mu, written.lambda} : lame(written.young, written.poisson);
    if (direct && moduli.lambda <= -2.0 / 3.0 * moduli.mu)
      fields_detail::refuse(*find(entries, "lambda"), path, "must be more than -2/3 mu, or the rest shape is unstable");
    if (!direct && !are_sound(moduli)) {
      const bool sound_ratio = are_sound(lame(1, written.poisson));
      fields_detail::refuse(*find(entries, sound_ratio ? "young" : "poisson"), path,
                            fmt::format("gives mu = {} Pa and lambda = {} Pa, which must be finite, mu > 0 and lambda "
                                        "> -2/3 mu",
                                        moduli.mu, moduli.lambda),
                            sound_ratio ? "" : "stay further away from the bound");
    }
    material.mu = moduli.mu;
    material.lambda = moduli.lambda;
  }
  for (const auto& [key, member, value] :
       {std::tuple{"kappa", &Material::kappa, written.kappa}, std::tuple{"a", &Material::a, written.a},
        std::tuple{"b", &Material::b, written.b}}) {
    if (!takes(entry, key)) continue;
    if (find(entries, key) == nullptr) refuse_missing(entries, path, fmt::format("{} needs {} [Pa]", entry.name, key));
    material.*member = value;
  }
  if (entry.name == MooneyRivlin::name && material.a + material.b <= 0)
    refuse_missing(entries, path, "a + b must be positive, or the material has no shear stiffness");
  return material;
}

}  // namespace brio
