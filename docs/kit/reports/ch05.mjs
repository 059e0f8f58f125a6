// Absolute positions: stripes and a projection, the table, numbers by hand, theorems, the base, widths, learned, recurrent, claims.
import { heat_map, key_of, panels } from "../heat_map.mjs";
import { claim, command, figure, formula, one_number, predict, right, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { escaped, fixed, shown, with_e } from "../words.mjs";

const SCORE = "score, in standard deviations from the mean";
const map_of_scores = (rows) => ({ rows, sign: true, limit: 3, cell: 3.2 });

const stripes = ({ seed, numbers: { projection }, series: { stripes } }) => [
  section("stripes", "Stripes, and what a projection leaves of them"),
  figure("Every diagonal has one colour: the score knows the distance. After a random projection the stripes are gone.", panels([
    ["PE·PEᵀ", `distance explains ${fixed(projection.before, 3)}`, heat_map(map_of_scores(stripes.before))],
    [
      "PE W<sub>q</sub>ᵀW<sub>k</sub> PEᵀ, random W",
      `distance explains ${fixed(stripes.share_after, 3)}`,
      heat_map(map_of_scores(stripes.after)),
    ],
  ], 18) + key_of(map_of_scores(stripes.before), SCORE),
    `Scores of all pairs of 100 positions, query down, key across. Left: the rows themselves. Right: after W<sub>q</sub> and W<sub>k</sub>
      [64 × 512] from N(0, 1/512), seed ${seed}. Redraw: ${command("ch05")}`),
  formula("{v PE}{sub p,2i} = sin {m ω}{sub i}p", "{v PE}{sub p,2i+1} = cos {m ω}{sub i}p", "{m ω}{sub i} = {c base}{sup −2i/{m d}}"),
];

const waves = ({ series: { table, base } }) => {
  const halves = table.map((row) => [...row.filter((_, j) => j % 2 === 0), ...row.filter((_, j) => j % 2 === 1)]);
  const map = (rows) => ({ rows, sign: true, limit: 1, cell: 1.35 });
  const both = [
    [
      "interleaved: sin, cos, sin, cos, …",
      "Wavelengths grow from left to right; sines and cosines alternate.",
      heat_map(map(table)),
    ],
    ["halves: all sines, then all cosines", "The same numbers in another order: the right half starts at 1.", heat_map(map(halves))],
  ];
  return figure("One row a position, one wave a column: fast ones tell neighbours apart, slow ones tell where in the text.",
    panels(both, 30) + key_of(map(table), "entry of the table"),
    `The sinusoidal table, 100 positions down, 512 dimensions across, base ${shown(base.own)}, in both layouts.`);
};

const by_hand = ({ numbers: { hand: { dot_0_1 } }, series: { hand: { rows, dot_0_2 } } }) => [
  section("hand", "Numbers by hand"),
  table(
    "Width 4: two waves, ω<sub>0</sub> = 1 and ω<sub>1</sub> = 10000<sup>−1/2</sup> = 0.01.",
    ["position p", right("sin p"), right("cos p"), right("sin p/100"), right("cos p/100")],
    rows.map((row, p) => [p, ...row.map((v) => fixed(v, 4))]),
  ),
  text(
    `PE<sub>0</sub>·PE<sub>1</sub> = ${fixed(dot_0_1, 4)} = PE<sub>1</sub>·PE<sub>2</sub> = cos 1 + cos 0.01: sin a sin b + cos a cos b =
      cos(a − b), one term a wave. PE<sub>0</sub>·PE<sub>2</sub> = ${fixed(dot_0_2, 4)}.`,
  ),
];

const theorems = ({ numbers: { shift, dot } }) => [
  section("theorems", "A shift is a rotation, a dot product is a distance"),
  formula("sin {m ω}(p+Δ) = cos {m ω}Δ · sin {m ω}p + sin {m ω}Δ · cos {m ω}p",
    "cos {m ω}(p+Δ) = −sin {m ω}Δ · sin {m ω}p + cos {m ω}Δ · cos {m ω}p", "PE{sub p}·PE{sub p+Δ} = Σ{sub i} cos {m ω}{sub i}Δ"),
  text(`One matrix for each distance Δ, whatever p: over Δ = 1, 7, 50, 99 and all p the greatest error is ${shown(shift.error, 2)}. The
    dot product is the sum of the cosines to within ${shown(dot.error, 2)}; and as cos(−x) = cos x, PE<sub>p</sub>·PE<sub>p+Δ</sub> and
    PE<sub>p</sub>·PE<sub>p−Δ</sub> differ by ${shown(dot.asymmetry)}: a distance without a direction.`),
];

const bases = ({ numbers, series: { base } }) => {
  const colours = ["f2", "f4", "f1", "f3", "ink"];
  const alts = base.all.map((b, i) =>
    `Base ${shown(b)}: ${fixed(base.dots[i][10], 2)} at distance 10, ${fixed(base.dots[i][50], 2)} at 50.`
  );
  const drawn = plot({
    title: "Dot product of two rows against their distance, for several bases",
    more: alts.join(" "),
    x: { name: "distance Δ", from: 0, to: 99 },
    y: { name: "PE·PE, relative to its value at Δ = 0", from: -0.5, to: 1.05 },
    lines: base.all.map((b, i) => ({ name: shown(b), y: base.dots[i], colour: colours[i] })),
  });
  const row = (b, i) => {
    const { longest_wave, least_distance, dot_at_50 } = numbers.base[b.toFixed(0)];
    return [shown(b), shown(longest_wave), shown(base.turning[i]), fixed(least_distance, 2), fixed(dot_at_50, 2)];
  };
  return [
    section("base", "The knob: the base"),
    figure("With base 10 the curve falls at once and echoes; with 10⁶ far and near look much the same.", drawn,
      `Σ cos ωΔ / 256 against the distance, labels: the base. Turn it yourself: ${command("ch05 --base 500")}`),
    table(
      `With a small base all waves are fast and far rows differ as much as near ones; with a large one most hardly move. The rows of a
        wave have length 16.`,
      [
        "base",
        right("longest wave", "positions"),
        right("waves that turn once in 100", "of 256"),
        right("nearest two rows", "distance"),
        right("dot product at Δ = 50", "of that at 0"),
      ],
      base.all.map(row),
    ),
  ];
};

const widths = ({ series: { widths: { apart, shared } } }) => {
  const drawn = plot({
    title: "Share explained by distance against the width of the projection",
    x: { name: "width of the head", log: true, from: 4, to: 512 },
    y: { name: "share of the variance that distance explains", from: 0, to: 1.05 },
    lines: [{ name: "two W", ...apart, colour: "f1" }, { name: "one W", ...shared, colour: "f3" }],
  });
  return [
    section("experiment", "Does a wider head keep more?"),
    figure("Width alone does not help: only where both projections are the same matrix does distance come back.", drawn,
      `Median and range over the seeds. Two W: W<sub>q</sub> and W<sub>k</sub> drawn apart, as in attention. One W: W<sub>k</sub> =
        W<sub>q</sub>, so that W<sub>q</sub>ᵀW<sub>k</sub> comes nearer to the identity the wider it is.`),
  ];
};

const learned = (r) => {
  const { gradient_seen, gradient_unseen, past_the_last_row } = r.numbers.learned;
  return [
    section("learned", "A learned row for each position"),
    text(
      `A table of 32 rows, texts of 16: each row that was reached has a gradient (least ${shown(gradient_seen)}), the others exactly
        ${shown(gradient_unseen)}: they stay random, whatever the training. Past the last row the layer says:
        <code>${escaped(past_the_last_row)}</code>. Its <code>extend(8)</code> adds random rows, to be trained on.`,
    ),
    tape(r),
  ];
};

const recurrent = ({ series: { recurrent } }) => {
  const drawn = plot({
    title: "How far the state moves in one step, on one repeated token",
    more: `It falls from
      ${fixed(recurrent.y[0], 2)} to ${with_e(recurrent.y[29], 1)} at position 30.`,
    x: { name: "position t", from: 0, to: 63 },
    y: { name: "‖hₜ₊₁ − hₜ‖ / ‖h₁‖", log: true },
    lines: [recurrent],
  });
  return [
    section("recurrent", "A recurrent layer counts, for a while"),
    figure("It needs no largest length, but on a repeated token it comes to rest: position 30 looks like 31.", drawn,
      `y<sub>t</sub> = x<sub>t</sub> + h<sub>t</sub>, h<sub>t</sub> = tanh(Wx<sub>t</sub> + Uh<sub>t−1</sub> + b), width 64, as it starts,
        in f32; median and range of 5 seeds. Each step waits for the one before: no parallelism over T.`),
  ];
};

const claims = (r) => [
  section("claims", "Claims of the notes"),
  claim(r, "projection-destroys-sinusoidal-distance"),
  section("conventions", "Same name, other formula"),
  text(`Interleaved or halves: the same numbers in another order. Any W that follows can be permuted alike, so no model is better for it;
    but weights trained with one are wrong with the other. After the permutation the tables differ by exactly 0. The i of the formula
    counts <em>pairs</em>: code whose i steps by two and doubles it again has other waves.`),
];

export default (r) => {
  const { before, after, after_seeds } = r.numbers.projection;
  return [
    one_number(`${fixed(before, 3)} → ${fixed(after, 3)}`,
      `The one number: share of the variance of the scores between 100 positions that their distance explains, before and after random
        projections 512 → 64 (median of ${after_seeds.length} seeds).`),
    predict(r),
    stripes(r),
    waves(r),
    by_hand(r),
    theorems(r),
    bases(r),
    widths(r),
    learned(r),
    recurrent(r),
    claims(r),
  ];
};
