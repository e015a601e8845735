/// The files of src/report/page, built into the program.
#pragma once

namespace brio::page_files {

extern const char* const html;
extern const char* const style;
extern const char* const script;

}  // namespace brio::page_files
