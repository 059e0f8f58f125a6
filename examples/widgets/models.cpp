#include "examples/widgets/models.h"

namespace gradus::widgets {

const std::vector<Widget>& models() {
  static const std::vector<Widget> all = {{"causality", causality}, {"clocks", clocks}, {"race", race}};
  return all;
}

}  // namespace gradus::widgets
