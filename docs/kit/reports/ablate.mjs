// An ablation: each variant at its own best rate, with several seeds: which differences are more than another seed makes?
import { heat_map, key_of, panels } from "../heat_map.mjs";
import { figure, made_lines, one_number, right, section, table, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { listed, mean, p_text, quiet, spreads_strip } from "../statistics.mjs";
import { escaped, fixed, shown, with_commas } from "../words.mjs";

const plural = (n, one, many) => (n === 1 ? one : many);

// The JSON with what the parts below ask of each variant.
function read(data) {
  const variants = data.variants.map((v) => ({
    ...v,
    baseline: v.name === data.baseline.name,
    within: Math.abs(v.in_spreads) < 2,
    diverged: v.losses.filter(Number.isNaN).length,
  }));
  return { ...data, variants, first: variants.find(({ baseline }) => baseline) };
}

// --- the one number, and the table ------------------------------------------------------------------------------------

function seed_spread({ variants, first, comparisons }) {
  const name = escaped(first.name);
  if (!first.trained) return one_number("†", `The baseline, ${name}, has not trained: nothing can be compared with it.`);
  const said = (word) => listed(variants.filter((v) => v.said === word).map((v) => v.name));
  const within = variants.filter((v) => !v.baseline && v.within).length;
  return one_number(Number.isNaN(first.sigma) ? "±?" : `±${fixed(first.sigma, 3)}`,
    `What another seed does to the baseline, ${name}, at ${fixed(first.mean, 3)} nats per byte: σ of ${first.losses.length} seeds.
      ${within} of ${comparisons} variant${plural(comparisons, " is", "s are")} within twice that. Beyond it, with p below 0.05: lower
      ${said("lower")}; higher ${said("higher")}.`);
}

// The differences of the single runs in the baseline's spreads; none where a seed has no loss.
const dots_of = (v, first) =>
  v.diverged || !v.trained || !first.trained || !(first.sigma > 0) ? [] : v.losses.map((loss) => (loss - first.mean) / first.sigma);

function loss_text({ diverged, losses, mean, sigma }) {
  if (diverged) return `diverged ${diverged}/${losses.length}`;
  return losses.length < 2 ? fixed(mean, 4) : `${fixed(mean, 4)} ± ${fixed(sigma, 4)}`;
}

function difference_text({ baseline, in_spreads: x, within }) {
  if (baseline) return "0";
  return Number.isNaN(x) ? "–" : `${within ? "≈ " : ""}${x > 0 ? "+" : ""}${fixed(x, 1)}`;
}

const chance = ({ baseline, in_spreads, p_corrected: p }) => (baseline || Number.isNaN(in_spreads) ? "–" : p_text(p, 3));

// In a column that asks whether a variant differs from the baseline.
const IN_A_WORD = { "not significant": "unclear", "too few seeds": "unclear", "no difference seen": "no" };

function sorted_table({ variants, first, comparisons, equal, seeds }) {
  const dots = variants.flatMap((v) => dots_of(v, first)), time = equal === "time";
  const row = (v) => {
    const grey = (words) => (!v.baseline && v.within ? quiet(words) : words), values = dots_of(v, first);
    return [
      escaped(v.name),
      time ? `${v.steps} (${fixed(v.time_ratio, 2)}×)` : with_commas(v.parameters),
      shown(v.rate, 2) + (v.at_edge ? "*" : ""),
      loss_text(v),
      grey(difference_text(v)),
      chance(v),
      grey(IN_A_WORD[v.said] ?? v.said),
      values.length ? spreads_strip(dots, values, `${values.length} seeds of ${v.name}`) : "–",
    ];
  };
  return [
    section("table", "Which is better?"),
    table(
      `Best first. Loss on validation text, mean and σ of ${seeds.count} seeds; Δ: to the baseline, ${escaped(first.name)}, in σ of its
        seeds; p: paired by seed, times ${comparisons} comparison${plural(comparisons, "", "s")}. ≈: no more than another seed does;
        unless p is below 0.05, no difference is seen. Dots: seeds; grey bar: ±2 σ.`,
      [
        "variant",
        time ? right("steps", "and a step’s time") : right("parameters"),
        right("rate"),
        right("loss", "nats per byte"),
        right("Δ", "σ"),
        right("p"),
        "differs?",
        "seeds",
      ],
      variants.map(row),
    ),
    variants.some((v) => v.at_edge)
      ? text("*: at the edge: the outermost rate of the sweep was the best; a farther one may be better still.")
      : [],
    seeds.count < 3 ? text("Fewer than three seeds tell nothing of a difference.") : [],
  ];
}

// --- pictures -----------------------------------------------------------------------------------------------------------

// What each run gives, place by place: mean, least and greatest; runs that diverged apart.
function over_runs(v, values_of) {
  const runs = v.runs.filter(({ loss }) => !Number.isNaN(loss)).map(values_of),
    places = (runs[0] ?? []).map((_, i) => runs.map((run) => run[i]));
  return { y: places.map(mean), low: places.map((all) => Math.min(...all)), high: places.map((all) => Math.max(...all)) };
}

// The lines of the variants, as evenly as can be over plots of four at most, with the baseline in each of them.
function plots_of({ variants, first }, line_of) {
  const all = variants.filter((v) => !v.baseline).map(line_of).filter(({ x }) => x.length > 1), baseline = line_of(first);
  if (!baseline.x.length) return [];
  const count = Math.ceil(all.length / 4), cut = (p) => Math.floor((all.length * p) / count);
  return Array.from({ length: count }, (_, p) => [
    { ...baseline, colour: "none" },
    ...all.slice(cut(p), cut(p + 1)).map((line, i) => ({ ...line, colour: `f${i + 1}` })),
  ]);
}

function drawn(title, x, y, lines) {
  return plot({ title, x, y, lines });
}

function curve_of(v) {
  const { y } = over_runs(v, ({ curve }) => curve.losses);
  return { name: v.name, x: y.map((_, i) => (100 * (i + 0.5)) / y.length), y };
}

const curves = (data) => [
  section("curves", "How they learn"),
  plots_of(data, curve_of).map((lines) => {
    // The first part of a run, in which all fall alike, leaves through the frame.
    const least = Math.min(...lines.flatMap(({ y }) => y)), to = Math.max(...lines.map(({ y }) => y[Math.floor(y.length / 8)]));
    const y = { name: "training loss (nats per byte)", from: least - 0.05 * (to - least), to };
    const at_end = ({ name, y: values }) => [name, fixed(values.at(-1), 3)], [[one, loss], [other, its]] = lines.map(at_end);
    return figure(escaped(`At the end ${one} is at ${loss} on the training text, ${other} at ${its}.`),
      drawn("Training loss against the share of the run", { name: "share of the run (%)", from: 0, to: 100 }, y, lines),
      `Means over ${data.first.losses.length} seeds and over neighbouring batches; dashed: the baseline, ${escaped(one)}. In the order of
        the table.`);
  }),
];

function lengths_of(v) {
  const { y, low, high } = over_runs(v, ({ lengths }) => lengths.map(({ loss }) => loss));
  const there = y.map((_, i) => i).filter((i) => !Number.isNaN(y[i])), pick = (values) => there.map((i) => values[i]);
  return { name: v.name, x: there.map((i) => 2 ** i), y: pick(y), low: pick(low), high: pick(high) };
}

function lengths(data) {
  const pictures = plots_of(data, lengths_of).map((lines) => {
    const far = lines.filter(({ x }) => x.at(-1) === 4), best = far.reduce((a, b) => (b.y.at(-1) < a.y.at(-1) ? b : a), far[0]);
    return figure(best
      ? escaped(`At four times the length ${best.name} has the lowest loss of these: ${fixed(best.y.at(-1), 3)}.`)
      : "None of these reads windows of four times the length.",
      drawn("Loss against the length of the windows", { name: "length of the windows ÷ that of training", from: 1, to: 4 }, {
        name: "loss (nats per byte)",
      }, lines), `The same part of the validation text in windows of T, 2T and 4T bytes; trained on T. Lines: means over
        ${data.first.losses.length} seeds; bands: least to greatest; dashed: the baseline, ${escaped(lines[0].name)}.`);
  });
  const at = (v, i) => {
    const loss = mean(v.runs.map((run) => run.lengths[i].loss));
    return Number.isNaN(loss) ? "cannot" : fixed(loss, 3);
  };
  const reasons = data.variants.map((v) => [v.name, v.runs.flatMap((run) => run.lengths.map(({ cannot }) => cannot)).find(Boolean)]);
  const why = reasons.filter(([, reason]) => reason).map(([name, reason]) => `${escaped(name)} cannot: <em>${escaped(reason)}</em>. `);
  return [
    section("lengths", "On longer texts than it was trained on"),
    pictures,
    table(
      "Means over the seeds, nats per byte.",
      ["variant", right("at T"), right("at 2T"), right("at 4T")],
      data.variants.map((v) => [escaped(v.name), at(v, 0), at(v, 1), at(v, 2)]),
    ),
    why.length ? text(why.join("")) : [],
  ];
}

// The geometric mean of the gradients' norms over all runs, block by block.
function norms_of(v, when) {
  const runs = v.runs.map(({ gradients }) => gradients[when]).filter(({ length }) => length);
  return (runs[0] ?? []).map((_, i) => Math.exp(mean(runs.map((run) => Math.log(run[i])))));
}

// The gradient of the first block over that of the last: which variant has least of it, and which most.
function slopes_of({ variants }, when) {
  const all = variants.map((v) => [v.name, norms_of(v, when)]).filter(([, norms]) => norms.length);
  const sorted = all.map(([name, norms]) => [name, norms[0] / norms.at(-1)]).sort((a, b) => a[1] - b[1]);
  return sorted.length ? [sorted[0], sorted.at(-1)] : [];
}

function gradients(data) {
  const { variants, first } = data, blocks = Math.max(...variants.map((v) => v.runs[0].gradients.before.length));
  const known = ["before", "after"].flatMap((when) => variants.flatMap((v) => norms_of(v, when))).filter((x) =>
    Number.isFinite(x) && x > 0
  );
  const limit = Math.max(0, ...known);
  const decades = limit > 0 ? Math.min(6, Math.max(1, Math.ceil(Math.log10(limit / Math.min(...known))))) : 1;
  const panel = (when, title) => {
    const [least, most] = slopes_of(data, when), told = ([name, ratio]) => `${shown(ratio, 2)} (${escaped(name)})`;
    const rows = variants.map((v) => Array.from({ length: blocks }, (_, b) => norms_of(v, when)[b] ?? NaN));
    const map = heat_map({
      rows,
      limit,
      decades,
      cell: 16,
      alt: `Heat map of ${variants.length} variants by ${blocks} blocks, ${title}.`,
      row_names: variants.map((v) => v.name),
      column_names: Array.from({ length: blocks }, (_, b) => (b % 2 === 0 ? String(b + 1) : "")),
    });
    return [title, least ? `First block over last: least ${told(least)}, most ${told(most)}.` : "All diverged.", map];
  };
  const [least, most] = slopes_of(data, "before").map(([, ratio]) => shown(ratio, 2));
  return [
    section("gradients", "The gradient by depth"),
    figure(`Before the first step the first block’s gradient is ${least} to ${most} times the last’s.`,
      panels([panel("before", "Before the first step"), panel("after", "After the last step")], 20) +
        key_of({ rows: [[limit]], limit, decades }, "‖dL/dθ‖ of a block"),
      `Norm of the loss’s gradient by all parameters of a block, of one validation batch; columns: blocks, the first at the left;
        geometric means over ${first.losses.length} seeds. ×: diverged.`),
  ];
}

// --- how it was made ------------------------------------------------------------------------------------------------------

function rates_tried({ variants }) {
  const one = (v, [rate, loss]) => {
    const words = `${shown(rate, 2)}: ${Number.isNaN(loss) ? "diverged" : fixed(loss, 3)}`;
    return rate === v.rate ? `<strong>${words}</strong>` : words;
  };
  return table(
    "Mean loss of each learning rate tried, nats per byte; bold: chosen.",
    ["variant", "rate: loss"],
    variants.map((v) => [escaped(v.name), v.tried.map((tried) => one(v, tried)).join(" · ")]),
  );
}

function fixed_beforehand(data) {
  const { config } = data.baseline;
  return [
    section("fixed", "What was fixed beforehand"),
    text(`The baseline: ${config.norm} norm, placement ${config.placement}, positions ${config.position}, feed-forward layer
      ${config.feed_forward}; width ${config.d_model}, ${config.layers} blocks, windows of ${config.context} bytes, ${config.steps} steps
      of ${config.batch} windows.`),
    data.fixed_beforehand.map((sentence) => text(escaped(sentence))),
    data.sweep.farthest > 0 ? rates_tried(data) : [],
    data.refused.map(({ name, why }) => text(`Not trained: ${escaped(name)}. <em>${escaped(why)}</em>`)),
  ];
}

const PICTURES = { curves, lengths, gradients };

export default (json) => {
  const data = read(json), { first, count } = data.seeds;
  const factors = Object.entries(data.options).filter(([, values]) => values.length > 1);
  return {
    title: `Ablation: ${factors.map(([option]) => option.replaceAll("_", "-")).join(" × ")}`,
    idea: "Each variant at its own best learning rate, with several seeds: which differences are more than another seed makes?",
    body: [seed_spread(data), sorted_table(data), data.show.map((picture) => PICTURES[picture]?.(data) ?? []), fixed_beforehand(data)],
    made: [
      ...made_lines(data.made),
      ["seeds", `${first} to ${first + count - 1}`],
      ["numbers", "<code>table.csv</code>, <code>runs.csv</code>, <code>ablation.json</code> beside this page"],
    ],
  };
};
