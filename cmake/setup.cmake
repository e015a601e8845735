# Which source belongs to which library; and the part of the engine whose precompiled headers others share. Apart from
# src, so that programs can come before it: Ninja begins with what comes first, and they take long.
file(GLOB_RECURSE BRIO_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
file(GLOB BRIO_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/brio/*.h)
set(BRIO_ENGINE_SOURCES ${BRIO_SOURCES})
list(FILTER BRIO_ENGINE_SOURCES INCLUDE REGEX "/src/(core|math|mesh|model|contact|objective|solvers|integrators|sim)/")
list(FILTER BRIO_ENGINE_SOURCES EXCLUDE REGEX "/src/mesh/(io|models)/")
set(BRIO_SETUP_SOURCES ${BRIO_ENGINE_SOURCES})
list(FILTER BRIO_SETUP_SOURCES INCLUDE REGEX
  "/src/(core|mesh|sim)/|/(bodies|body_checks|cloth_springs|custom|density_check|removal|wire|materials/registry)\\.cpp$")
list(FILTER BRIO_SETUP_SOURCES EXCLUDE REGEX "/(core/(hash|platform|threads)|sim/view)\\.cpp$")
set(BRIO_LAB_SOURCES ${BRIO_SOURCES})
list(FILTER BRIO_LAB_SOURCES INCLUDE REGEX "/src/(experiments|torture)/")
set(BRIO_STUDIO_SOURCES ${BRIO_SOURCES})
list(FILTER BRIO_STUDIO_SOURCES INCLUDE REGEX "/src/studio/")
list(REMOVE_ITEM BRIO_SOURCES ${BRIO_ENGINE_SOURCES} ${BRIO_LAB_SOURCES} ${BRIO_STUDIO_SOURCES})
set(BRIO_ENGINE_HEADERS ${BRIO_HEADERS})
list(FILTER BRIO_HEADERS INCLUDE REGEX "/(brio|mesh_io|mesh_models|record|run|scene)\\.h$")
list(REMOVE_ITEM BRIO_ENGINE_HEADERS ${BRIO_HEADERS})

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
