// Feed-forward and gates: equal areas, an ablation, numbers by hand, the value's path, a product, rounding, the blocks, claims.
import { formula_html } from "../formula.mjs";
import { panels } from "../heat_map.mjs";
import { claim, command, figure, formula, one_number, predict, right, row, same_name, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { mean, quiet, range } from "../statistics.mjs";
import { at, fill, label, path, rect, said, stroke } from "../svg.mjs";
import { fixed, shown, with_commas } from "../words.mjs";

// --- two matrices or three, the same area ------------------------------------------------------------------------------

const WIDTH = 310, MIDDLE = WIDTH / 2, ROW = 62;

const bar = (x, y, length) => rect(x - length / 2, y, length, 7, fill("value")); // a vector, as long as it has numbers
const named = (x, y, anchor, name, colour = "ink") => label(x, y, anchor, name, colour, 13);

function arrow(x0, y0, x1, y1) {
  const length = Math.hypot(x1 - x0, y1 - y0), dx = (x1 - x0) / length, dy = (y1 - y0) / length;
  const [left, right] = [[x1 - 6 * dx - 4 * dy, y1 - 6 * dy + 4 * dx], [x1 - 6 * dx + 4 * dy, y1 - 6 * dy - 4 * dx]];
  const [a, b, c, d] = [[x0, y0], [x1, y1], left, right].map((point) => point.map(at).join(" "));
  return path(`M${a}L${b}M${c}L${b}L${d}`, stroke("constant"));
}

const matrix = (name, [high, wide], x, y) =>
  rect(x - wide / 2, y, wide, high, `${fill("parameter")} fill-opacity=".14" stroke="var(--parameter)"`) +
  named(x, y + high / 2 + 5, "middle", `${name} ${high} × ${wide}`, "parameter");

// The layer from top to bottom, x to y: a rectangle for each matrix, 1 px for a row and a column; the gate left, the value right.
function area([w1, w2, w3], activation) {
  const [d, width] = w1, side = w3 ? width / 2 + 12 : 0, top = 24, bend = top + 26 + d, hidden = bend + ROW - 8, down = hidden + 26;
  const into = (name, size, x, bend_x) => [
    arrow(MIDDLE + (x - MIDDLE) / 8, top, x, top + 22),
    matrix(name, size, x, top + 24),
    arrow(x, bend, bend_x, hidden - (w3 ? 20 : 4)),
  ];
  const drawn = [
    bar(MIDDLE, top - 10, d),
    named(MIDDLE + d / 2 + 12, top - 2, "start", "x", "value"),
    into("W₁", w1, MIDDLE - side, MIDDLE - (w3 ? 11 : 0)),
    w3 ? into("W₃", w3, MIDDLE + side, MIDDLE + 11) : [],
    w3
      ? named(MIDDLE - side + 4, bend + 24, "end", activation) + named(MIDDLE, hidden - 13, "middle", "⊙")
      : named(MIDDLE + 10, bend + 28, "start", activation),
    bar(MIDDLE, hidden, width),
    arrow(MIDDLE, hidden + 8, MIDDLE, down - 2),
    matrix("W₂", w2, MIDDLE, down),
    arrow(MIDDLE, down + d + 2, MIDDLE, down + d + 20),
    bar(MIDDLE, down + d + 22, d),
    named(MIDDLE + d / 2 + 12, down + d + 30, "start", "y", "value"),
  ].flat();
  return `<svg viewBox="0 0 ${WIDTH} ${down + d + 36}" style="max-width:${WIDTH}px" aria-hidden="true">${drawn.join("")}</svg>`;
}

const areas = ({ numbers: { areas: [old, modern] }, series: { areas } }) => {
  const panel = (title, matrices, activation, weights) => [
    title,
    `${matrices.length} matrices, ${shown(weights)} weights`,
    area(matrices, activation),
  ];
  return [
    section("areas", "Three matrices for the price of two"),
    figure("Two matrices of d · 4d, or three of d · 8d/3: the purple areas are equal.",
      panels([panel("2017: ReLU", areas.relu, "ReLU", old), panel("Today: SwiGLU", areas.swiglu, "SiLU", modern)], 17),
      `d = ${areas.relu[0][0]}. Rectangles: the layers’ own matrices, 1 px a row and a column, so that area is parameters. Blue bars:
        vectors, as long as they have numbers. ⊙: the gate, left, multiplies the value, right.`),
    formula("{v y} = {p W}{sub 2} ReLU({p W}{sub 1} {v x})", "{v y} = {p W}{sub 2} (SiLU({p W}{sub 1} {v x}) ⊙ {p W}{sub 3} {v x})",
      "3 · {c d} · {frac 8{c d} | 3} = 2 · {c d} · 4{c d}"),
    text(`Every position goes through this alone: wider, bent, and back. A gate is a second view of the same x that multiplies the first,
      and costs a third matrix. So that a layer with a gate is compared with a layer without and not with a smaller one, its hidden width
      is cut to two thirds.`),
  ];
};

// --- the ablation ------------------------------------------------------------------------------------------------------

const UNGATED = ["relu", "gelu", "silu"], MISTAKE = "silu(ab)";
const group_of = (name) => (name === MISTAKE ? "mistake" : UNGATED.includes(name) ? "no gate" : "gate");
const colour_of_group = { mistake: "wrong", "no gate": "f2", gate: "f1" };

// y: loss; x: a column for each layer; dots: seeds, joined; the grey band: the first one's spread.
function losses_picture(all, kind, width, alt) {
  const left = 44, top = 50, bottom = 300, step = (width - left - 10) / all.length, values = all.flatMap(({ losses }) => losses);
  const margin = 0.08 * range(values) + 1e-3, low = Math.min(...values) - margin, high = Math.max(...values) + margin;
  const x = (i) => left + (i + 0.5) * step, y = (loss) => bottom - ((bottom - top) * (loss - low)) / (high - low);
  const tick = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find((size) => (high - low) / size <= 6) ?? 1;
  const ticks = [];
  for (let k = Math.ceil(low / tick); k * tick < high; ++k) ticks.push(k * tick);
  const first = all[0], [least, greatest] = [Math.min(...first.losses), Math.max(...first.losses)];
  const groups = [...new Set(all.map(({ group }) => group))].map((group) => {
    const places = all.map((one, i) => [one, i]).filter(([one]) => one.group === group).map(([, i]) => x(i));
    return named((places[0] + places.at(-1)) / 2, top - 12, "middle", group, colour_of_group[group]);
  });
  const drawn = [
    named(0, 13, "start", "loss on unseen text (nats a byte)"),
    ...ticks.map((v) => path(`M${left} ${at(y(v))}H${width}`, stroke("line")) + named(left - 8, y(v) + 4, "end", fixed(v, 2), "soft")),
    path(`M${left} ${top - 24}V${bottom}H${width}`, stroke("constant")),
    rect(left, y(greatest), width - left, y(least) - y(greatest), `${fill("hidden")} opacity=".6"`),
    named(width - 4, y(greatest) + 15, "end", `spread of ${first.name}`, "soft"),
    ...first.losses.map((_, seed) =>
      path(`M${all.map((one, i) => `${at(x(i))} ${at(y(one.losses[seed]))}`).join("L")}`, `${stroke("constant")} stroke-width=".8"`)
    ),
    ...all.flatMap(({ losses, group }, i) =>
      losses.map((v) => `<circle cx="${at(x(i))}" cy="${at(y(v))}" r="4" ${fill(colour_of_group[group])}/>`)
    ),
    ...groups,
    ...all.map(({ name, group }, i) => named(x(i), bottom + (i % 2 === 0 ? 18 : 36), "middle", name, colour_of_group[group])),
  ];
  return `<svg class="${kind}" viewBox="0 0 ${width} ${bottom + 44}" ${said(alt)}>${drawn.join("")}</svg>`;
}

const ablation = ({ numbers: { ablation }, series }) => {
  const all = Object.entries(ablation).filter(([, one]) => one.losses).map(([name, one]) => ({
    name,
    group: group_of(name),
    mean: mean(one.losses),
    ...one,
  }));
  const [first] = all, seeds = first.losses.length, best = all.reduce((a, b) => (b.mean < a.mean ? b : a));
  const rows = all.map((one) => {
    const by_seed = one.losses.map((loss, i) => loss - first.losses[i]), spreads = fixed(one.spreads, 1);
    return [
      one.group === "mistake" ? `${one.name}, a mistake` : one.name,
      fixed(one.mean, 3),
      ...(one === first ? ["–", "–", "–", "–"] : [
        fixed(one.mean - first.mean, 3),
        Math.abs(one.spreads) < 2 ? quiet(`≈ ${spreads}`) : spreads,
        fixed(range(by_seed), 3),
        `${by_seed.filter((d) => d < 0).length} of ${seeds}`,
      ]),
    ];
  });
  const alt = `Dot plot. x: feed-forward layers; y: loss on unseen text in nats a byte, means over seeds:
    ${all.map((one) => `${one.name} ${fixed(one.mean, 3)}; `).join("")}the grey band is the spread of ${first.name}.`;
  return [
    section("ablation", "Does it pay?"),
    figure(`Lines join the runs of one seed, whose luck all layers share. The lowest mean is that of
      ${best.name}${best.group === "mistake" ? ", which is a mistake" : ""}.`,
      losses_picture(all, "wide", 720, alt) + losses_picture(all, "narrow", 358, alt),
      `The same language model with each layer: 2 blocks, d = 48, ${with_commas(first.parameters)} weights a feed-forward layer, no
        biases, ${series.ablation.steps} steps of 16 × 32 bytes of Shakespeare’s plays. Dots: ${seeds} seeds, joined; grey: the spread of
        ${first.name}. More: ${command("ch03 --full")}`),
    table(
      `Δ is the mean difference from ${first.name}, in spreads of its ${seeds} seeds (${shown(range(first.losses), 2)} nats from the least
        to the greatest): grey and ≈ where it is below 2. The last two columns compare seed by seed: how far the differences lie apart,
        and how many are below 0.`,
      [
        "layer",
        right("loss", "nats a byte"),
        right("Δ in nats"),
        right("Δ in spreads"),
        right("Δ by seed", "spread"),
        right("lower at", "seeds"),
      ],
      rows,
    ),
    text(`How many of the ${all.length - 1} others can be told from ${first.name}? Going by the spread of its seeds,
      ${ablation.by_spread}. Seed by seed, ${ablation.by_seed}: those whose differences have one sign at every seed, and a mean beyond
      their own spread. With one run of each, nobody knows.`),
  ];
};

// --- numbers by hand, and the value's path ---------------------------------------------------------------------------------

const by_hand = (r) => {
  const { numbers: { hand: { y, dvalue, dgate, error } }, series: { hand: { a, open, b, g } } } = r;
  const line = (name, values) => row(name, values, (v) => fixed(v, 2));
  return [
    section("hand", "Four numbers by hand"),
    table(
      "A gate of four numbers, σ(a) ⊙ b. σ is ¼ at −ln 3, ½ at 0, ¾ at ln 3 and 0.9 at ln 9.",
      ["line", right("1"), right("2"), right("3"), right("4")],
      [
        line('the gate’s <var class="v">a</var>', a),
        line("how far it is open, σ(a)", open),
        line('the value <var class="v">b</var>', b),
        line('<var class="v">y</var> = σ(a) b', y),
        line('given <var class="g">g</var> = dL/dy', g),
        line('<var class="g">dL/db</var> = g σ(a)', dvalue),
        line('<var class="g">dL/da</var> = g b σ(a) (1 − σ(a))', dgate),
      ],
    ),
    formula("{g dL/db} = {g g} ⊙ f({v a})", "{g dL/da} = {g g} ⊙ {v b} ⊙ f'({v a})"),
    text(`Each side is the other’s factor, forward and back: the gate scales the gradient of the value, and the value that of the gate.
      The second gate is half open, so its value gets half of g. The tape’s numbers and these differ by ${shown(error, 2)} at most.`),
    tape(r),
  ];
};

const value_path = (r) => {
  const { b: x, swiglu, glu, gtu, silu_of_product } = r.series.path;
  const drawn = plot({
    title: "dy/db against b for gated units, a = 2",
    more: "GLU and SwiGLU are constant; σ(a) tanh(b) is a bell.",
    x: { name: "the value b", from: -4, to: 4 },
    y: { name: "dy/db", from: -0.5, to: 2.5 },
    lines: [
      { name: "SwiGLU", x, y: swiglu, colour: "f3" },
      { name: "GLU", x, y: glu, colour: "f1" },
      { name: "σ(a) tanh(b)", x, y: gtu, colour: "f2" },
      { name: "silu(ab)", x, y: silu_of_product, colour: "wrong" },
    ],
  });
  return [
    section("path", "What comes back along the value"),
    figure("Along the value the gradient comes back by the same factor, however large the value is. With tanh it dies.", drawn,
      `From the tape, at a = 2. GLU: σ(a) b; SwiGLU: silu(a) b. The last, in which a bracket is misplaced, is a published mistake: neither
        side is linear in it.`),
    claim(r, "glu-keeps-a-linear-gradient-path"),
  ];
};

// --- the milestone: a product --------------------------------------------------------------------------------------------

const LEARNERS = [
  ["bilinear", "gate, width 1", "f1"],
  ["cut", "gate cut", "none"],
  ["relu", "ReLU, 64", "f2"],
  ["swiglu", "SwiGLU, 8", "f3"],
];

const product = ({ numbers: { product }, series: { product: { x, answers } } }) => {
  const dots = Array.from({ length: 13 }, (_, i) => [i / 2 - 3, (i / 2 - 3) ** 2]);
  const drawn = plot({
    title: "What was learned of a product, along x₁ = x₂",
    x: { name: "x₁ = x₂", from: -3.1, to: 3.1 },
    y: { name: "answer; dots: x₁ x₂", from: -2, to: 9.5 },
    lines: [
      ...[-1, 1].map((edge) => ({ x: [edge, edge], y: [-2, 9.5], colour: "none" })),
      ...LEARNERS.map(([id, name, colour]) => ({ name, x, y: answers[id], colour })),
    ],
    remarks: [{ text: "trained here", x: 0, y: -1.2, side: "centre", on_phone: false }],
    dots,
  });
  return [
    section("product", "The milestone: a product"),
    figure("One gate multiplies, and goes on multiplying. ReLU bends where it was taught, and runs on straight.", drawn,
      `Trained on x₁ and x₂ from −1 to 1, drawn to 3; 1,000 steps of Adam; the third seed. “Gate cut”: the same layer with its gate held
        at 1, W₂ W₃ x.`),
    table(
      `Root mean square error of x₁ x₂ on points that were not seen: as far as the training reached, and to three times that. The product
        itself has ⅓ and 3. Medians of three seeds.`,
      ["layer", right("parameters"), right("within ±1"), right("within ±3")],
      LEARNERS.map(([id, name]) => [name, shown(product.parameters[id]), ...product[id].map((error) => shown(error, 2))]),
    ),
    formula("SiLU({v a}) − SiLU(−{v a}) = {v a} σ({v a}) + {v a} σ(−{v a}) = {v a}"),
    text(
      `So two hidden units of SwiGLU are enough for a product: set so by hand, their error is ${shown(product.set.silu, 2)}, and the same
        holds of GELU and ReLU as gates. With σ it fails: ${shown(product.set.sigmoid, 2)}. That a layer can is not that it learns: from
        random weights Adam comes near, and stops short.`,
    ),
  ];
};

// --- the knob: rounding the width ----------------------------------------------------------------------------------------

const rounding = ({ numbers: { rounding: adds }, series: { rounding: { multiples, d, added, widths } } }) => {
  const colours = ["none", "f1", "f2", "ink"], knob = multiples.at(-1);
  const percent_more = (width, row, decimals) => fixed(100 * ((3 * widths[width][multiples.indexOf(row)]) / (8 * width) - 1), decimals);
  const drawn = plot({
    title: "Parameters that rounding adds",
    more: `Saw teeth that shrink as d grows: at d = 64 rounding to 64 adds
      ${percent_more(64, 64, 1)} %, to 256 ${percent_more(64, 256, 1)} %; at 4096 ${percent_more(4096, 64, 2)} and
      ${percent_more(4096, 256, 2)} %.`,
    x: { name: "width of the model, d", log: true, from: 64, to: 2048 },
    y: { name: "parameters more than 2 · d · 4d (%)", from: -5, to: 60 },
    lines: multiples.map((multiple, i) => ({ name: `to ${multiple}`, x: d, y: added[i], colour: colours[i] })),
  });
  return [
    section("rounding", "The knob: rounding the width"),
    figure("A wide model hardly notices the rounding. A narrow one can grow by half, and is then compared unfairly.", drawn,
      `3 · d · width over 8d², for d from 64 to 2048. What leaves the frame is more than 60 %. Another multiple:
        ${command("ch03 --multiple 128")}`),
    table(
      "8d/3, floored and rounded up, and the parameters that the rounding adds.",
      ["d", right("4d", "no gate"), ...multiples.map((m) => right(`to ${m}`, "width")), right(`to ${knob} adds`, "parameters")],
      Object.entries(widths).map(([width, all]) => [
        with_commas(Number(width)),
        with_commas(4 * width),
        ...all.map(with_commas),
        `${fixed(adds[width], 2)} %`,
      ]),
    ),
  ];
};

// --- the blocks, and claims ----------------------------------------------------------------------------------------------

const blocks = ({ numbers: { blocks: { sum: [then, now], ...parts } }, series }) => {
  const rows = Object.entries(parts).map(([part, [before, after]]) => {
    const [old, modern] = series.blocks[part];
    return [part.replaceAll("_", " "), old, shown(before), modern, shown(after)];
  });
  return [
    section("blocks", "The block of 2017 and the block of today"),
    table(
      "One block of width d = 768, its parameters counted on the model. Biases stand apart.",
      ["part", "2017", right("parameters"), "today", right("parameters")],
      [...rows, ["<b>the block</b>", "in all", shown(then), "in all", shown(now)]],
    ),
    text(
      `The block has ${fixed((100 * now) / then, 1)} % of the parameters it had: what is gone are ${shown(then - now)} biases; the
        matrices are rearranged, not smaller. A stack of today’s blocks ends with one more norm, of 768, as its stream is never
        normalised.`,
    ),
  ];
};

const words = ({ numbers: { same_name: { halves: [first, second], silu_minimum, share_of_narrow } } }) => [
  ...same_name("the words mean", "name", [
    [
      "which half is the gate",
      `the second: [1, 2] gives 1 · silu(2) = ${shown(second)}`,
      `the first: silu(1) · 2 = ${shown(first)}. Weights trained with one load into the other, which is then wrong (ml-explore/mlx-lm PR
        767)`,
    ],
    [
      "SwiGLU",
      "silu(a) ⊙ b: twice b gives twice y",
      `silu(a ⊙ b), one bracket further: never below ${shown(silu_minimum)}, whatever b is (Nijikadesu/breakdown-minimind #3)`,
    ],
    [
      "a gate, “from 0 to 1”",
      "true of σ, in GLU",
      `SiLU’s goes from ${shown(silu_minimum)} to ∞: SwiGLU’s gate turns and amplifies, too`,
    ],
    [
      "hidden width",
      "4d, or 8d/3 with a gate",
      `d itself in a code that teaches the Transformer (note 4, erratum 5): ${shown(100 * share_of_narrow)} % of the weights`,
    ],
  ]),
];

export default (r) => {
  const [, exact, rounded] = r.numbers.width;
  return [
    one_number(formula_html("{frac 8 | 3}"),
      `The one number: 3 · d · (8d/3) = 2 · d · 4d. With a gate, d = 4,096 gets a hidden width of ${with_commas(exact)}, rounded up to a
        multiple of ${r.series.multiple}: ${with_commas(rounded)}.`),
    predict(r),
    areas(r),
    ablation(r),
    by_hand(r),
    value_path(r),
    product(r),
    rounding(r),
    blocks(r),
    section("claims", "Claims"),
    claim(r, "swiglu-beats-others-at-equal-parameters"),
    claim(r, "multiples-of-64-run-faster"),
    words(r),
  ];
};
