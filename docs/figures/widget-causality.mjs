// The weights of attention, and beside them what each output depends on, wherever the knobs stand.
export const title = "The weights of attention, and what each output depends on";
export const results = ["widget-causality"];

const cells_above = (places) => (places * (places - 1)) / 2;

// The mask of 8 positions with one more cell painted.
const painted = (row, column) => Array.from({ length: 64 }, (_, at) => (at % 8 <= at >> 3 || at === 8 * row + column ? 1 : 0)).join(",");

export const widget = {
  name: "causality",
  module: "models",
  prompts: [
    {
      ask: "Place 2 gets to see the key of place 5. Which outputs then depend on a later input?",
      answers: ["Output 2 alone", "Outputs 2 to 4", "All before 5"],
      right: 0,
      act: "Click the cell of row 2 and column 5 in the weights.",
      such_as: `mask=${painted(1, 4)}`,
      done: ({ leaks, weights }) => leaks.length === 1 && leaks[0] === weights.length + 4,
      then: "Each row mixes the values that it sees, and no other row reads it. In the next layer, all that see place 2 would know.",
    },
    {
      ask: "Now the mask comes after the softmax: the weights of later keys are multiplied by 0. Where does the future leak?",
      answers: ["Nowhere", "Next to the diagonal", "Everywhere"],
      right: 2,
      act: "Reset, and choose the mistake attn/mask-after-softmax.",
      such_as: "bug=attn/mask-after-softmax",
      done: ({ leaks, weights }, { bug }) => bug === "attn/mask-after-softmax" && leaks.length === cells_above(weights.length),
      then: "No later weight is left, but each row was divided by a sum that has all later scores in it.",
    },
    {
      ask: "Two heads are put together without the transpose that belongs there. The weights of both are causal. Is the output?",
      answers: ["Yes", "No"],
      right: 1,
      act: "Choose 2 heads and attn/merge-without-transpose.",
      such_as: "bug=attn/merge-without-transpose&heads=2",
      done: ({ leaks }, { bug, heads }) => bug === "attn/merge-without-transpose" && heads === "2" && leaks.length > 0,
      then: "The shape is right, but what stands in a row now belongs to other places, and some of them are later.",
    },
    {
      ask: "With a window of 3, on how many inputs does output 8 depend?",
      answers: ["3", "6", "8"],
      right: 0,
      act: "Reset, and set the window to 3.",
      such_as: "window=3",
      done: ({ depends }, { bug, window }) =>
        bug === "none" && window === 3 && depends.length >= 8 && depends[7].filter((v) => v !== 0).length === 3,
      then: "Its own and the two before. A second layer would reach two places further back.",
    },
    {
      ask: "The scores are multiplied by 4, not by 0.35. What becomes of the entropy of the rows?",
      answers: ["It rises", "It falls", "It stays"],
      right: 1,
      act: "Put the window back to 0, and raise the scale to 4.",
      such_as: "scale=4",
      done: ({ entropy }, { bug, window, scale }) => bug === "none" && window === 0 && scale >= 4 && Math.max(...entropy) < 1,
      then:
        "Nearly all of a row goes to one key, and the others get next to no gradient. This is why the scores are divided by the root of the width.",
    },
  ],
};

const LEAST = 0.01;
const GREATEST = 10;
const level = (v) => Math.min(6, Math.max(1, 1 + Math.floor((Math.log(v / LEAST) / Math.log(GREATEST / LEAST)) * 6)));

// The names of rows and columns, and the edge between the past and the future.
function frame(d, { x, y, cell, name }, places) {
  d.text(x, y - 34, name, { anchor: "start", size: 14, role: "soft" });
  for (let i = 0; i < places; ++i) {
    d.text(x - 12, y + (i + 0.5) * cell, String(i + 1), { size: 13, role: "soft" });
    d.text(x + (i + 0.5) * cell, y - 12, String(i + 1), { size: 13, role: "soft" });
  }
}

function edge(d, { x, y, cell }, places, role) {
  const stairs = Array.from({ length: places }, (_, t) => `L${x + (t + 1) * cell} ${y + t * cell}v${cell}`).join("");
  d.path(`M${x} ${y}${stairs}`, { role, width: 2 });
}

// A cell, its colour as solid as `share`.
function tile(d, { x, y, cell }, t, s, { fill, share, word, ink = "ink", set }) {
  const full = { fill, role: "none", width: 0, opacity: share && Math.round(share * 100) / 100 };
  const look = fill ? full : { role: "line", width: 1 };
  d.box(x + s * cell + 1, y + t * cell + 1, cell - 2, cell - 2, { radius: 2, ...look, set });
  if (word) d.text(x + (s + 0.5) * cell, y + (t + 0.5) * cell, word, { size: 13, role: ink, set });
}

function weight(d, map, seen, t, s) {
  const p = seen.weights[t][s];
  const painted = t < 8 && s < 8 ? `mask.${t * 8 + s}=${1 - seen.mask[t][s]}` : undefined;
  if (typeof p === "string") return tile(d, map, t, s, { word: "×", ink: "wrong", set: painted });
  if (p === 0) return tile(d, map, t, s, { fill: seen.visible[t][s] ? undefined : "hidden", set: painted });
  const word = map.cell >= 29 ? (p > 0.995 && p <= 1 ? "1" : p.toFixed(2).replace(/^0/, "")) : undefined;
  const share = Math.min(0.6, 0.12 + 0.48 * p); // a number on it can be read, in light and dark
  tile(d, map, t, s, { fill: s > t ? "wrong" : "value", share, word, set: painted });
}

function dependence(d, map, { depends }, t, s) {
  const v = depends[t][s];
  if (typeof v === "string") return tile(d, map, t, s, { word: "×", ink: "wrong" });
  if (v === 0) return tile(d, map, t, s, {});
  if (s > t) return tile(d, map, t, s, { fill: "wrong", share: 0.25 + level(v) / 8 });
  tile(d, map, t, s, { fill: `g${level(v)}` });
}

// Beside each row, its entropy: the whole width is that of equal weights.
function entropies(d, { x, y, cell }, { entropy, most_entropy }, width) {
  d.text(x - (width < 50 ? 4 : 0), y - 34, "entropy", { anchor: "start", size: 13, role: "soft" });
  d.text(x, y - 12, "nats", { anchor: "start", size: 13, role: "soft" });
  entropy.forEach((nats, t) => {
    const middle = y + (t + 0.5) * cell;
    if (typeof nats === "string") return d.text(x, middle, "×", { anchor: "start", size: 13, role: "wrong" });
    const bar = (long, fill) => d.box(x, middle + 4, long, 3, { radius: 0, role: "none", width: 0, fill });
    bar(width, "line");
    bar(Math.min(width, (width * nats) / most_entropy), "value");
    d.text(x, middle - 5, nats.toFixed(2), { anchor: "start", size: 13 });
  });
}

export function draw({ drawing, width, results: { "widget-causality": seen } }) {
  const narrow = width < 500;
  const places = seen.weights.length;
  const cell = Math.floor(272 / places);
  const size = places * cell;
  const left = { x: 26, y: 54, cell, name: "weights, $∂$y$_t$ / $∂$v$_s$: row $t$ takes from $s$" };
  const name = "‖$∂$out$_t$ / $∂$in$_s$‖, by the tape";
  const right = { x: narrow ? 26 : width - 8 - 272, y: narrow ? 54 + 272 + 82 : 54, cell, name };
  const d = drawing(width, right.y + 272 + 34, title);
  const leaks = seen.leaks.length;
  for (const map of [left, right]) frame(d, map, places);
  for (let t = 0; t < places; ++t)
    for (let s = 0; s < places; ++s) {
      weight(d, left, seen, t, s);
      dependence(d, right, seen, t, s);
    }
  entropies(d, { ...left, x: left.x + size + 14 }, seen, narrow ? 40 : 56);
  edge(d, left, places, "soft");
  edge(d, right, places, leaks ? "wrong" : "right");
  const words = leaks ? `× the future leaks, in ${leaks} of ${cells_above(places)} cells` : "✓ the future is empty: exactly 0";
  d.text(right.x + size, right.y + size + 18, words, { anchor: "end", size: 14, role: leaks ? "wrong" : "right" });
  d.text(left.x, left.y + size + 18, `$q · k$ times ${seen.scale.toFixed(2)}`, { anchor: "start", size: 14, role: "soft" });
  return d;
}
