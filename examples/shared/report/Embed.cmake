# Writes SOURCE, which defines look_css() as the text of FILES, one after the other.
set(text "")
foreach(file IN LISTS FILES)
  file(READ ${file} one)
  string(APPEND text "${one}")
endforeach()
file(WRITE ${SOURCE} "#include \"examples/shared/report/look.h\"

namespace gradus::examples {

const std::string& look_css() {
  static const std::string css = R\"css(${text})css\";
  return css;
}

}  // namespace gradus::examples
")
