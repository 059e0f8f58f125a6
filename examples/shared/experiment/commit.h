// The commit that a program was built from.
#pragma once

#include <string>

namespace gradus::examples {

// The last one that changed what programs are built from, in short, with "+" where these sources were changed since; "unknown" without
// git. Each build looks it up: see Commit.cmake.
const std::string& source_commit();

}  // namespace gradus::examples
