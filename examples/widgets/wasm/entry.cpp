// What the page calls: a question goes in, and how long it waits, and JSON comes out. GRADUS_WIDGETS is lab or models.
#include "examples/widgets/widgets.h"

extern "C" [[clang::export_name("look")]] const char* look(const char* asked, int milliseconds) {
  static std::string seen;
  seen = gradus::widgets::answer(gradus::widgets::GRADUS_WIDGETS(), asked, milliseconds);
  return seen.c_str();
}
