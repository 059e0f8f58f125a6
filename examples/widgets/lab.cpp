#include "examples/widgets/lab.h"

namespace gradus::widgets {

const std::vector<Widget>& lab() {
  static const std::vector<Widget> all = {{"softmax", softmax}, {"norm", norm}, {"tape", tape}};
  return all;
}

}  // namespace gradus::widgets
