#include "studio/share.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "brio/mesh_io.h"
#include "brio/mesh_models.h"
#include "record/exports/formats.h"
#include "report/pack.h"
#include "scene/value.h"
#include "studio/session.h"

namespace brio::studio {
namespace {

const std::string* text_of(const Node& node, const char* key) {
  const Node* const member = node.find(key);
  return member == nullptr ? nullptr : std::get_if<std::string>(&member->value);
}

/// Any table with a `file` or a `model` is a mesh.
void gather_meshes(const Node& node, const std::filesystem::path& folder, SharedScene& shared) {
  if (const std::string* const file = text_of(node, "file"))
    if (!shared.files.contains(*file)) shared.files[*file] = read_mesh(folder / *file);
  if (const std::string* const model = text_of(node, "model")) {
    const Node* const vertices = node.find("vertices");
    const auto* const number = vertices == nullptr ? nullptr : std::get_if<std::int64_t>(&vertices->value);
    const int wanted = number == nullptr ? 0 : static_cast<int>(*number);
    if (!shared.models.contains({*model, wanted}))
      shared.models[{*model, wanted}] = load_model(*model, {.vertices = wanted});
  }
  for (const Node& child : node.children) gather_meshes(child, folder, shared);
}

/// As a Content-Security-Policy names what it allows.
std::string source_hash(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL cannot hash");
  std::string base64(4 * ((size + 2) / 3) + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(base64.data()), hash.data(), static_cast<int>(size));
  base64.resize(static_cast<std::size_t>(length));
  return "'sha256-" + base64 + "'";
}

void put_in_place_of(std::string_view what, const std::string& by, std::string& html) {
  const std::size_t place = html.find(what);
  if (place == std::string::npos) throw std::logic_error(fmt::format("the page has no {}", what));
  html.replace(place, what.size(), by);
}

/// Of what pages hand on; three.js and uPlot keep theirs in their scripts.
constexpr const char* licenses =
    "<!-- In here, as WebAssembly, with brio: Eigen (MPL-2.0, https://eigen.tuxfamily.org), fmt (MIT, Victor Zverovich "
    "and contributors), toml++ (MIT, Mark Gillard), nlohmann-json (MIT, Niels Lohmann), xxHash (BSD-2-Clause, Yann "
    "Collet), musl (MIT, Rich Felker and contributors), libc++ (Apache-2.0 with LLVM exception), Emscripten (MIT). "
    "-->\n";

/// A script in a page ends where it says so, within a text too.
std::string without_end_tags(std::string script) {
  for (std::size_t at = 0; (at = script.find("</script", at)) != std::string::npos;) script.replace(at, 2, "<\\/");
  return script;
}

}  // namespace

SharedScene gather(const SceneText& scene, const std::vector<std::string>& integrators) {
  const Session runs(scene, integrators);
  SharedScene shared{.text = scene.text, .name = scene.name, .integrators = integrators, .formats = export_names()};
  gather_meshes(parse_toml(scene.text, scene.name), scene.folder, shared);
  return shared;
}

std::string share_page(const PageParts& parts, const SharedScene& scene) {
  const std::string script = without_end_tags(parts.script);
  // What the page may do: run its own scripts, start the worker that it brings along, and load nothing from anywhere.
  const std::string rules = fmt::format(
      "default-src 'none'; script-src {} 'wasm-unsafe-eval'; worker-src blob:; style-src {}; img-src data: blob:; "
      "media-src blob:; base-uri 'none'; form-action 'none'",
      source_hash(script), source_hash(parts.style));
  const auto part = [](const char* name, std::string_view bytes) {
    return fmt::format("<script type=\"text/plain\" id=\"brio-{}\">{}</script>\n", name, packed(bytes));
  };
  std::string html = parts.html;
  put_in_place_of("<meta charset=\"utf-8\">",
                  "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"" + rules + "\">",
                  html);
  put_in_place_of("<head>", std::string(licenses) + "<head>", html);
  put_in_place_of("<link rel=\"stylesheet\" href=\"studio.css\">", "<style>" + parts.style + "</style>", html);
  put_in_place_of("<script src=\"studio.js\" type=\"module\"></script>",
                  part("worker", parts.worker) + part("engine", parts.engine) + part("scene", write_shared(scene)) +
                      "<script type=\"module\">" + script + "</script>",
                  html);
  return html;
}

}  // namespace brio::studio
