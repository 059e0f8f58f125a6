// Every schedule of the library over a run of 1,000 steps, and the cosine that counts its warm-up twice, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "optim/schedule.h"

using namespace gradus;

namespace {

template <typename Rate> std::string curve(const Rate& rate) {
  std::vector<std::string> texts;
  for (std::int64_t t = 0; t <= 1050; t += 5) texts.push_back(fmt::format("{:.4g}", rate(t)));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace

int main() {
  const optim::ScheduleOptions run{.max_lr = 1, .min_lr = 0.1, .warmup = 100, .total = 1000},
      late{.max_lr = 1, .min_lr = 0.1, .warmup = 400, .total = 1000};
  fmt::print("{{\"every\": 5, \"names\": {{");
  std::string before;
  for (const auto& row : optim::schedules().variants) {
    fmt::print("{}\n\"{}\": {}", before, row.name, curve([&](std::int64_t t) { return row.value(run, t); }));
    before = ",";
  }
  fmt::print("\n}},\n\"late\": {},\n", curve([&](std::int64_t t) { return optim::cosine_schedule(late, t); }));
  fmt::print("\"decay-in-warmup\": {}\n}}\n", curve([&](std::int64_t t) {
    if (t < late.warmup) return optim::warmup_schedule(late, t);
    return t >= late.total ? late.min_lr : 0.1 + 0.45 * (1 + std::cos(std::numbers::pi * static_cast<double>(t) / 1000));
  }));
}
