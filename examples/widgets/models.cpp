#include "examples/widgets/models.h"

namespace gradus::widgets {

const std::vector<Widget>& models() {
  static const std::vector<Widget> all = {{"race", race}};
  return all;
}

}  // namespace gradus::widgets
