// The style sheet of a report: the tokens of docs/viewer/tokens.css and look.css beside this file.
#pragma once

#include <string>

namespace gradus::examples {

const std::string& look_css();  // embedded when the program is built

}  // namespace gradus::examples
