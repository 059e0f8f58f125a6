// Attention: causality maps, numbers by hand, the scale, masks, losses, wrong lines, cross-attention, the cache, copying.
import { heat_map, key_of, panels } from "../heat_map.mjs";
import { claim, figure, formula, one_number, predict, right, same_name, section, table, tape, text } from "../parts.mjs";
import { means_of_ten, plot } from "../plot.mjs";
import { of, published } from "../published.mjs";
import { escaped, fixed, shown } from "../words.mjs";

const from_one = (n) => Array.from({ length: n }, (_, i) => String(i + 1));
const future_of = (rows) => Math.max(0, ...rows.flatMap((row, t) => row.slice(t + 1)));

// Rows t, columns s, on a logarithmic scale of four decades. Without a name it is a panel's drawing.
function causal_map(rows, name, cell = 16) {
  if (!name) return heat_map({ rows, decades: 4, cell });
  const future = future_of(rows), above = future > 0 ? `there are values up to ${shown(future)}` : "all are exactly 0";
  const alt = `Heat map of ${name}: rows are outputs t, columns inputs s, ${rows.length} by ${rows[0].length}. Below the diagonal all
    cells are filled; above it ${above}.`;
  return heat_map({ rows, decades: 4, cell, alt, row_names: from_one(rows.length), column_names: from_one(rows[0].length) });
}

const weights = (rows, cell = 14) => heat_map({ rows, limit: 1, cell });
const key_of_weights = key_of({ rows: [[1]], limit: 1 }, "weight");

const causality = ({ numbers: { causality }, series: { bug, causality: { wrong } } }) => {
  const leak = causality.wrong.future;
  return [
    section("causality", "Does a position see the future?"),
    figure(leak > 0
      ? "The future, above the diagonal, is empty on the left. One wrong line, and it lights up."
      : "Both are causal: this mistake does not let the future in, and the map cannot see it.", panels([
        ["nn::attention", "exactly 0 above the diagonal", causal_map(causality.right.map, "nn::attention", 24)],
        [bug, `up to ${shown(leak)} above the diagonal`, causal_map(wrong, bug, 24)],
      ], 18) + key_of({ rows: causality.right.map, decades: 4 }, "‖∂outₜ/∂inₛ‖"),
      `Frobenius norms of the Jacobian's blocks, by walking the tape once for each output number. Rows: output t; columns: input s, 12
        positions. Two pre-norm blocks with RoPE and SwiGLU, d = 48, three heads, random weights. Another mistake: <code>--bug
        attn/mask-off-by-one</code>`),
    formula("{v y} = softmax({frac {v q} {v k}{sup T} | {root {c d}{sub head}}} + {c M}) {v v}", "{c M}{sub ts} = −∞ where s > t, else 0"),
  ];
};

const by_hand = (r) => {
  const { numbers: { hand: { y, mask_after_softmax } }, series: { hand: { weights } } } = r;
  const row = (p, t) => [t + 1, p.slice(0, t + 1).map((v) => shown(v)).join(", "), shown(y[t], 2), shown(mask_after_softmax[t], 2)];
  return [
    section("hand", "Numbers by hand"),
    table(
      "One head of width 1: q = 1, 1, 1; k = 0, ln 2, ln 3, so e<sup>q·k</sup> = 1, 2, 3; v = 6, 12, 18.",
      ["query", "weights", right("output"), right("wrong mask")],
      weights.map(row),
    ),
    text(`The first query sees one key, so its weight is 1 and its output is 6. With the mask after the softmax its weight is 1/(1 + 2 +
      3): the keys it must not see stand in the denominator, and 6/6 = 1 tells of them.`),
    tape(r),
  ];
};

const scale = ({ numbers: { entropy } }) => {
  const x = entropy.with.map((_, i) => 4 * 2 ** i), { with: scaled, without } = entropy;
  const drawn = plot({
    title: "Entropy of attention's weights against the width of a head",
    more: `uniform is ${fixed(entropy.uniform, 2)}`,
    x: { name: "width of a head, d", log: true, from: 4, to: 256 },
    y: { name: "entropy (nats)", from: 0, to: 2.9 },
    lines: [
      { name: "with 1/√d", x, y: scaled, colour: "f1" },
      { name: "without", x, y: without, colour: "f4" },
      { name: "uniform", x: [4, 256], y: [entropy.uniform, entropy.uniform], colour: "none" },
    ],
  });
  return [
    section("scale", "Why 1/√d?"),
    figure("Without the scale a wider head looks at one key only; with it the width does not matter.", drawn,
      `2,048 queries over 16 keys each, all numbers N(0, 1): q · k has variance d. At d_head = ${entropy.d_head}:
        ${fixed(entropy.scaled, 2)} nats with the scale, ${fixed(entropy.raw, 2)} without. Another width: <code>--d-head 128</code>`),
  ];
};

const masks = ({ series: { masks } }) => [
  section("masks", "Weights as pictures"),
  figure("Each row sums to 1. A mask takes keys away, and what is left is shared anew.", panels([
    ["no mask", "every query sees all ten keys", weights(masks.none)],
    ["causal", "no later key", weights(masks.causal)],
    ["window of 3", "the three nearest, not later", weights(masks.window)],
    ["padding", "the last three keys are no words", weights(masks.padding)],
  ]) + key_of_weights,
    `Rows: queries; columns: keys. The same random queries and keys, 10 of each, one head of width 16; hidden keys are empty cells, their
      weight exactly 0.`),
];

const losses = (r) => {
  const { numbers: { text: trained }, series: { bug, loss: { better, curve, wrong_curve } } } = r;
  const rights = trained["nn::attention"], [wrong] = of(trained, bug), least = Math.min(...rights), most = Math.max(...rights);
  const leaks = better.includes(bug), worse = wrong > least + 2 * (most - least);
  const drawn = plot({
    title: "Training loss of the right and of a wrong attention",
    more: `On validation text the right one ends at ${shown(rights[0])}, ${bug} at ${shown(wrong)}`,
    x: { name: "step", from: 0, to: 300 },
    y: { name: "loss (nats)", from: 0, to: 5.7 },
    lines: [{ name: "right", ...means_of_ten(curve), colour: "ink" }, { name: "wrong", ...means_of_ten(wrong_curve), colour: "wrong" }],
  });
  return [
    section("loss", leaks ? "Too good to be true" : "What the loss says"),
    figure(leaks
      ? "The wrong one wins by far. It does not guess better: it reads the answer."
      : worse
      ? "The wrong one is worse: this mistake one would notice, if one had the right one beside it."
      : "The loss cannot tell the wrong one from the right.", drawn,
      `Mean loss of ten batches each; “wrong” is ${bug}. On validation text: right ${shown(least)} to ${shown(most)} nats over
        ${rights.length} seeds, wrong ${shown(wrong)}. Guessing is ln 256 = 5.55. Bytes of Shakespeare, context 32, two blocks of d = 48,
        batch 16.`),
    claim(r, "loss-proves-the-model", false),
  ];
};

const mistakes = (r) => {
  const { numbers: { probes, text: trained }, series } = r;
  const maps = series.published.ids.map((id) => {
    const { future } = of(probes, id);
    return [id, future > 0 ? `sees the future: ${shown(future)}` : "causal: exactly 0", causal_map(of(series.mistakes, id))];
  });
  return [
    published(r),
    figure("What leaks, the map shows at once. What is only scaled wrongly, it cannot: that takes a comparison of values.", panels(maps),
      `The same map for each mistake, in the same model with random weights. Empty cells are exactly 0. <code>--bug ID</code> puts one
        beside the right one throughout.`),
    table(
      "What the loss says of those that were trained; more with <code>--full</code>.",
      ["attention", right("loss", "nats")],
      series.trained.map((name) => [`<code>${name}</code>`, shown(of(trained, name)[0])]),
    ),
  ];
};

const cross = ({ numbers: { cross: { by_x, by_memory } } }) => [
  section("cross", "Cross-attention: queries here, keys and values there"),
  figure("An output depends on its own query alone, and on all of the other sequence.", panels([
    ["∂out/∂x", "x makes the queries: only the diagonal", causal_map(by_x)],
    ["∂out/∂memory", "memory makes keys and values: every cell", causal_map(by_memory)],
  ], 13),
    `Five queries from one sequence, eight keys and values from another. In a decoder the queries are the decoder's, keys and values the
      encoder's.`),
];

const cache = ({ numbers: { cache: { difference, multiplications, multiplications_without } } }) => [
  section("cache", "What need not be computed again"),
  text(`Keys and values of what was read do not change when an id is added: the causal map says so. Kept in a cache, 64 ids cost
    ${shown(multiplications)} multiplications, and ${shown(multiplications_without)} without. The scores of the next ids differ by
    ${shown(difference, 2)} at most, which is rounding.`),
];

const copying = ({ numbers: { copy }, series }) => {
  const [learned, cut] = [copy.accuracy, copy.without_attention].map((share) => fixed(100 * share, 1));
  const heads = Object.entries(series.copy.heads).map(([name, p]) => {
    const back = p.slice(8).reduce((sum, row, t) => sum + row[t] / 8, 0); // mean weight, in the copy, of the letter that is to be said
    return [name.replace("_", ", "), `${fixed(100 * back, 0)} % on the letter to say`, weights(p, 10)];
  });
  return [
    section("copy", "It learns to copy"),
    figure("A stripe eight places back: to say the next letter, look where it stood.", panels(heads) + key_of_weights,
      `Weights of the trained model on one unseen sequence: letters 1 to 8, a mark, letters 1 to 7. Accuracy on 2,000 unseen letters
        ${learned} %; trained the same with attention cut, so that each position sees itself alone, ${cut} %; chance is
        ${fixed(100 * copy.chance, 2)} %. ${series.copy.steps} steps.`),
  ];
};

const WORDS = [
  ["scale", "1/√d<sub>head</sub>", "none in T5, whose initial weights carry it; a trained one with cosine scores"],
  ["mask", "1: the key is seen", "True: the key is hidden (PyTorch’s padding mask); or numbers that are added, 0 and −∞"],
  ["d", "width of one head", "width of the model, in the formula of one head"],
  ["attention with a sink", "one more term e<sup>s</sup> in the denominator", "“softmax1”: a 1 there, so s = 0"],
];

export default (r) => {
  const { numbers: { text: trained }, series: { bug } } = r, [right_loss] = trained["nn::attention"], [wrong_loss] = of(trained, bug);
  return [
    one_number(escaped(`${fixed(wrong_loss, 2)} ${wrong_loss < right_loss ? "<" : "≥"} ${fixed(right_loss, 2)}`),
      `The one number: validation loss in nats with the mistake <code>${bug}</code>, against the right
        attention.${wrong_loss < right_loss / 2 ? " Too good to be true." : ""}`),
    predict(r),
    causality(r),
    by_hand(r),
    scale(r),
    masks(r),
    losses(r),
    mistakes(r),
    cross(r),
    cache(r),
    copying(r),
    same_name("“scaled” and “mask” mean", "word", WORDS),
  ];
};
