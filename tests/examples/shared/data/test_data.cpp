// The sources that a program finds by GRADUS_ROOT.
#include "examples/shared/data/data.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/core/io/temporary_directory.h"

using namespace gradus;

TEST_CASE("data: a folder's name is a name to git, and no command to the shell") {
  const TemporaryDirectory directory;
  const std::string made = directory.file("made");
  const char* given = std::getenv("GRADUS_ROOT");
  const std::string before = given != nullptr ? given : "";
  ::setenv("GRADUS_ROOT", ("it's'; touch " + made + "; echo '").c_str(), 1);
  const std::string commit = examples::source_commit();
  given != nullptr ? ::setenv("GRADUS_ROOT", before.c_str(), 1) : ::unsetenv("GRADUS_ROOT");
  CHECK(commit == "unknown");
  CHECK_FALSE(std::filesystem::exists(made));
}
