# Writes SOURCE, which defines FUNCTION(), declared in HEADER, as the text of FILES, one after the other.
set(text "")
foreach(file IN LISTS FILES)
  file(READ ${file} one)
  string(APPEND text "${one}")
endforeach()
file(WRITE ${SOURCE} "#include \"${HEADER}\"

namespace gradus::examples {

const std::string& ${FUNCTION}() {
  static const std::string text = R\"text(${text})text\";
  return text;
}

}  // namespace gradus::examples
")
