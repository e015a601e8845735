/// The data arrays of VTK's XML files: written as text, in base64 or appended raw, in one piece or in blocks compressed
/// by zlib, with lengths of 32 or 64 bits in either byte order. [VTK File Formats, "XML File Formats"]
#pragma once

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/io/input.h"

namespace brio {

class VtuArrays {
 public:
  /// Parses the XML around the arrays.
  VtuArrays(std::string_view bytes, std::string name);

  pugi::xml_node root() const { return document_.document_element(); }

  /// `values` numbers; the array must hold exactly so many.
  std::vector<double> numbers(pugi::xml_node array, std::size_t values);
  std::vector<std::int64_t> wholes(pugi::xml_node array, std::size_t values);
  /// As many whole numbers as the array holds, but no more than `max_count`.
  std::vector<std::int64_t> wholes_up_to(pugi::xml_node array, std::uint64_t max_count);

  [[noreturn]] void fail(pugi::xml_node node, std::string problem, std::string_view value = {},
                         std::string advice = {}) const;

 private:
  struct Raw;
  struct Demand;
  template <class T>
  std::vector<T> read(pugi::xml_node array, const Demand& demand);
  template <class T>
  std::vector<T> read_text(pugi::xml_node array) const;
  std::string binary(pugi::xml_node array, const Demand& demand, std::size_t bytes_per_number);
  void accept(pugi::xml_node array, const Demand& demand, std::uint64_t numbers);
  std::uint64_t unpacked_bytes(pugi::xml_node array, const Raw& raw) const;
  std::string inflate(pugi::xml_node array, const Raw& raw, std::size_t header_bytes);
  void read_settings();

  std::string_view bytes_;
  std::string name_;
  pugi::xml_document document_;
  std::size_t appended_ = 0;  ///< where appended data start; 0 = there are none
  bool appended_base64_ = false;
  Coding coding_ = Coding::little_endian;
  std::size_t word_ = 4;  ///< bytes per length in the headers of blocks
  bool compressed_ = false;
  std::size_t unread_;    ///< arrays do not overlap, so all together they read no more than the file
  std::uint64_t budget_;  ///< numbers that may still be unpacked
};

}  // namespace brio
