# Every outside library, in one place. docs/dependencies.md says why each was chosen.

# What a library itself links: those who link it need it too, so the installed package looks for it as well, for the
# engine or for all of brio.
macro(brio_library_needs whose)
  find_package(${ARGN} REQUIRED)
  string(REPLACE ";" " " BRIO_NEED "${ARGN}")
  string(APPEND BRIO_${whose}_NEEDS "find_dependency(${BRIO_NEED})\n")
endmacro()

brio_library_needs(ENGINE Eigen3 3.4 NO_MODULE)
brio_library_needs(ENGINE TBB 2021)
brio_library_needs(ENGINE fmt 9)
if(BRIO_WITH_GPL)
  find_path(BRIO_CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
endif()
if(BRIO_ENGINE_ONLY)
  return()
endif()

brio_library_needs(FILES pugixml 1.13)
brio_library_needs(FILES ZLIB)
brio_library_needs(FILES OpenMesh)
brio_library_needs(FILES LibArchive)
brio_library_needs(FILES OpenSSL 3 COMPONENTS Crypto)

# Header-only and not seen in public headers: only building brio needs it (as it does toml++, which needs no package).
find_package(nlohmann_json 3.11 REQUIRED)
if(BRIO_BUILD_APPS)
  find_package(CLI11 2.1 REQUIRED)
endif()
if(BRIO_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
