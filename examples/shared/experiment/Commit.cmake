# Writes SOURCE, which defines source_commit() as commit.h has it, of the clone ROOT. What says so already is left as it is.
cmake_minimum_required(VERSION 3.25)
set(built_from core nn optim examples CMakeLists.txt)
execute_process(COMMAND git -C ${ROOT} log -1 --format=%h -- ${built_from}
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -C ${ROOT} diff --quiet HEAD -- ${built_from} RESULT_VARIABLE changed OUTPUT_QUIET ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
elseif(changed)
  string(APPEND commit +)
endif()
file(CONFIGURE OUTPUT ${SOURCE} CONTENT "#include \"examples/shared/experiment/commit.h\"

const std::string& gradus::examples::source_commit() {
  static const std::string commit = \"${commit}\";
  return commit;
}
")
