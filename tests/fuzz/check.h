/// What must hold for any bytes: a reader returns a mesh whose indices are in range and whose coordinates are finite,
/// or throws InputError. Anything else ends the program, which libFuzzer reports.
#pragma once

#include <string_view>

namespace brio {

void check_msh(std::string_view bytes);
void check_vtk(std::string_view bytes);
void check_vtu(std::string_view bytes);
void check_obj(std::string_view bytes);
void check_ply(std::string_view bytes);
void check_stl(std::string_view bytes);
void check_off(std::string_view bytes);
void check_tetgen(std::string_view bytes);  ///< the two files with a zero byte between them

}  // namespace brio
