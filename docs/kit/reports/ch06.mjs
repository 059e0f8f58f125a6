// Relative positions: clocks, the law of distance, numbers by hand, the family of encodings, wrong lines, conventions.
import { heat_map, key_of, panels } from "../heat_map.mjs";
import { claim, command, figure, formula, one_number, predict, right, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { published } from "../published.mjs";
import { at, fill, label, path } from "../svg.mjs";
import { escaped, fixed, shown, with_commas } from "../words.mjs";

// --- clock hands: what RoPE makes of (1, 0) at a query's and at a key's position -----------------------------------------

const RADIUS = 50, HAND = 0.88 * RADIUS;

const point = (angle, length) => [length * Math.cos(angle), -length * Math.sin(angle)];
const hand = (angle, colour, width) => {
  const [x, y] = point(angle, HAND);
  return path(`M0 0L${at(x)} ${at(y)}`, `stroke="var(--${colour})" stroke-width="${width}" stroke-linecap="round"`);
};
const name_at = (angle, colour, name) => {
  const [x, y] = point(angle, RADIUS + 11);
  return label(x, y + 5, "middle", name, colour, 14);
};
const shorter = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)); // from −π to π

// The sector between the hands, the hands before in grey, the hands, and their names, apart where those are together.
function clock([query_before, key_before, query, key]) {
  const turn = shorter(key - query), r = 0.42 * RADIUS, away = (Math.sign(turn || -1) * Math.max(0, 0.32 - Math.abs(turn))) / 2;
  const [from, to] = [query, key].map((angle) => point(angle, r).map(at).join(" "));
  const drawn = [
    `<circle r="${RADIUS}" fill="none" stroke="var(--line)" stroke-width="1.5"/>`,
    path(`M0 0L${from}A${r} ${r} 0 0 ${turn > 0 ? 0 : 1} ${to}z`, `${fill("hidden")} opacity=".7"`),
    hand(query_before, "hidden", 2.2) + hand(key_before, "hidden", 2.2),
    hand(key, "f2", 5) + hand(query, "f1", 2.2),
    name_at(query - away, "f1", "q") + name_at(key + away, "f2", "k"),
  ];
  return `<svg viewBox="-70 -70 140 140" style="max-width:9rem" aria-hidden="true">${drawn.join("")}</svg>`;
}

const clocks = (r) => {
  const { numbers: { clocks: { shift, wavelengths, change_of_angles } }, series: { clocks: { hands } } } = r;
  const slowest = with_commas(Math.round(wavelengths.at(-1)));
  const faces = hands.map((four, i) => [
    `pair ${i}`,
    `${shown(wavelengths[i])} tokens a turn; angle ${fixed(shorter(four[2] - four[3]), 3)}`,
    clock(four),
  ]).filter((_, i) => i % 4 === 0);
  return [
    section("clocks", "Each pair of numbers is a clock"),
    figure(`Both tokens move on by ${shift}: all hands turn, no angle between them changes.`, panels(faces, 8.5),
      `${faces.length} of the ${hands.length} pairs of a head of ${2 * hands.length}, fast to slow. Hands: what RoPE makes of (1, 0) for a
        query at position ${9 + shift} and a key at ${4 + shift}; grey: the same ${shift} tokens earlier. Angles in radians. Redraw:
        ${command(`ch06 --shift ${shift}`)}`),
    formula("({v x}{sub 2k}, {v x}{sub 2k+1}) turned by {m p}·{m ω}{sub k}", "{m ω}{sub k} = {c θ}{sup −2k/d}",
      "⟨R{sub m}{v q}, R{sub n}{v k}⟩ = {v q}ᵀR{sub n−m}{v k}"),
    text(
      `The angles of all ${hands.length} pairs changed by ${shown(change_of_angles, 2)} at most. The fastest hand turns in
        ${shown(wavelengths[0])} tokens, the slowest in ${slowest}: the first tells neighbours apart, the last has hardly moved at the end
        of a long text.`,
    ),
    claim(r, "rope-fast-and-slow-hands"),
  ];
};

// --- the law ---------------------------------------------------------------------------------------------------------------

const law = ({ numbers: { law, bug }, series }) => {
  const map = (rows) => ({ rows, sign: true, limit: 3, cell: 3.2 });
  const panel = (name, { spread, share }, rows) => [
    name,
    `spread ${shown(spread, 2)}, share ${fixed(share, 6)}`,
    heat_map(map(rows)),
  ];
  const maps = [panel("RoPE", law.right, series.law.right)];
  if (bug) maps.push(panel(escaped(bug), law.wrong, series.law.wrong));
  return [
    section("law", "The law: a score knows the distance alone"),
    figure("Every diagonal has one colour, after any projection: q and k are random here.",
      panels(maps, 18) + key_of(map([[0]]), "score, in standard deviations from the mean"),
      `⟨R<sub>m</sub>q, R<sub>n</sub>k⟩ for one random q and k of width 64, positions m down and n across, in f64. Spread: the greatest
        difference within one diagonal. 3,000 tokens further on, all scores are the same to within ${
        shown(law.change_3000_tokens_on, 2)
      }.`),
  ];
};

const by_hand = (r) => {
  const pair = ([a, b]) => `(${fixed(a, 4)}, ${fixed(b, 4)})`, { q, k } = r.series.hand;
  return [
    section("hand", "Numbers by hand"),
    table(
      "A head of one pair, ω = 1: q = (1, 0), k = (0.6, 0.8).",
      ["positions m, n", right("q turned", "by m"), right("k turned", "by n"), right("score")],
      ["0, 0", "2, 1", "7, 6", "1, 2"].map((positions, i) => [positions, pair(q[i]), pair(k[i]), fixed(r.numbers.hand.scores[i], 4)]),
    ),
    text(`Rows 2 and 3 have one distance and one score: cos 1 · 0.6 + sin 1 · 0.8 = 0.9974. The other direction, row 4, has another:
      unlike the sinusoidal dot product, this one knows before from after.`),
    tape(r),
  ];
};

// --- every encoding against three wishes --------------------------------------------------------------------------------------

const family = (r) => {
  const { numbers: { family }, series: { family: { back, steps, seeds } } } = r;
  const drawn_ones = [["xl", "f4"], ["t5", "f3"], ["rope", "f1"], ["alibi", "none"], ["learned", "f2"]];
  const told = (name) => `${name}: ${family[name].accuracy.map((v) => fixed(v, 2)).join(", ")}.`;
  const drawn = plot({
    title: "Accuracy against the length of the text",
    more: drawn_ones.map(([name]) => told(name)).join(" "),
    x: { name: "length of the text, in lengths of the training texts", from: 1, to: 4 },
    y: { name: "right answers (share)", from: 0, to: 1.05 },
    lines: drawn_ones.map(([name, colour]) => ({ name, x: [1, 2, 4], y: family[name].accuracy, colour })),
  });
  return [
    section("family", "Unique, relative, longer than trained: measured"),
    figure("To know the distance alone is not enough: RoPE answers rightly at the trained length and guesses at four times it.", drawn,
      `One layer of attention names the token ${back} places before, out of 16 (chance 0.06). Each line the median of the seeds; the table
        has all.`),
    table(
      `Unique: the last of 64 queries gives no two equal tokens one score. Relative: distance explains all of the variance of the scores.
        Then the share of right answers to “which token was ${back} places before?”, of 16; chance 0.06.`,
      ["encoding", "place", "unique", right("relative", "share"), right("at T = 32"), right("at 2T"), right("at 4T")],
      Object.entries(family).map(([name, { place, nearest, share, accuracy }]) => [
        name,
        place,
        nearest > 1e-6 ? "✓" : "✗",
        Number.isNaN(share) ? "no difference" : fixed(share, 3),
        ...accuracy.map((v) => fixed(v, 2)),
      ]),
    ),
    text(`Tokens are equal, so that only positions differ; tables that start at zero were drawn at random. The model of the last three
      columns: one layer of attention, width 32, ${steps} steps on texts of 32 tokens, median of ${seeds} seeds, asked in the second half
      of texts of 32, 64 and 128. Tables are long enough for all of them; rows that no training text reached are as they started.`),
    claim(r, "position-extrapolates"),
    claim(r, "rnn-positions-extrapolate"),
  ];
};

const conventions = ({ numbers: { conventions: { halves_permuted, halves, alibi_12_heads } } }) => [
  section("conventions", "Same name, other formula"),
  text(
    `Which two numbers of a head turn together: neighbours (the paper) or i and i + d/2 (the common checkpoints)? After the permutation
      they differ by ${shown(halves_permuted, 2)}, without it by ${shown(halves)}: weights of one layout are wrong with the other. ALiBi
      with 12 heads: the authors' code takes other slopes than their text, head by head by up to ${shown(alibi_12_heads)}.`,
  ),
];

export default (r) => [
  one_number(shown(r.numbers.law.right.spread, 2),
    `The one number: how much the scores of one distance differ, over 100 positions. Distance explains
      ${fixed(r.numbers.law.right.share, 6)} of their variance.`),
  predict(r),
  clocks(r),
  law(r),
  by_hand(r),
  family(r),
  published(r),
  conventions(r),
];
