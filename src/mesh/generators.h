/// The registry of mesh generators: what scenes, `brio mesh --generate` and the documentation know of them.
/// Adding one = its options and function in brio/mesh.h, its table and code in a file under generators/, and a line in
/// that file's list.
#pragma once

#include <functional>

#include "brio/mesh.h"
#include "core/fields.h"

namespace brio {

/// A generator's field and its default.
struct GeneratorField {
  FieldInfo info;
  Value standard;
};

struct Generator {
  std::string name;
  std::string sentence;
  std::vector<GeneratorField> fields;
  std::function<Mesh(const std::vector<Entry>& options, const std::string& path)> make;
};

const std::vector<Generator>& generators();

/// Looks the generator up, reads its options and runs it. `path` is put before keys in complaints.
Mesh generate_mesh(const std::string& name, const std::vector<Entry>& options, const std::string& path = {});

/// Refuses a mesh of more than 50 million cells, before memory is asked for. A double, since the product of the user's
/// counts may not fit a whole number.
void refuse_too_many_cells(double cells, const char* key);

template <class Options>
Generator make_generator(std::string name, std::string sentence, const FieldTable<Options>& table,
                         Mesh (*make)(const Options&)) {
  Generator generator{.name = std::move(name), .sentence = std::move(sentence), .fields = {}, .make = {}};
  for (const auto& field : table.fields()) generator.fields.push_back({field.info, field.get(Options{})});
  generator.make = [&table, make](const std::vector<Entry>& options, const std::string& path) {
    return make(table.read(options, path));
  };
  return generator;
}

std::vector<Generator> block_generators();
std::vector<Generator> sheet_generators();
std::vector<Generator> round_generators();
std::vector<Generator> curve_generators();
std::vector<Generator> cactus_generators();

}  // namespace brio
