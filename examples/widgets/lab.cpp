#include "examples/widgets/lab.h"

namespace gradus::widgets {

const std::vector<Widget>& lab() {
  static const std::vector<Widget> all = {{"softmax", softmax}, {"norm", norm}};
  return all;
}

}  // namespace gradus::widgets
