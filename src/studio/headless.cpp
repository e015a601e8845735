#include "studio/headless.h"

#include <fstream>
#include <iterator>

#include "core/process.h"
#include "core/safe_file.h"
#include "core/scratch_folder.h"

namespace brio::studio {
namespace {

namespace fs = std::filesystem;

HeadlessAnswer answer_from(const Json& line) {
  HeadlessAnswer answer{.ms = line.at("ms"), .bytes = line.at("bytes"), .complaints = line.at("complaints")};
  const std::vector<double> x = line.at("positions");
  for (std::size_t i = 0; i + 2 < x.size(); i += 3) answer.positions.emplace_back(x[i], x[i + 1], x[i + 2]);
  return answer;
}

}  // namespace

std::optional<std::vector<HeadlessAnswer>> run_headless(const fs::path& page, const SharedScene& scene,
                                                        const std::vector<std::string>& messages, bool positions) {
  if (!fs::exists(page / "engine.wasm")) return {};
  const ScratchFolder folder(fs::temp_directory_path(), "brio-headless", "make room there, or set TMPDIR");
  const fs::path log = folder.path() / "log";
  if (run_process({"node", "--version"}, log) != 0) return {};
  std::string lines;
  for (const std::string& message : messages) lines += message + "\n";
  write_safely(folder.path() / "scene.json", write_shared(scene));
  write_safely(folder.path() / "messages", lines);
  std::vector<std::string> arguments{"node", (page / "headless.mjs").string(), page.string(),
                                     (folder.path() / "scene.json").string(), (folder.path() / "messages").string()};
  if (positions) arguments.emplace_back("--positions");
  const int code = run_process(std::move(arguments), log);
  std::ifstream in(log, std::ios::binary);
  if (code != 0)
    throw InputError(
        {.file = page.string(), .problem = "failed: " + std::string(std::istreambuf_iterator<char>(in), {})});
  std::vector<HeadlessAnswer> answers;
  for (std::string line; std::getline(in, line);) answers.push_back(answer_from(Json::parse(line)));
  return answers;
}

}  // namespace brio::studio
