/// What must hold for any bytes: a reader returns something sound, such as a mesh whose indices are in range and whose
/// coordinates are finite, or throws InputError. Anything else ends the program, which libFuzzer reports.
#pragma once

#include <cstdlib>
#include <string_view>

namespace brio {

void check_msh(std::string_view bytes);
void check_vtk(std::string_view bytes);
void check_vtu(std::string_view bytes);
void check_obj(std::string_view bytes);
void check_ply(std::string_view bytes);
void check_stl(std::string_view bytes);
void check_off(std::string_view bytes);
void check_tetgen(std::string_view bytes);      ///< the two files with a zero byte between them
void check_scene(std::string_view bytes);       ///< a scene, or an override as of --set, a zero byte and a scene
void check_checkpoint(std::string_view bytes);  ///< without magic word and checksum
void check_frames(std::string_view bytes);      ///< all checksums are made right
void check_ledger(std::string_view bytes);
void check_message(std::string_view bytes);  ///< that a page of the studio sends

inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace brio
