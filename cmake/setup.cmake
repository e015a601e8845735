# The part of the engine whose precompiled headers others share. Apart from src, so that programs can come before it:
# Ninja begins with what comes first, and they take long.
# What nearly every source includes, parsed once per level of optimization. Sources still include what they use.
set(BRIO_COMMON_HEADERS <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <algorithm> <array> <filesystem> <functional> <memory>
  <string> <variant> <vector>)

# What comes before steps and between them, lightly optimized, with materials that call a program's function for every
# element anyway. A target of its own, because precompiled headers carry the level with them, whatever the command line
# says; all that is lightly optimized shares its headers.
add_library(brio_setup OBJECT ${BRIO_SETUP_SOURCES})
target_include_directories(brio_setup PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(brio_setup PRIVATE EIGEN_MAX_ALIGN_BYTES=32)
target_compile_options(brio_setup PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(brio_setup PRIVATE Eigen3::Eigen fmt::fmt TBB::tbb brio_flags)
# Apart, since beside the registry, which names all materials, any source that sees how elements are made of them would
# make all of them once more.
file(GLOB material_sources ${PROJECT_SOURCE_DIR}/src/model/materials/*.cpp)
set_source_files_properties(${material_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
brio_batch_by_folder(brio_setup 14 ${BRIO_SETUP_SOURCES})
target_precompile_headers(brio_setup PRIVATE ${BRIO_COMMON_HEADERS})
