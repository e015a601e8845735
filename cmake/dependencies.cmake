# Every outside library, in one place. docs/dependencies.md says why each was chosen.

# What the library itself links: those who link brio need it too, so the installed package looks for it as well.
macro(brio_library_needs)
  find_package(${ARGV} REQUIRED)
  string(REPLACE ";" " " BRIO_NEED "${ARGV}")
  string(APPEND BRIO_FIND_DEPENDENCIES "find_dependency(${BRIO_NEED})\n")
endmacro()

brio_library_needs(Eigen3 3.4 NO_MODULE)
brio_library_needs(TBB 2021)
brio_library_needs(fmt 9)
brio_library_needs(pugixml 1.13)
brio_library_needs(ZLIB)
brio_library_needs(OpenMesh)
brio_library_needs(LibArchive)
brio_library_needs(OpenSSL 3 COMPONENTS Crypto)

if(BRIO_WITH_GPL)
  find_path(BRIO_CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
endif()

# Header-only and not seen in public headers: only building brio needs it (as it does toml++, which needs no package).
find_package(nlohmann_json 3.11 REQUIRED)
if(BRIO_BUILD_APPS)
  find_package(CLI11 2.1 REQUIRED)
  find_package(spdlog 1.10 REQUIRED)
endif()
if(BRIO_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
