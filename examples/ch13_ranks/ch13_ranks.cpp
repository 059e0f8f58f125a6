// ch13_ranks: many machines: one sum for all, what messages cost, what overlap hides, a model in pieces.
#include <fmt/format.h>

#include <cmath>

#include "examples/ch13_ranks/costs.h"
#include "examples/ch13_ranks/split.h"
#include "examples/ch13_ranks/step.h"
#include "examples/ch13_ranks/sums.h"
#include "examples/ch13_ranks/widths.h"
#include "examples/ch13_ranks/wrong_steps.h"
#include "examples/shared/report/chapter.h"

using namespace gradus;
using namespace gradus::examples;
using distributed::LinkCost;
using Grid = std::vector<std::vector<double>>;

namespace {

double other_bits(Chapter& chapter) {
  const OtherBits bits = measure_other_bits(chapter.seed());
  chapter.series("bits.ranks", std::vector<double>(bits.ranks.begin(), bits.ranks.end()));
  chapter.series("bits.sizes", std::vector<double>(bits.sizes.begin(), bits.sizes.end()));
  chapter.number("bits.rank_order", bits.rank_order);
  chapter.number("bits.ring", bits.ring);
  chapter.number("bits.tree", bits.tree);
  chapter.number("bits.mpi", bits.mpi);
  chapter.tell("Sums over ranks of the same normal numbers: how many have other bits than a binary tree’s?");
  for (std::size_t i = 0; i < bits.ranks.size(); ++i) {
    const auto last = [&](const Grid& rows) { return shown(rows[i].back()); };
    chapter.tell(fmt::format("  {} ranks: in the order of ranks {} %, by a ring {} %, by a tree {} %, by MPI {} %", bits.ranks[i],
                             last(bits.rank_order), last(bits.ring), last(bits.tree), last(bits.mpi)));
  }
  if (std::isnan(bits.mpi[0][0])) chapter.tell("  There is no Open MPI here: all ranks of this chapter are threads.");
  return bits.ring[2].back();
}

// α + β b, declared, measured, and found again from what was measured.
void costs(Chapter& chapter, const LinkCost& declared) {
  constexpr int ranks = 4;
  const std::vector<CostPoint> points = measure_costs(declared, ranks);
  for (const auto& [name, id, all_reduce] : distributed::all_reduces().variants) {
    Grid rows;
    for (const CostPoint& point : points) {
      if (point.name == name) rows.push_back({point.bytes, point.seconds, point.law});
    }
    if (!rows.empty()) chapter.number(fmt::format("cost.{}", name), rows);
  }
  const LinkCost fitted = fit_cost(points, ranks);
  chapter.number("cost.declared", {declared.latency, declared.byte_time});
  chapter.number("cost.fitted", {fitted.latency, fitted.byte_time});
  chapter.tell(fmt::format("\nA link of α = {} ms and {} MB/s, as declared; fitted to {} times: {} ms and {} MB/s",
                           shown(1e3 * declared.latency), shown(1e-6 / declared.byte_time), points.size(), shown(1e3 * fitted.latency),
                           shown(1e-6 / fitted.byte_time)));
}

void two_ranks(Chapter& chapter) {
  const LinkCost link = measure_thread_link();
  const std::vector<MeasuredStep> steps = measure_in_turn({{.ranks = 1}, {.ranks = 2}}, 12);
  const double one = steps[0].seconds, by_mpi = seconds_by_mpi(2), bytes = 4 * steps[0].parameters;
  std::vector<double> law;
  for (const int n : {1, 2, 4}) law.push_back(one / n + distributed::all_reduces().find("doubling").value.cost(n, bytes, link));
  chapter.number("step.one", one);
  chapter.number("step.two", steps[1].seconds);
  chapter.number("step.two_by_mpi", by_mpi);
  chapter.number("step.law", law);
  chapter.number("step.link", {link.latency, link.byte_time});
  chapter.tell(fmt::format("\nA step of {} parameters: {} ms on one rank; on two {} ms as threads, {} as processes; by the law {} ms",
                           with_commas(static_cast<std::int64_t>(steps[0].parameters)), shown(1e3 * one), shown(1e3 * steps[1].seconds),
                           shown(1e3 * by_mpi), shown(1e3 * law[1])));
}

void overlap(Chapter& chapter) {
  const LinkCost slow{.latency = 2e-4, .byte_time = 1 / 100e6};
  const StepOptions many{.ranks = 2, .width = 128, .layers = 4, .bucket_bytes = 1 << 19, .slow = &slow};
  StepOptions whole = many;
  whole.bucket_bytes = std::size_t{1} << 30;
  const std::vector<MeasuredStep> steps = measure_in_turn({many, whole});
  const MeasuredStep &with = steps[0], &without = steps[1];
  for (const std::string kind : {"walk", "message", "wait"}) {
    for (std::size_t rank = 0; rank < with.timeline.size(); ++rank) {
      Grid events;
      for (const auto& event : with.timeline[rank]) {
        if (event.kind == kind) events.push_back({event.begin, event.end});
      }
      chapter.number(fmt::format("timeline.{}.{}", kind, rank), events);
    }
  }
  chapter.number("overlap.with", with.seconds);
  chapter.number("overlap.without", without.seconds);
  chapter.tell(fmt::format("\nA step over a slow link: {} ms in buckets, {} ms in one message at the end", shown(1e3 * with.seconds),
                           shown(1e3 * without.seconds)));
}

// --- a model in pieces ----------------------------------------------------------------------------------------------------

void pieces(Chapter& chapter) {
  Grid bubble;
  for (const int p : {2, 4, 8}) {
    std::vector<double> row;
    for (const int m : {1, 2, 4, 8, 16, 32}) row.push_back(waiting(diaries(one_by_one, p, m)));
    bubble.push_back(row);
  }
  chapter.number("bubble", bubble);
  chapter.words("diaries.all_forward", diaries(all_forward, 4, 8));
  chapter.words("diaries.one_by_one", diaries(one_by_one, 4, 8));
  chapter.tell(fmt::format("\nA pipeline of 4 stages and 8 micro-batches waits for {} % of its time", shown(100 * bubble[1][3])));
  for (const int stage : {0, 1, 3}) {
    const Held held = held_by_one_rank(stage, 4);
    chapter.number(fmt::format("zero.stage_{}", stage), {held.parameters, held.gradients, held.moments});
    chapter.tell(fmt::format("  {}: {} kB a rank of parameters, {} of gradients, {} of moments",
                             stage == 0 ? "all on each" : fmt::format("ZeRO, stage {}", stage), shown(held.parameters / 1e3),
                             shown(held.gradients / 1e3), shown(held.moments / 1e3)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == kMpiSums) return print_mpi_sums(argv);
  if (argc == 4 && std::string_view(argv[1]) == kMpiStep) return print_mpi_step(argv);
  double latency = 2, bandwidth = 100;
  std::string bug;
  const ChapterText text{"13", "Many machines", "Many machines are one machine if all add in one order; what they cost is messages."};
  const std::vector<Knob> knobs{
      {.flag = "--latency", .value = &latency, .help = "α of the declared link, in ms", .least = 0.1, .most = 100},
      {.flag = "--bandwidth", .value = &bandwidth, .help = "1/β of the declared link, in MB/s", .least = 1, .most = 1e5},
      {"--bug", &bug, "a published wrong version beside the right one", ids_of(wrong_rank_steps())}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    const LinkCost declared{.latency = 1e-3 * latency, .byte_time = 1e-6 / bandwidth};
    chapter.ask({"Four ranks add the same numbers, by a ring and by a tree. How many of the sums\nhave other bits?",
                 {"none: a + b = b + a", "one in a thousand", "about a third"},
                 2,
                 "a + b = b + a, but (a + b) + c is rounded\nin other places than a + (b + c)"});
    const double by_ring = other_bits(chapter);
    costs(chapter, declared);
    two_ranks(chapter);
    widths(chapter);
    overlap(chapter);
    pieces(chapter);
    write_published(chapter, right_rank_step(), wrong_rank_steps(), bug, probes_of);
    chapter.finish(fmt::format("{:.0f} % of the sums of four ranks have other bits by a ring than by a tree", by_ring));
  });
}
