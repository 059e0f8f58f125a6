// The matrix: what a seed does, the matrix and the same of nothing, numbers by hand, more seeds, factors, pairs, claims, rates.
import { heat_map, key_of } from "../heat_map.mjs";
import { claim, command, figure, formula, one_number, predict, right, section, table, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { listed, p_text, quiet, span, spreads_strip } from "../statistics.mjs";
import { escaped, fixed } from "../words.mjs";

const signed = (x, decimals) => (x > 0 ? "+" : "") + fixed(x, decimals);
const in_sigma = (x) => (Math.abs(x) < 2 ? quiet(`≈ ${signed(x, 2)}`) : signed(x, 2)); // grey where it is below two

// The matrix as a picture, wide and for a phone; a cell that is refused is empty.
function drawn_matrix(rows, { matrix: { rows: row_names, groups, columns } }, alt) {
  const map = (cell) => ({
    rows,
    sign: true,
    limit: 20,
    quiet: 2,
    cell,
    decimals: 1,
    alt,
    row_names,
    column_names: groups.flatMap(() => columns),
    column_groups: groups,
    hidden: (i, j) => Number.isNaN(rows[i][j]),
  });
  return `<div class="wide">${heat_map(map(46))}</div><div
    class="narrow">${heat_map(map(24))}</div>${key_of(map(24), "difference in σ, grey within ±2")}`;
}

// For those who do not see it.
function widest(rows, { matrix: { rows: row_names, groups, columns } }) {
  const cells = rows.flatMap((row, i) =>
    row.map((z, j) => ({
      z,
      name: [row_names[i].replace(" ", ", "), groups[Math.floor(j / columns.length)], columns[j % columns.length]].join(", "),
    }))
  ).filter(({ z }) => !Number.isNaN(z)).sort((a, b) => a.z - b.z);
  const told = ({ z, name }) => `${fixed(z, 1)} σ with ${name}`;
  return `Lowest: ${told(cells[0])}; highest: ${told(cells.at(-1))}.`;
}

const matrix = ({ numbers: { matrix, baseline }, series }) => {
  const { setting, matrix: { refused, why } } = series, grey = fixed(matrix.grey_percent, 0);
  return [
    section("matrix", "The matrix"),
    text(`The baseline: RMS norm before each sublayer (pre), RoPE, SwiGLU. For each of the four parts two others:
      ${matrix.cells + matrix.refused} combinations. All feed-forward layers have as many parameters, with a gate or without.`),
    figure(`${grey} % of the other cells are grey: one run does not tell them from the baseline run with another seed.`,
      drawn_matrix(matrix.in_spreads, series,
        `Heat map of ${matrix.cells} cells; rows: norm and placement; columns: position and feed-forward layer. ${grey} % of those besides
          the baseline are within 2 σ of the baseline. ${widest(matrix.in_spreads, series)}`),
      `Loss on validation text − the baseline’s mean, over σ = ${fixed(baseline.sigma, 3)}; blue: lower. One run a cell, seed
        ${setting.first_seed}; the baseline is the cell at top left. Empty: refused by the library. Models of width ${setting.d_model},
        ${setting.layers} blocks, windows of ${setting.context} bytes, ${setting.steps} steps of ${setting.batch} windows, all at a rate
        of ${setting.rate}.`),
    formula("{v σ} = {root {frac 1 | n − 1} Σ ({v x}{sub s} − {m x̄}){sup 2}}", "{v z} = {frac {v x} − {m x̄} | {v σ}}",
      "{m SE} = {v σ} {root {frac 1 | {c k}} + {frac 1 | n}}"),
    text(`x: a run’s loss; x̄ and σ: mean and spread of the baseline’s n seeds; SE, the standard error: what the mean of k runs is still
      uncertain by.`),
    why.map((one, i) => text(`The library refuses ${refused[i]} cells before a step is made: <em>${escaped(one)}</em>.`)),
  ];
};

const by_hand = ({ numbers: { baseline, hand }, series: { setting } }) => {
  const { losses, other, result: [mean, sigma, z] } = hand, squares = losses.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return [
    section("hand", "Numbers by hand"),
    table("Four runs of the baseline.", ["run", right("loss x", "nats"), right("x − x̄"), right("(x − x̄)²")], [
      ...losses.map((x, s) => [`seed ${setting.first_seed + s}`, fixed(x, 4), fixed(x - mean, 4), fixed((x - mean) ** 2, 6)]),
      ["mean x̄, and sums", fixed(mean, 4), "0", fixed(squares, 6)],
    ]),
    text(
      `σ = √(${fixed(squares, 6)} / 3) = ${fixed(sigma, 4)}. One run without positions ends at ${fixed(other, 4)}, so z =
        (${fixed(other, 4)} − ${fixed(mean, 4)}) / ${fixed(sigma, 4)} = ${fixed(z, 1)}.`,
    ),
    text(
      `Divide by 3, not by 4: the mean was fitted to the same four numbers, which therefore lie nearer to it than to the true one. And
        four runs know σ only to about ± ${fixed(100 / Math.sqrt(6), 0)} % (1/√(2 (n − 1))). The pictures take ${baseline.losses.length}
        runs, and there this cell is at ${fixed((other - baseline.mean) / baseline.sigma, 1)} σ.`,
    ),
  ];
};

const nothing = ({ numbers: { null: none, baseline }, series }) => {
  const cells = none.in_spreads.flat().filter((z) => !Number.isNaN(z)).length, coloured = fixed(none.coloured_percent, 0);
  const runs = baseline.losses.length;
  return [
    section("null", "The same matrix of nothing"),
    figure(`Here every cell is the baseline, and still ${coloured} % are coloured: whoever looks at ${cells} cells finds something.`,
      drawn_matrix(none.in_spreads, series,
        `Heat map like the first; every cell the baseline with another seed. ${coloured} % lie beyond 2 σ.
          ${widest(none.in_spreads, series)}`),
      `${cells} runs of the baseline with ${cells} seeds, in the places of the first figure’s cells. Expected by chance:
        ${fixed(none.expected_percent, 1)} %; it would be 4.6 % if σ were known, and is known from ${runs} runs, to about ±
        ${fixed(100 / Math.sqrt(2 * (runs - 1)), 0)} %.`),
    text(
      `With a chance of 5 % each, ${cells} comparisons give ${fixed(0.05 * cells, 1)} false alarms, and one at least with a probability of
        ${fixed(100 * (1 - 0.95 ** cells), 1)} %, if they are independent. So who makes many comparisons must ask more of each: the claims
        below divide 5 % by their number (Bonferroni).`,
    ),
  ];
};

const more_seeds = ({ numbers: { baseline, seeds } }) => {
  const all = [["whole matrix", seeds.matrix, "f1"], ["one change", seeds.one_change, "f2"], ["nothing", seeds.nothing, "none"]];
  const from_one = (y) => y.map((_, i) => i + 1), change = seeds.one_change;
  const drawn = plot({
    title: "Share of cells that differ significantly from the baseline, by seeds per cell",
    x: { name: "seeds of a cell", from: 1, to: change.length },
    y: { name: "significantly other than the baseline (%)", from: 0, to: 100 },
    lines: all.map(([name, y, colour]) => ({ name, x: from_one(y), y, colour })),
  });
  return [
    section("knob", "The knob: seeds"),
    figure(change.at(-1) > change[0]
      ? "With more seeds more cells differ significantly from the baseline, and no more of what is nothing."
      : "Here with more seeds no more cells differ significantly from the baseline.", drawn,
      `A cell differs significantly from the baseline if the mean of its k runs lies more than two standard errors away, 2 σ √(1/k +
        1/${baseline.losses.length}). Mean over all choices of k of the seeds. One change: the cells that differ from the baseline in one
        part. Nothing: the baseline itself. Redraw: ${command("ch12 --seeds 8")}`),
    table(
      "The smallest difference that k runs per cell can show, two standard errors; the baseline’s own error vanishing.",
      ["runs k", right("2 / √k", "σ"), right("here", "nats"), right("runs for half of it")],
      [1, 4, 16, 64].map((k) => [k, fixed(2 / Math.sqrt(k), 2), fixed((2 / Math.sqrt(k)) * baseline.sigma, 4), 4 * k]),
    ),
  ];
};

const factors = ({ numbers, series: { effects, setting } }) => {
  const all = Object.entries(effects), dots = all.flatMap(([, { differences }]) => differences);
  const row = ([variant, { family, differences }]) => {
    const [mean, sigma, count] = numbers.factors[variant];
    const strip = spreads_strip(dots, differences, `${variant} instead, in ${count} combinations of the other parts`);
    return [`${family} ${variant}`, in_sigma(mean), fixed(sigma, 2), count, strip];
  };
  return [
    section("factors", "What each factor does"),
    text(`A matrix is more than its cells: each run counts for every factor at once (Fisher, 1935). RoPE is replaced by ALiBi in
      ${effects.alibi.differences.length} combinations of the rest. The mean of those differences is its main effect; that they spread
      says how far it depends on the company.`),
    table(
      `Means of ${setting.seeds} runs a cell, in σ. A dot: the change in one combination of the other parts; grey bar: ±2 σ.`,
      ["in place of the baseline’s", right("main effect", "σ"), right("its spread", "σ"), right("combinations"), "each of them"],
      all.map(row),
    ),
  ];
};

const pairs = ({ numbers: { change, baseline: { sigma } }, series: { effects, changes, setting } }) => {
  const is_large = (variant) => Math.abs(change[variant][0]) >= 2 * sigma, is_told = (variant) => changes[variant].said !== "no";
  const names = Object.keys(changes), rho = (variant) => fixed(change[variant][2], 2);
  return [
    section("paired", "One change at a time, paired by seed"),
    table(
      `Loss − the baseline’s, seed by seed, ${setting.pairs} seeds. SE: standard error of the mean difference; ρ: correlation of the two
        losses; p: how often chance alone would give as much. Told: p below 5 % over the number of lines.`,
      ["instead", right("difference", "σ"), right("SE", "σ"), right("its own spread", "σ"), right("ρ"), right("p"), "significant?"],
      names.map((variant) => {
        const [mean, error, correlation, p] = change[variant], { own, said } = changes[variant];
        return [
          `${effects[variant].family} ${variant}`,
          in_sigma(mean / sigma),
          fixed(error / sigma, 2),
          fixed(own / sigma, 2),
          fixed(correlation, 2),
          p_text(p),
          said === "no" ? quiet("no") : said,
        ];
      }),
    ),
    text(
      `Significant is not large: with enough seeds a difference of less than 2 σ (≈) is significant, and still less than what another seed
        does. Here: ${listed(names.filter((v) => is_told(v) && !is_large(v)))}. Large is not significant: a variant that itself spreads
        much needs more seeds. Here: ${listed(names.filter((v) => is_large(v) && !is_told(v)))}.`,
    ),
    text(
      `Pairing subtracts what a seed does to both. With layer norm in place of RMS norm the weights are drawn in the same order, one seed
        gives both models the same ones, and ρ is ${rho("layer")}. ReLU’s layer has two matrices in place of three: what is drawn after
        them differs, the same batches remain, and ρ is ${rho("relu")}. The spread of a difference is σ √(2 − 2ρ): without correlation √2
        σ, more than that of one run.`,
    ),
  ];
};

const claims = (r) => [section("claims", "What may be said"), Object.keys(r.claims).map((id) => claim(r, id, false))];

const rates = ({ numbers: { rates: { moved, ...each } } }) => {
  const all = Object.values(each), costs = all.map(([, , , deepnorm]) => deepnorm);
  return [
    section("rates", "And at another rate?"),
    text(
      `All cells trained at one learning rate. Between half and twice that the baseline itself moves by ${fixed(moved, 1)} σ, and what
        DeepNorm costs goes from ${span(costs, 1)} σ. A variant that is worse here may be
        worse, or be judged at another’s rate: a fair comparison looks for the best rate of each.`,
    ),
    table(
      "Three seeds each; differences in σ of the first figure.",
      ["learning rate", right("baseline", "nats"), right("post", "σ"), right("deepnorm", "σ")],
      all.map(([rate, mean, post, deepnorm]) => [rate, fixed(mean, 3), in_sigma(post), in_sigma(deepnorm)]),
    ),
  ];
};

const same_name = ({ numbers: { same_name: values, baseline } }) => {
  const meanings = [
    ["spread σ, here", "√(Σ (x − x̄)² / (n − 1))"],
    ["spread of these n alone", "√(Σ (x − x̄)² / n)"],
    ["standard error of the mean", "σ / √n"],
    ["95 % interval of the mean", `t σ / √n, t = ${fixed(values[3] / values[2], 2)}`],
    ["half of a 95 % range of runs", "1.96 σ"],
  ];
  return [
    section("same-name", "Same name, other formula"),
    table(
      `All are written “${fixed(baseline.mean, 3)} ±”; of the same ${baseline.losses.length} runs.`,
      ["what ± means", "its formula", right("here", "nats")],
      meanings.map(([name, one], i) => [name, one, fixed(values[i], 4)]),
    ),
    text(`The largest is ${fixed(values[4] / values[2], 0)} times the smallest. A “±” without its meaning and its n is no statement.`),
  ];
};

export default (r) => {
  const { losses, mean, sigma } = r.numbers.baseline;
  return [
    one_number(`±${fixed(sigma, 3)}`,
      `The one number: σ in nats, by which the loss of one and the same model moves with its seed. ${losses.length} seeds end between
        ${span(losses, 3, "and")}, ${fixed(mean, 3)} on the mean. A difference below that says
        nothing.`),
    predict(r),
    matrix(r),
    by_hand(r),
    nothing(r),
    more_seeds(r),
    factors(r),
    pairs(r),
    claims(r),
    rates(r),
    same_name(r),
  ];
};
