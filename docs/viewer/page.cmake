# Makes one page of the viewer's files, as HTML and as a C++ source that holds it:
#   cmake -D FOLDER=docs/viewer -D HTML=viewer.html -D SOURCE=viewer_page.cpp -P page.cmake
# A mark /*name.css*/ or /*name.js*/ in page.html becomes that file; before a module, those that it imports, and these once.
# They lose their import lines and the word export: no two modules may use one name at their top.
cmake_minimum_required(VERSION 3.25)

set(chunk "/*chunk*/")  # between files: a literal of C++ should not become too long

# place(NAME): appends the text of a file, after those of the modules that it imports, to the property PLACED.
function(place name)
  get_property(done GLOBAL PROPERTY DONE)
  if(name IN_LIST done)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY DONE ${name})
  file(STRINGS ${FOLDER}/${name} imports REGEX "^import ")
  string(REGEX MATCHALL "\"\\./[^\"]+\"" imports "${imports}")
  foreach(import IN LISTS imports)
    string(REGEX REPLACE "\"\\./|\"" "" import ${import})
    place(${import})
  endforeach()
  file(READ ${FOLDER}/${name} text)
  if(name MATCHES "\\.js$")
    string(REGEX REPLACE "\nimport [^\n]*;" "" text "\n${text}")
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY PLACED "${text}${chunk}")
endfunction()

file(READ ${FOLDER}/page.html page)
string(REGEX MATCHALL "/\\*[a-z_]+\\.(css|js)\\*/" marks "${page}")
set(all_done page.html page.cmake package.json)  # the last tells node that the files are modules
foreach(mark IN LISTS marks)
  set_property(GLOBAL PROPERTY DONE)
  set_property(GLOBAL PROPERTY PLACED "${chunk}")
  string(REGEX REPLACE "^/\\*|\\*/$" "" name ${mark})
  place(${name})
  get_property(placed GLOBAL PROPERTY PLACED)
  get_property(done GLOBAL PROPERTY DONE)
  list(APPEND all_done ${done})
  string(REPLACE "${mark}" "${placed}" page "${page}")
endforeach()

file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*)
list(REMOVE_ITEM files ${all_done})
if(files)
  message(FATAL_ERROR "the viewer's page does not use ${files}")
endif()

string(REPLACE "${chunk}" "" html "${page}")
file(WRITE ${HTML} "${html}")
string(REPLACE "${chunk}" ")page\"\n  R\"page(" literal "${page}")
file(WRITE ${SOURCE} "// Made from docs/viewer.
namespace gradus::inspect {
extern const char* const viewer_page;
const char* const viewer_page = R\"page(${literal})page\";
}  // namespace gradus::inspect
")
