#include "examples/ch05_absolute/learned_and_recurrent.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/core.h"
#include "examples/shared/data/median.h"
#include "examples/shared/report/values.h"
#include "nn/position/learned.h"
#include "nn/position/recurrent_position.h"

namespace gradus::examples {

void learned(Chapter& chapter) {
  constexpr int64_t rows = 32, trained = 16, width = 8;
  nn::LearnedPosition position({.d_model = width, .heads = 1, .head_dim = width, .max_length = rows});
  const Tensor x = randn({4, trained, width});
  sum(square(position.on_embedding(x, arange(trained)))).backward();
  const Tensor sizes = sqrt(sum(square(position.weight.grad()), {-1}));
  const double seen = min(slice(sizes, 0, 0, trained)).item(), unseen = max(slice(sizes, 0, trained)).item();
  std::string message;
  try {
    position.on_embedding(zeros({1, rows + 1, width}), arange(rows + 1));
  } catch (const ValueError& error) {
    message = error.what();
  }
  position.extend(8);
  position.on_embedding(zeros({1, rows + 1, width}), arange(rows + 1));  // now it has a row for that
  chapter.number("learned.gradient_seen", seen);
  chapter.number("learned.gradient_unseen", unseen);
  chapter.word("learned.past_the_last_row", message);
  chapter.number("learned.rows_after_extend", static_cast<double>(position.weight.size(0)));
  chapter.tell(fmt::format("learned: a row that no text reached has gradient {}", unseen));
}

void recurrent(Chapter& chapter) {
  constexpr int64_t steps = 64, width = 64;
  std::vector<std::vector<double>> movements;  // ‖h_{t+1} - h_t‖ / ‖h_1‖ of each seed
  for (std::uint64_t i = 0; i < 5; ++i) {
    manual_seed(chapter.seed() + i);
    nn::RecurrentPosition position({.d_model = width, .heads = 1, .head_dim = width, .max_length = 1});
    const NoGrad off;
    const Tensor x = expand(randn({1, 1, width}), {1, steps, width});  // one token, again and again
    const Tensor h = (position.on_embedding(x, arange(steps)) - x)[0];
    const Tensor moved = sqrt(sum(square(slice(h, 0, 1) - slice(h, 0, 0, steps - 1)), {-1}));
    movements.push_back(values_of(moved / sqrt(sum(square(h[0])))));
  }
  Band line;
  for (std::size_t t = 0; t < steps - 1; ++t) {
    std::vector<double> here;
    for (const auto& seed : movements) here.push_back(std::max(seed[t], 1e-9));
    line.x.push_back(static_cast<double>(t + 1));
    line.y.push_back(median(here));
    line.low.push_back(*std::min_element(here.begin(), here.end()));
    line.high.push_back(*std::max_element(here.begin(), here.end()));
  }
  chapter.number("recurrent.moved", line.y);
  chapter.tell(fmt::format("recurrent: runs at any length; on one repeated token its state moves\n  {:.2f} at t = 1, {:.1e} at t = 30",
                           line.y[0], line.y[29]));
  chapter.series("recurrent", line);
}

}  // namespace gradus::examples
