/// A file that appears under its name only when it is complete. Everything that is not appended to is written this way.
#pragma once

#include <string>

#include "core/append_file.h"

namespace brio {

/// Written next to its place under a name that nobody can foresee, made by us alone, and renamed by `finish`: what
/// stands in its place, a link too, is replaced and never written through. What is not finished goes. Errors of the
/// disk throw WriteError.
class SafeFile {
 public:
  explicit SafeFile(std::filesystem::path path);
  ~SafeFile();

  void write(std::string_view bytes);
  /// `durable`: only when the disk has it, so that the name never stands for less, whatever happens to the machine.
  void finish(bool durable = false);
  std::uint64_t size() const { return part_.size() + buffer_.size(); }  ///< written so far [bytes]

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  AppendFile part_;
  std::string buffer_;
};

/// For a program that ends at once: removes what is being written by any thread, and keeps it from being renamed since.
void remove_unfinished_files();

/// The descriptor of a new file; -1 with errno EEXIST where there is anything of that name, be it a link to nowhere.
int create_new(const std::filesystem::path& path);

void write_safely(const std::filesystem::path& path, std::string_view bytes, bool durable = false);

/// The name of the file that a SafeFile of this name would have become, had its process not been killed; empty for
/// names that no SafeFile has.
std::string unfinished_file(std::string_view name);

}  // namespace brio
