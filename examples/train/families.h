// The families of variants that a run can be made of.
#pragma once

namespace gradus::examples {

void print_families();  // each variant as: family name formula-id

}  // namespace gradus::examples
