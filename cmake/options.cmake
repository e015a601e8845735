# How every target of the project is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT EMSCRIPTEN)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")  # for lines in profiles: CXXFLAGS=-g1, which takes a tenth longer
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")

find_program(BRIO_CCACHE ccache)
if(BRIO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers are cached only when ccache is told that their time stamps do not matter.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${BRIO_CCACHE})
endif()

# AVX2 + FMA where this machine has them, else the compiler's baseline: the lane type works on both, slower on the latter.
# A fixed level instead of `native` keeps the bits the same on every machine that reaches it.
include(CheckCXXSourceRuns)
if(NOT DEFINED BRIO_ARCH)
  set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
  check_cxx_source_runs(
    "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }" BRIO_HAS_AVX2)
  unset(CMAKE_REQUIRED_FLAGS)
  if(BRIO_HAS_AVX2)
    set(BRIO_ARCH "x86-64-v3" CACHE STRING "Value of -march; empty for the compiler's default")
  else()
    set(BRIO_ARCH "" CACHE STRING "Value of -march; empty for the compiler's default")
  endif()
endif()

add_library(brio_flags INTERFACE)
target_compile_options(brio_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  # GCC 12 sees uninitialized ghosts inside Eigen's fixed-size matrices at -O3.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  # The same source line gives the same bits wherever it is inlined: fused multiply-adds are written, never guessed.
  -ffp-contract=off -fno-math-errno $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  # Collecting garbage, mostly that of precompiled headers, takes GCC a fifth of its time; without it, a tenth more memory.
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=1000000>"
  # Tuning for this machine orders instructions; it does not change results.
  "$<$<BOOL:${BRIO_ARCH}>:-march=${BRIO_ARCH};-mtune=native>")
if(BRIO_SANITIZE)
  # Reports need lines, not variables, and tracking these through sanitized kernels doubles the time to compile.
  target_compile_options(brio_flags INTERFACE -fsanitize=${BRIO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  # GCC takes the sanitizers' own instructions for reads of uninitialized variables.
  target_compile_options(brio_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(brio_flags INTERFACE -fsanitize=${BRIO_SANITIZE})
endif()

# Defines BRIO_WITH_GPL, where it holds, for the sources that ask for it. They stay out of unity builds in either case:
# all others are the same in both builds, batch by batch.
function(brio_tell_of_copyleft)
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} asks REGEX BRIO_WITH_GPL LIMIT_COUNT 1)
    if(NOT asks)
      continue()
    endif()
    set_property(SOURCE ${source} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
    if(BRIO_WITH_GPL)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS BRIO_WITH_GPL)
    endif()
  endforeach()
endfunction()

# Where the preset makes a unity build, the sources of a folder are compiled together, in as many batches of like size as
# leave at most `size` in each: most of a small source's time goes into its headers. Who adds one recompiles its folder.
function(brio_batch_by_folder target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    string(REGEX REPLACE "[^a-z]+" "_" folder ${folder})
    list(APPEND folders ${folder})
    list(APPEND ${folder}_sources ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH ${folder}_sources count)
    math(EXPR batches "(${count} + ${size} - 1) / ${size}")
    set(place 0)
    foreach(source IN LISTS ${folder}_sources)
      math(EXPR batch "${place} * ${batches} / ${count}")
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${folder}_${batch})
      math(EXPR place "${place} + 1")
    endforeach()
  endforeach()
endfunction()
