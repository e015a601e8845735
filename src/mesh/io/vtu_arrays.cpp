#include "mesh/io/vtu_arrays.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "mesh/io/base64.h"
#include "mesh/io/scalar.h"

namespace brio {
namespace {

/// zlib makes at most 1032 bytes out of one. [zlib technical details]
constexpr std::uint64_t max_inflation = 1032;

/// Numbers that a file may unpack to: counts, types and offsets of regular meshes shrink a hundredfold, all arrays
/// together hardly ever tenfold. What goes beyond is made to fill the memory.
constexpr std::uint64_t min_numbers = 4U << 20U;
constexpr std::uint64_t numbers_per_byte = 25;

std::optional<Scalar> scalar_of(std::string_view type) {
  constexpr std::string_view names[] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                        "UInt32", "Int64", "UInt64", "Float32", "Float64"};
  const auto found = std::ranges::find(names, type);
  if (found == std::end(names)) return std::nullopt;
  return static_cast<Scalar>(found - std::begin(names));
}

}  // namespace

/// How many numbers an array may have.
struct VtuArrays::Demand {
  std::uint64_t values;
  bool exactly;
};

/// Bytes of an array as they stand in the file (base64 undone), at first only those that are asked for.
struct VtuArrays::Raw {
  std::string_view text;  ///< from the start of the array to the end of all data
  bool base64 = false;
  bool broken = false;
  std::string bytes{};
  std::size_t used = 0;

  /// Makes the first `count` bytes available.
  bool need(std::uint64_t count) {
    if (count <= bytes.size()) return true;
    if (count > text.size()) return false;
    if (!base64) {
      bytes.assign(text.substr(0, count));
      used = bytes.size();
      return true;
    }
    std::optional<Decoded> decoded = decode_base64(text, count);
    broken = !decoded;
    if (!decoded) return false;
    bytes = std::move(decoded->bytes);
    used = decoded->used;
    return bytes.size() >= count;
  }
  std::uint64_t length(std::size_t index, std::size_t word, Coding coding) const {
    Input in(bytes, "");
    in.set_coding(coding);
    in.seek(index * word);
    return word == 4 ? in.get<std::uint32_t>("") : in.get<std::uint64_t>("");
  }
};

VtuArrays::VtuArrays(std::string_view bytes, std::string name)
    : bytes_(bytes),
      name_(std::move(name)),
      unread_(bytes.size()),
      budget_(min_numbers + numbers_per_byte * bytes.size()) {
  // Appended data may hold any bytes: the XML is parsed without them.
  std::string xml(bytes);
  if (const std::size_t tag = bytes.find("<AppendedData"); tag != std::string_view::npos) {
    const std::size_t close = std::min(bytes.find('>', tag), bytes.size() - 1);
    xml = std::string(bytes.substr(0, close + 1)) + "</AppendedData></VTKFile>";
    appended_ = std::min(bytes.find('_', close), bytes.size() - 1) + 1;
  }
  // Nothing but elements, attributes and text: no entities, no document types.
  const pugi::xml_parse_result result =
      document_.load_buffer(xml.data(), xml.size(), pugi::parse_minimal, pugi::encoding_utf8);
  if (!result) {
    Input in(bytes_, name_);
    in.seek(std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), bytes.size()));
    in.fail(fmt::format("not well-formed XML: {}", result.description()));
  }
  read_settings();
}

void VtuArrays::read_settings() {
  const pugi::xml_node file = root();
  if (std::string_view(file.name()) != "VTKFile") fail(file, "expected the element VTKFile", file.name());
  const std::string_view type = file.attribute("type").value();
  if (type != "UnstructuredGrid") fail(file, "type of VTKFile: must be UnstructuredGrid", type);
  const std::string_view order = file.attribute("byte_order").as_string("LittleEndian");
  if (order != "LittleEndian" && order != "BigEndian")
    fail(file, "byte_order: must be LittleEndian or BigEndian", order);
  coding_ = order == "BigEndian" ? Coding::big_endian : Coding::little_endian;
  const std::string_view header = file.attribute("header_type").as_string("UInt32");
  if (header != "UInt32" && header != "UInt64") fail(file, "header_type: must be UInt32 or UInt64", header);
  word_ = header == "UInt64" ? 8 : 4;
  const std::string_view compressor = file.attribute("compressor").value();
  if (!compressor.empty() && compressor != "vtkZLibDataCompressor")
    fail(file, "compressor: only vtkZLibDataCompressor is read", compressor, "write the file with zlib");
  compressed_ = !compressor.empty();
  if (appended_ == 0) return;
  const pugi::xml_node appended = file.child("AppendedData");
  const std::string_view encoding = appended.attribute("encoding").value();
  if (encoding != "raw" && encoding != "base64")
    fail(appended, "encoding of AppendedData: must be raw or base64", encoding);
  appended_base64_ = encoding == "base64";
}

void VtuArrays::fail(pugi::xml_node node, std::string problem, std::string_view value, std::string advice) const {
  Input in(bytes_, name_);
  in.seek(std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)), bytes_.size()));
  if (const std::string_view array = node.attribute("Name").value(); !array.empty())
    problem = fmt::format("array {}: {}", array.substr(0, 40), problem);
  in.fail(std::move(problem), value, std::move(advice));
}

/// Called before anything is allocated for them.
void VtuArrays::accept(pugi::xml_node array, const Demand& demand, std::uint64_t numbers) {
  if (demand.exactly && numbers != demand.values)
    fail(array, fmt::format("{} numbers expected, {} given", demand.values, numbers));
  if (numbers > demand.values)
    fail(array, fmt::format("at most {} numbers expected, {} given", demand.values, numbers));
  if (numbers > budget_)
    fail(array, fmt::format("{} numbers are too many for a file of {} bytes", numbers, bytes_.size()), {},
         "write the file without compression");
  budget_ -= numbers;
}

std::string VtuArrays::binary(pugi::xml_node array, const Demand& demand, std::size_t bytes_per_number) {
  Raw raw;
  if (std::string_view(array.attribute("format").value()) == "appended") {
    if (appended_ == 0) fail(array, "format is appended, but there is no AppendedData");
    const auto offset = array.attribute("offset").as_ullong(~0ULL);
    if (offset > bytes_.size() - appended_)
      fail(array, fmt::format("offset lies beyond the appended data ({} bytes)", bytes_.size() - appended_),
           array.attribute("offset").value());
    raw.text = bytes_.substr(appended_ + static_cast<std::size_t>(offset));
    raw.base64 = appended_base64_;
  } else {
    raw.text = array.child_value();
    raw.base64 = true;
  }
  const auto need = [&](std::uint64_t count) {
    if (raw.need(count)) return;
    if (raw.broken) fail(array, "data are not base64");
    fail(array,
         fmt::format("data end: {} bytes expected, {} there", count, raw.base64 ? raw.bytes.size() : raw.text.size()));
  };
  need(word_);
  const std::uint64_t first = raw.length(0, word_, coding_);
  std::string data;
  if (!compressed_) {
    if (first > bytes_.size()) fail(array, fmt::format("{} bytes declared, more than the file has", first));
    need(word_ + first);
    accept(array, demand, first / bytes_per_number);
    data = raw.bytes.substr(word_, static_cast<std::size_t>(first));
  } else {
    // Header: number of blocks, bytes per block, bytes of the last block if it is shorter, then packed bytes of each.
    if (first > bytes_.size()) fail(array, fmt::format("{} compressed blocks declared, more than can be", first));
    const auto header_bytes = static_cast<std::size_t>(word_ * (3 + first));
    if (first > 0) need(header_bytes);
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i < first; ++i) {
      const std::uint64_t block = raw.length(3 + i, word_, coding_);
      packed += std::min<std::uint64_t>(block, bytes_.size() + 1);
    }
    if (packed > bytes_.size()) fail(array, "compressed blocks are larger than the file");
    if (first > 0) need(header_bytes + packed);
    accept(array, demand, first > 0 ? unpacked_bytes(array, raw) / bytes_per_number : 0);
    data = inflate(array, raw, header_bytes);
  }
  if (raw.used > unread_) fail(array, "arrays overlap");
  unread_ -= raw.used;
  return data;
}

/// As the header says.
std::uint64_t VtuArrays::unpacked_bytes(pugi::xml_node array, const Raw& raw) const {
  const std::uint64_t block = raw.length(1, word_, coding_);
  const std::uint64_t last = raw.length(2, word_, coding_);
  const std::uint64_t whole_blocks = raw.length(0, word_, coding_) - (last > 0 ? 1 : 0);
  const std::uint64_t max_count = max_inflation * bytes_.size();
  if (last > max_count || (whole_blocks > 0 && block > max_count / whole_blocks))
    fail(array, fmt::format("compressed blocks of {} bytes are more than the file can hold", block));
  return whole_blocks * block + last;
}

std::string VtuArrays::inflate(pugi::xml_node array, const Raw& raw, std::size_t header_bytes) {
  const auto blocks = static_cast<std::size_t>(raw.length(0, word_, coding_));
  std::string data;
  std::size_t at = header_bytes;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint64_t last = raw.length(2, word_, coding_);
    const std::uint64_t size = i + 1 == blocks && last > 0 ? last : raw.length(1, word_, coding_);
    const auto packed = static_cast<std::size_t>(raw.length(3 + i, word_, coding_));
    if (size > max_inflation * packed)
      fail(array, fmt::format("compressed block {}: {} bytes cannot hold {}", i, packed, size));
    const std::size_t begin = data.size();
    data.resize(begin + static_cast<std::size_t>(size));
    uLongf length = static_cast<uLongf>(size);
    const int status = uncompress(reinterpret_cast<Bytef*>(data.data() + begin), &length,
                                  reinterpret_cast<const Bytef*>(raw.bytes.data() + at), static_cast<uLong>(packed));
    if (status != Z_OK || length != size) fail(array, fmt::format("compressed block {} is damaged", i));
    at += packed;
  }
  return data;
}

template <class T>
std::vector<T> VtuArrays::read_text(pugi::xml_node array) const {
  const pugi::xml_node text = array.first_child();
  std::vector<T> values;
  if (!text) return values;
  const auto begin = static_cast<std::size_t>(text.offset_debug());
  Input in(bytes_, name_, begin, begin + std::string_view(text.value()).size());
  while (in.has_word()) values.push_back(in.get<T>("a number"));
  return values;
}

template <class T>
std::vector<T> VtuArrays::read(pugi::xml_node array, const Demand& demand) {
  if (!array) fail(root(), "a DataArray is missing");
  const std::string_view type_name = array.attribute("type").value();
  const std::optional<Scalar> type = scalar_of(type_name);
  if (!type) fail(array, "unknown type", type_name);
  if (std::is_integral_v<T> && !is_whole(*type)) fail(array, "must be of a whole type", type_name);
  const std::string_view format = array.attribute("format").as_string("ascii");
  if (format == "ascii") {
    std::vector<T> values = read_text<T>(array);
    accept(array, demand, values.size());
    return values;
  }
  if (format != "binary" && format != "appended") fail(array, "format: must be ascii, binary or appended", format);
  const std::string data = binary(array, demand, size_of(*type));
  if (data.size() % size_of(*type) != 0)
    fail(array, fmt::format("{} bytes are no whole number of {}", data.size(), type_name));
  Input in(data, name_);
  in.set_coding(coding_);
  std::vector<T> values(data.size() / size_of(*type));
  with_type(*type, [&]<class Stored>(Stored) {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): Int8 arrays hold numbers, not characters
    for (T& value : values) value = static_cast<T>(in.get<Stored>("a number"));
  });
  return values;
}

std::vector<double> VtuArrays::numbers(pugi::xml_node array, std::size_t values) {
  return read<double>(array, {.values = values, .exactly = true});
}

std::vector<std::int64_t> VtuArrays::wholes(pugi::xml_node array, std::size_t values) {
  return read<std::int64_t>(array, {.values = values, .exactly = true});
}

std::vector<std::int64_t> VtuArrays::wholes_up_to(pugi::xml_node array, std::uint64_t max_count) {
  return read<std::int64_t>(array, {.values = max_count, .exactly = false});
}

}  // namespace brio
