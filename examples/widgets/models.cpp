#include "examples/widgets/models.h"

namespace gradus::widgets {

const std::vector<Widget>& models() {
  static const std::vector<Widget> all = {
      {"causality", causality}, {"clocks", clocks}, {"race", race}, {"language_model", language_model}, {"depth", depth}};
  return all;
}

}  // namespace gradus::widgets
