// What gnuplot is told of a plot.
#include "examples/shared/report/gnuplot_script.h"

#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

Plot two_lines() {
  return {.title = "t",
          .alt = "a",
          .x = {"step"},
          .y = {"loss (nats)"},
          .lines = {{.name = "one", .x = {0, 1, 2}, .y = {4, NAN, 16}}, {.name = "two", .x = {0, 2}, .y = {8, 8}, .colour = "none"}}};
}

}  // namespace

TEST_CASE("gnuplot script: the numbers of each line, interrupted at a NaN, and its name and colour") {
  const std::string script = gnuplot_script(two_lines());
  CHECK(mentions(script, "$line0 << END\n0 4\n\n2 16\nEND\n"));
  CHECK(mentions(script, "$line1 << END\n0 8\n2 8\nEND\n"));
  CHECK(mentions(script, "\"one\" at graph 1.012,"));
  CHECK(mentions(script, "$line0 using 1:2 with lines lc rgb '#00708c' lw 2.2, "));
  CHECK(mentions(script, "$line1 using 1:2 with lines lc rgb '#636e7c' lw 2.2 dt (8,4)"));
  CHECK(mentions(script, "size 720,360"));
  CHECK(mentions(script, "size 358,340"));
}

TEST_CASE("gnuplot script: an axis is logarithmic where it is asked for, and there alone") {
  Plot plot = two_lines();
  CHECK_FALSE(mentions(gnuplot_script(plot), "logscale"));
  plot.y.logarithmic = true;
  CHECK(mentions(gnuplot_script(plot), "set logscale y 10"));
  CHECK_FALSE(mentions(gnuplot_script(plot), "set logscale x"));
}

TEST_CASE("gnuplot script: on a logarithmic axis of several decades each power of ten has its tick, or as many as there is room for") {
  Plot plot = two_lines();
  plot.y.logarithmic = true;
  plot.lines = {{.name = "one", .x = {0, 1}, .y = {4, 512}}};
  CHECK(mentions(gnuplot_script(plot), "set format y '10^{%T}'; set ytics (10, 100)\n"));
  plot.lines = {{.name = "one", .x = {0, 1}, .y = {2e-3, 3e2}}};
  CHECK(mentions(gnuplot_script(plot), "set ytics (0.01, 0.1, 1, 10, 100)\n"));
  plot.lines = {{.name = "one", .x = {0, 1}, .y = {1e-12, 1e12}}};
  CHECK(mentions(gnuplot_script(plot), "set ytics (1e-12, "));
}

TEST_CASE("gnuplot script: the axes reach over the data, or as far as they are told") {
  Plot plot = two_lines();
  plot.y.from = 0;
  plot.y.to = 20;
  CHECK(mentions(gnuplot_script(plot), "set xrange [0:2]; set yrange [0:20]"));
}

TEST_CASE("gnuplot script: a band has its least and greatest; lines of unequal lengths and unknown colours are refused") {
  Plot plot = two_lines();
  plot.lines[1].low = {7, 6};
  plot.lines[1].high = {9, 10};
  CHECK(mentions(gnuplot_script(plot), "0 8 7 9\n2 8 6 10\n"));
  plot.lines[0].y.pop_back();
  CHECK_THROWS_WITH_AS(gnuplot_script(plot), "plot: line 'one' has 3 x and 2 y", ValueError);
  plot = two_lines();
  plot.lines[0].colour = "mauve";
  CHECK_THROWS_WITH_AS(gnuplot_script(plot), "plot: no colour is named 'mauve'", ValueError);
}
