// Pages of data that a test can write: what a reader must be told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { page_of, read_data } from "../../../docs/kit/report.mjs";

const made = { command: "./examples/run ablate 'x <y>'", machine: "m", date: "2026-01-01", commit: "c", seconds: 61, found: 0 };
const run = (loss, cannot = "") => ({
  loss,
  curve: { steps: [1, 2], losses: [loss + 1, loss] },
  lengths: [{ length: 8, loss, cannot: "" }, { length: 16, loss, cannot: "" }, { length: 32, loss: cannot ? "nan" : loss, cannot }],
  gradients: { before: [1, 2], after: [2, 1] },
});
const variant = (name, losses, more) => ({
  name,
  parameters: 12345,
  steps: 10,
  time_ratio: 1,
  rate: 0.006,
  at_edge: false,
  trained: true,
  losses,
  mean: losses[0],
  sigma: 0.1,
  in_spreads: 0,
  p_corrected: 1,
  said: "baseline",
  tried: [[0.006, losses[0]]],
  runs: losses.map((loss) => run(loss)),
  ...more,
});
const ablation = (more) => ({
  program: "ablate",
  equal: "parameters",
  show: ["curves", "lengths", "gradients"],
  made,
  options: { norm: ["rms", "layer"], layers: ["2"] },
  seeds: { first: 0, count: 3 },
  sweep: { farthest: 2 },
  fixed_beforehand: ["a rule"],
  comparisons: 2,
  baseline: { name: "base", config: { norm: "rms", placement: "pre", position: "rope", feed_forward: "swiglu" } },
  refused: [{ name: "none", why: 'no "rows"' }],
  variants: [
    variant("near", [1.9, 2, 1.8], { in_spreads: -1, said: "no difference seen", runs: [run(1.9, 'no "rows", none'), run(2), run(1.8)] }),
    variant("base", [2, 2.1, 1.9]),
    variant("worse", [2.4, 2.5, 2.3], { in_spreads: 4, said: "higher", p_corrected: 1e-4 }),
  ],
  ...more,
});
const drawn = (data) => page_of(read_data(JSON.stringify(data)));

test("an ablation: sorted, grey within two spreads, with each picture that is asked for and why a length cannot be", () => {
  const page = drawn(ablation());
  assert.match(page, /<span class="nodiff">≈ −1.0<\/span>/);
  assert.doesNotMatch(page, /<span class="nodiff">\+4.0<\/span>/);
  assert.ok(page.indexOf(">near</th>") < page.indexOf(">worse</th>"));
  for (const part of ["no &quot;rows&quot;, none", 'id="curves"', 'id="lengths"', 'id="gradients"', "x &lt;y&gt;", "Ablation: norm",
    "1 min 1 s", '<th scope="row">near</th>', '<th scope="col">'])
    assert.ok(page.includes(part), part);
  assert.doesNotMatch(drawn(ablation({ show: ["curves"] })), /id="lengths"/);
});

test("an ablation whose baseline has not trained, or diverged, says so and draws no picture of nothing", () => {
  const variants = [variant("worse", [2.4, 2.5, 2.3], { in_spreads: "nan" }), variant("base", [2, 2, 2], { trained: false })];
  assert.match(drawn(ablation({ variants })), /nothing can be compared with it/);
  const lost = variant("base", ["nan", "nan", "nan"], { mean: "nan", sigma: "nan" });
  const page = drawn(ablation({ variants: [variants[0], lost] }));
  assert.match(page, /diverged 3\/3/);
  assert.doesNotMatch(page, /<svg class="plot/);
});

const training = (more) => ({
  program: "train",
  title: "A training run",
  idea: "A text of a < b.",
  reached: "It has passed the line of pairs: 2.50 nats, <so>.",
  series: { training: { x: [1, 2], y: [5, 3] }, validation: { x: [0, 2], y: [5.6, 2.25] }, lines: [5.545, 3.4, 2.5, 2], suspicions: [] },
  sample: "a <b>",
  config: { layers: "2", "<i>": "" },
  parameters: 12345,
  ...more,
});

test("a training run: its loss, what it has passed, its sample and its shape, as text and not as HTML", () => {
  const page = drawn(training());
  for (const part of ["2.250", "after 2 steps", "line of pairs: 2.50", "a &lt;b&gt;", "a &lt; b", "&lt;so&gt;", "&lt;i&gt;",
    "<code>layers</code>", "12,345"])
    assert.ok(page.includes(part), part);
  assert.doesNotMatch(page, /A suspicion/);
  assert.match(drawn(training({ series: { ...training().series, suspicions: ["first & foremost"] } })),
    /suspicion:<\/strong> first &amp; foremost\./);
});

test("a training run that has not taken a step, and has no sample, is a page too", () => {
  const none = { x: [], y: [] };
  const page = drawn(training({ sample: "", series: { ...training().series, training: none, validation: none } }));
  assert.doesNotMatch(page, /What it says/);
  assert.match(page, /id="configuration"/);
});
