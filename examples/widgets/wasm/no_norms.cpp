// The table of norms by name, which the library's attention can choose from: empty here, so that no norm is there but those that a
// widget makes itself.
#include "nn/norm/norm_table.h"

namespace gradus::nn {

const Table<MakeNorm>& norms() {
  static const Table<MakeNorm> family{"norm", {}};
  return family;
}

}  // namespace gradus::nn
