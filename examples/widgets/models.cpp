#include "examples/widgets/widgets.h"

namespace gradus::widgets {

const std::vector<Widget>& models() {
  static const std::vector<Widget> all = {};
  return all;
}

}  // namespace gradus::widgets
