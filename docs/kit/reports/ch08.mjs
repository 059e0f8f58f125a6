// Placement: gradients on their way down, the stream's variance, numbers by hand, depth, training, collapse, a thousand blocks.
import { heat_map, key_of, panels } from "../heat_map.mjs";
import { claim, figure, formula, one_number, predict, right, same_name, section, table, tape, text } from "../parts.mjs";
import { means_of_ten, plot } from "../plot.mjs";
import { fixed, shown, with_commas } from "../words.mjs";

const PLACEMENTS = [["pre", "f1"], ["post", "f2"], ["deepnorm", "f3"], ["sandwich", "f4"]];
const up_to = (values) => values.map((_, i) => i);

const gradients = ({ numbers: { start, theory: { pre: theory } }, series }) => {
  const depth = theory.gradient.length - 1, x = up_to(theory.gradient);
  const remark = (text, y, place, above, colour) => {
    const l = Math.trunc(place * depth);
    return { text, x: l + 0.02 * depth, y: y[l] * above, colour };
  };
  const drawn = plot({
    title: "Norm of the gradient by block, before training",
    more: `${PLACEMENTS.map(([name]) => `${name}: ${shown(start[name].gradient[0])} at the bottom. `).join("")}Dashed, theory for pre:
      ${shown(theory.gradient[0])} at the bottom.`,
    x: { name: "block", from: 0, to: depth },
    y: { name: "‖dL/dx‖ over that at the top", log: true },
    lines: [
      ...PLACEMENTS.map(([name, colour]) => ({ x, y: start[name].gradient, colour, ...series.start[name] })),
      { x, y: theory.gradient, colour: "ink", dashed: true },
    ],
    remarks: [
      remark("sandwich", start.sandwich.gradient, 0, 1, "f4"),
      remark("theory for pre", theory.gradient, 0.25, 1.12, "ink"),
      remark("pre", start.pre.gradient, 0.2, 0.84, "f1"),
      remark("deepnorm", start.deepnorm.gradient, 0.78, 0.9, "f3"),
      remark("post", start.post.gradient, 0.5, 0.85, "f2"),
    ],
  });
  return [
    section("gradients", "Gradients on their way down"),
    figure("Pre-norm hands its lowest blocks the largest gradients, about as theory says; DeepNorm keeps them level.", drawn,
      `‖dL/dx<sub>l</sub>‖ of the stream after block l, over that after block ${depth}, before training: geometric mean of ${series.seeds}
        seeds, band from least to greatest. d = 64, layer norm, ReLU, Xavier normal, random bytes. Dashed: σ<sub>L</sub>/σ<sub>l</sub>,
        from the stream’s size alone: it misses by a factor of ${shown(theory.apart, 2)} at most, as it takes a sublayer’s gain backward
        to be that forward. Another depth: <code>--depth 48</code>`),
    formula("pre: {v x} + {m f}(norm({v x}))", "post: norm({v x} + {m f}({v x}))", "sandwich: {v x} + norm({m f}(norm({v x})))",
      "DeepNorm: norm({c α} {v x} + {m f}({v x}))"),
  ];
};

const variances = ({ numbers: { start } }) => {
  const x = up_to(start.pre.variance), depth = x.length - 1;
  const grows = (by) => ({ x: [0, depth], y: [1, 1 + by * depth], colour: "ink", dashed: true });
  const drawn = plot({
    title: "Variance of the stream by block, before training",
    more: "Dashed: one and two a block",
    x: { name: "block", from: 0, to: depth },
    y: { name: "variance of the stream" },
    lines: [...PLACEMENTS.map(([name, colour]) => ({ name, x, y: start[name].variance, colour })), grows(1), grows(2)],
  });
  return [
    section("variance", "How loud the stream gets"),
    figure(
      "A stream that nothing divides gets louder: with a norm before each sublayer by about one a block, with one behind it too by two.",
      drawn,
      `Variance of all numbers of the stream, the same models. Dashed: 1 + l, and 1 + 2l for two sublayers of variance 1. Post-norm and
        DeepNorm divide after each sublayer.`,
    ),
  ];
};

const FORMULAS = {
  pre: "x + 2 norm(x)",
  post: "norm(x + 2x)",
  sandwich: "x + norm(2 norm(x))",
  deepnorm: "norm(αx + 2x), 8 blocks: α = 2",
};

const by_hand = (r) => {
  const { hand, deepnorm } = r.numbers, variance = ([a, b]) => ((a - b) / 2) ** 2;
  return [
    section("hand", "Numbers by hand"),
    table(
      "One sublayer f(x) = 2x on the stream x = [3, 1], of variance 1. The norm of [3, 1] is [1, −1].",
      ["placement", "its formula", "stream after it", right("variance")],
      Object.entries(FORMULAS).map(([name, one]) => {
        const y = hand[name];
        return [name, one, `[${y.map((v) => shown(v)).join(", ")}]`, shown(variance(y))];
      }),
    ),
    table(
      "DeepNorm’s two numbers: α = (2L)<sup>¼</sup> makes the stream louder, β = (8L)<sup>−¼</sup> the weights quieter.",
      ["blocks L", right("α"), right("β")],
      Object.entries(deepnorm).map(([layers, both]) => [with_commas(Number(layers)), ...both.map((v) => fixed(v, 3))]),
    ),
    tape(r),
  ];
};

const depths = ({ numbers: { depth } }) => [
  section("depth", "Deeper"),
  table(
    "The same at other depths, before training. Gradients are those at the bottom over those at the top.",
    ["blocks", right("pre: variance"), right("pre: gradient"), right("post: weights"), right("DeepNorm")],
    Object.entries(depth).map(([blocks, [a, b, c, d]]) => [blocks, fixed(a, 1), fixed(b, 2), fixed(c, 2), fixed(d, 3)]),
  ),
];

// --- in training -----------------------------------------------------------------------------------------------------------

const RUNS = [["pre", "pre", "f1"], ["post", "post", "f2"], ["post_warmup", "post, warm-up", "f2", true], ["deepnorm", "deepnorm", "f3"]];

const gradient_maps = (training) => {
  const limit = Math.max(...RUNS.flatMap(([id]) => training[id].gradients.flat()));
  const map = (rows) => ({ rows, limit, cell: 18, row_names: ["0", "10", "100", "300"] });
  const ratio = (row) => shown(row[0] / row.at(-1), 2);
  return figure("Training redraws the picture: the start does not say how gradients lie ten steps later.", panels(RUNS.map(([id, name]) => {
    const rows = training[id].gradients;
    return [name, `block 1 over the last: ${ratio(rows[0])} at step 0, ${ratio(rows.at(-1))} at 300`, heat_map(map(rows))];
  }), 17) + key_of(map(training.deepnorm.gradients), "‖dL/dθ‖ of a block"),
    `Rows: after this many steps; columns: blocks, the first at the left. Gradient norms of all weights of a block, on the same validation
      batch.`);
};

const in_training = (r) => {
  const { numbers: { training }, series } = r, blocks = training.pre.gradients[0].length;
  const drawn = plot({
    title: "Loss while deep stacks train",
    x: { name: "step", from: 0, to: 300 },
    y: { name: "loss (nats)" },
    lines: RUNS.map(([id, name, colour, dashed]) => ({ name, ...means_of_ten(series.training[id]), colour, dashed })),
  });
  return [
    section("training", "In training, and why warm-up"),
    figure(training.post.loss - training.post_warmup.loss > 0.1
      ? "Post-norm at a full rate from the first step stays behind; warm-up helps it, pre-norm needs none."
      : "At this depth and rate the placements differ little.", drawn,
      `${blocks} blocks of d = 32, bytes of Shakespeare, batch 4 × 32, AdamW at 0.002 for 300 steps, means of ten; warm-up: 150 steps. One
        seed.`),
    gradient_maps(training),
    claim(r, "warmup-rescues-post-norm"),
  ];
};

const COLLAPSES = [
  ["pre", "pre at 0.004", "f1"],
  ["post", "post at 0.004", "f2"],
  ["deepnorm", "DeepNorm at 0.004", "f3"],
  ["deepnorm_slow", "DeepNorm at 0.002", "f3", true],
];

const collapse = ({ numbers: { collapse } }) => {
  const drawn = (title, y, values) =>
    plot({
      title,
      x: { name: "step", from: 0, to: 200 },
      y,
      lines: COLLAPSES.map(([id, name, colour, dashed]) => ({ name, x: collapse.steps, y: collapse[id][values], colour, dashed })),
    });
  return [
    section("collapse", "How a deep stack dies"),
    figure(
      `The first steps make all rows one. Pre-norm finds back, as its stream goes around the norms; where a norm stands on the stream, the
        rows’ differences get no gradient.`,
      drawn("How alike the rows at the top are", { name: "‖mean row‖² / mean ‖row‖²", from: 0, to: 1 }, "alike") +
        drawn("Gradient of the lowest block", { name: "‖dL/dθ‖ of block 1", log: true }, "gradient"),
      `12 blocks of d = 32, layer norm, ReLU, Xavier normal, batch 4 × 32 bytes of Shakespeare, AdamW without warm-up, one seed. Measured
        on the same validation batch.`,
    ),
  ];
};

const thousand = (r) => [
  section("thousand", "A thousand blocks"),
  table(
    "1000 blocks of width 16 (2000 sublayers), before training.",
    ["placement", right("variance", "at the top"), right("gradient", "bottom over top"), right("weights’ gradient", "first over last")],
    ["deepnorm", "pre", "post"].map((name) => [name, ...r.numbers.thousand[name].map((v) => shown(v))]),
  ),
  claim(r, "deepnorm-1000-layers"),
];

const words = ({ series: { alpha: [here, glm] } }) => [
  ...same_name("“DeepNorm” and “add &amp; norm” mean", "name", [
    ["DeepNorm’s α", `(2L)<sup>¼</sup>, ${shown(here)} at 24 blocks`, `(2L)<sup>½</sup> in GLM: ${shown(glm)}`],
    ["DeepNorm", "norm(αx + f(x)), x the sublayer’s input", "norm(x + αf(x)) in labml’s code, under the right formula"],
    [
      "add &amp; norm",
      "post-norm: first add, then norm",
      "pre-norm written as x = norm(x); x + f(x) loses the stream: a mistake (pytorch#61165)",
    ],
  ]),
];

export default (r) => {
  const loud = (name) => fixed(r.numbers.start[name].variance.at(-1), 1), depth = r.numbers.start.pre.variance.length - 1;
  return [
    one_number(loud("pre"),
      `The one number: variance of the pre-norm stream after ${depth} blocks, about one a block. With post-norm ${loud("post")}, with
        DeepNorm ${loud("deepnorm")}.`),
    predict(r),
    gradients(r),
    variances(r),
    by_hand(r),
    depths(r),
    in_training(r),
    collapse(r),
    thousand(r),
    section("claims", "Claims"),
    claim(r, "pre-norm-bottom-gradients-larger"),
    words(r),
  ];
};
