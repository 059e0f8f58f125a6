// Two ranks sum their numbers: gradus::distributed as an installed library.
#include <fmt/core.h>

#include <cstring>

#include "optim/distributed/collectives.h"
#include "optim/distributed/start.h"

using namespace gradus;

int main(int count, char** arguments) {
  const distributed::StartOptions options = {.ranks = 2, .threads = count > 1 && std::strcmp(arguments[1], "--threads") == 0};
  distributed::start(options, arguments, [&](distributed::Link& link) {
    const double sum = distributed::sum_over(link, link.rank() + 1);
    check<ValueError>(sum == 3, "1 and 2 sum to {}", sum);
    if (link.rank() == 0) fmt::print("{}: 1 + 2 = {}\n", distributed::how_started(options), sum);
  });
}
