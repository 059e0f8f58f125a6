#include "examples/train/families.h"

#include <fmt/format.h>

#include "examples/shared/report/program.h"
#include "nn/nn.h"
#include "optim/optim.h"

namespace gradus::examples {
namespace {

template <typename Make> void print_family(const Table<Make>& family) {
  for (const auto& variant : family.variants) say(fmt::format("{} {} {}\n", family.name, variant.name, variant.formula_id));
}

}  // namespace

void print_families() {
  print_family(nn::norms());
  print_family(nn::qk_norms());
  print_family(nn::placements());
  print_family(nn::position_encodings());
  print_family(nn::feed_forwards());
  print_family(nn::routers());
  print_family(nn::inits());
  print_family(nn::activations());
  print_family(nn::layouts());
  print_family(optim::optimizers());
  print_family(optim::schedules());
}

}  // namespace gradus::examples
