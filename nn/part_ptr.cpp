#include "nn/part_ptr.h"

#include "core/check.h"
#include "nn/class_name.h"

namespace gradus::nn {

void refuse_missing_part(const std::type_info& kind) {
  throw GraphError(
      fmt::format("{}: nullptr was called as one; it was never given, or the module that held it was moved "
                  "from: use the module that it was moved into",
                  name_of_class(kind)));
}

}  // namespace gradus::nn
