#include <fmt/format.h>

#include "brio/core.h"
#include "core/printable.h"

namespace brio {

std::string Complaint::text() const {
  std::string out = file;
  if (line > 0) out += fmt::format(":{}", line);
  if (byte >= 0) out += fmt::format(": byte {}", byte);
  if (!out.empty()) out += ": ";
  if (!key.empty()) out += value.empty() ? key + ": " : fmt::format("{} = {}: ", key, value);
  if (key.empty() && !value.empty()) out += fmt::format("'{}': ", value);
  out += problem;
  if (!advice.empty()) out += "; " + advice;
  return printable(out);  // names and values are as somebody wrote them
}

InputError::InputError(Complaint complaint) : std::runtime_error(complaint.text()), complaint_(std::move(complaint)) {}

}  // namespace brio
