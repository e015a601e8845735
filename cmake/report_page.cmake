# Builds the files of src/report/page into the library, so that a report needs nothing beside the program.
set(page_dir ${PROJECT_SOURCE_DIR}/src/report/page)
set(page_scripts data.js charts.js viewport.js playback.js main.js)  # in the order they build on each other
file(READ ${page_dir}/report.html BRIO_PAGE_HTML)
file(READ ${page_dir}/report.css BRIO_PAGE_STYLE)
set(BRIO_PAGE_SCRIPT "")
foreach(script IN LISTS page_scripts)
  file(READ ${page_dir}/${script} text)
  # The viewport is a module that the studio's page imports; here all is one.
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND BRIO_PAGE_SCRIPT "${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_dir}/${script})
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_dir}/report.html ${page_dir}/report.css)
configure_file(${PROJECT_SOURCE_DIR}/src/report/page_files.cpp.in ${PROJECT_BINARY_DIR}/page_files.cpp @ONLY)
target_sources(brio PRIVATE ${PROJECT_BINARY_DIR}/page_files.cpp)
