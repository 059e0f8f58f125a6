# Makes one page of HTML of modules and style sheets, as a C++ source that holds it, without Node:
#   cmake -D PAGE=docs/viewer/page.html -D SOURCE=viewer_page.cpp -D NAME=gradus::inspect::viewer_page -P page.cmake
# A mark /*name.css*/ or /*name.js*/ in the page becomes that file, beside it or at ../; before a module, those that it imports,
# and these once. They lose their import lines and the word export: no two may use one name at their top. But a module with a
# default export is a scope of its own, and the file's name is what it exports. FILES, if given, must all be in the page.
# Browsers older than 2024, which do not know light-dark(), get the light colours.
cmake_minimum_required(VERSION 3.25)

set(chunk "/*chunk*/")  # between files: a literal of C++ should not become too long

# place(FILE): appends the text of a file, after those of the modules that it imports, to the property PLACED.
function(place file)
  cmake_path(NORMAL_PATH file)
  get_property(done GLOBAL PROPERTY DONE)
  if(file IN_LIST done)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY DONE ${file})
  cmake_path(GET file PARENT_PATH folder)
  file(STRINGS ${file} imports REGEX "^(import|export) .* from \"\\.|^import \"\\.")
  string(REGEX MATCHALL "\"\\.[^\"]+\"" imports "${imports}")
  foreach(import IN LISTS imports)
    string(REPLACE "\"" "" import ${import})
    place(${folder}/${import})
  endforeach()
  file(READ ${file} text)
  cmake_path(GET file STEM name)
  if(file MATCHES "js$")
    string(REGEX REPLACE "\nimport [^\n]*;" "" text "\n${text}")
    if(text MATCHES "\nexport default ")
      string(REPLACE "\nexport default " "\nreturn " text "const ${name} = (() => {${text}})();\n")
    endif()
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
  elseif(text MATCHES "light-dark")
    string(REGEX REPLACE "light-dark\\((#[0-9a-f]+), #[0-9a-f]+\\)" "\\1" light "${text}")
    string(APPEND text "@supports not (color: light-dark(#fff, #000)) {\n${light}}\n")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY PLACED "${text}${chunk}")
endfunction()

file(READ ${PAGE} page)
cmake_path(GET PAGE PARENT_PATH folder)
string(REGEX MATCHALL "/\\*[a-z_./]+\\.(css|m?js)\\*/" marks "${page}")
foreach(mark IN LISTS marks)
  set_property(GLOBAL PROPERTY DONE)
  set_property(GLOBAL PROPERTY PLACED "${chunk}")
  string(REGEX REPLACE "^/\\*|\\*/$" "" name ${mark})
  place(${folder}/${name})
  get_property(placed GLOBAL PROPERTY PLACED)
  get_property(done GLOBAL PROPERTY DONE)
  list(APPEND all_done ${done})
  string(REPLACE "${mark}" "${placed}" page "${page}")
endforeach()

if(FILES)
  list(REMOVE_ITEM FILES ${all_done})
endif()
if(FILES)
  message(FATAL_ERROR "the page ${PAGE} does not use ${FILES}")
endif()

string(REPLACE "${chunk}" ")page\"\n  R\"page(" literal "${page}")
string(REGEX MATCH "^(.*)::(.*)$" ignored ${NAME})
file(WRITE ${SOURCE} "// Made from ${PAGE}.
namespace ${CMAKE_MATCH_1} {
extern const char* const ${CMAKE_MATCH_2};
const char* const ${CMAKE_MATCH_2} = R\"page(${literal})page\";
}  // namespace ${CMAKE_MATCH_1}
")
