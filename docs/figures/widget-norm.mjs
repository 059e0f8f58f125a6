// The norm lab: the matrix, what the norm makes of it, how far one number reaches, and what the norm forgets.
import { look } from "./kit/heat.mjs";

export const title = "A matrix before and after a norm, how far one number reaches, and what the norm forgets";
export const results = ["widget-norm"];

export const widget = {
  name: "norm",
  module: "lab",
  prompts: [
    {
      ask: "Every number of x gets 10 more. What becomes of y, with layer norm?",
      answers: ["Every number grows by 10", "Nothing changes", "Every row comes out flat"],
      right: 1,
      act: "Raise the shift to 10.",
      such_as: "shift=10",
      done: (seen, { norm, shift }) => norm === "layer" && shift >= 10,
      then: "The mean of each row takes with it whatever was added to the whole row.",
    },
    {
      ask: "RMSNorm divides by the root mean square and subtracts no mean. What does it do to rows that are all near 10?",
      answers: ["The pattern stays", "The numbers all come out near 1"],
      right: 1,
      act: "Leave the shift at 10, and choose rms.",
      such_as: "norm=rms&shift=10",
      done: (seen, { norm, shift }) => norm === "rms" && shift >= 10,
      then: "The size of each row is still 1, but the shift now makes up most of it. RMSNorm forgets the scale alone.",
    },
    {
      ask: "Under layer norm, the framed cell moves its whole row. Which numbers does it move under batch norm?",
      answers: ["Its row", "Its column", "All of them"],
      right: 1,
      act: "Choose batch.",
      such_as: "norm=batch",
      done: (seen, { norm }) => norm === "batch",
      then: "Mean and variance are those of a column, so each row depends on whatever else is in the batch.",
    },
    {
      ask: "The rows are tokens, and the next one is to be guessed. If the moments are taken over the tokens, what can the first row see?",
      answers: ["Only itself", "All later rows"],
      right: 1,
      act: "Choose norm/sequence-axis, which was published as a layer norm, and frame a cell of the last row.",
      such_as: "norm=norm/sequence-axis&cell=row 4, column 1",
      done: (seen, { norm }) => norm === "norm/sequence-axis" && seen.row === 3,
      then: "The last token reaches the first. Such a model trains better than it should, for the answers leak into it.",
    },
    {
      ask: "With ε = 0.1, does layer norm still forget the scale?",
      answers: ["Yes", "Only where rows are large", "Only where rows are small"],
      right: 1,
      act: "Choose layer and ε = 0.1, and lower the scale to 0.1.",
      such_as: "eps=0.1&scale=0.1",
      done: (seen, { norm, eps, scale }) => norm === "layer" && eps === "0.1" && Math.abs(scale) <= 0.1,
      then: "ε is added to σ² under the root. The smaller a row, the more of the root is ε, and the smaller it comes out.",
    },
  ],
};

const HIGH = 34; // a row of cells
const WIDE = 44;

const NOT = { NaN: "NaN", inf: "∞", "-inf": "−∞" };
const fixed = (value, digits) => value.toFixed(digits).replace(/^-(?=[0.]+$)/, "").replace("-", "−");
// A number in four signs or so; 0 where it is exactly that.
function short(value) {
  if (typeof value === "string") return NOT[value];
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 9999.5) return value.toExponential(0).replace("e+", "e").replace("-", "−");
  return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

// With the digits of a small one, so that it is not taken for 0.
const slight = (value) => (value !== 0 && Math.abs(value) < 0.005 ? value.toExponential(0).replaceAll("-", "−") : short(value));

// As it was typed, where that is short; far from 0 still with a decimal.
function typed(value) {
  if (typeof value === "string" || Math.abs(value) >= 9999.5) return short(value);
  if (Number.isInteger(value * 2)) return fixed(value, Number.isInteger(value) ? 0 : 1);
  const longest = Math.abs(value) < 9.995 ? short(value) : fixed(value, 1);
  return longest.length > 5 ? short(value) : longest;
}

const limit_of = (rows) => Math.max(...rows.flat().filter(Number.isFinite).map(Math.abs), 1e-9);

// A matrix as coloured cells; a number of the gradient that is exactly 0 leaves its cell empty.
function matrix(d, x, y, rows, { words = short, framed, empty_zero, hand }) {
  const limit = limit_of(rows);
  rows.forEach((row, i) =>
    row.forEach((value, j) => {
      const number = typeof value === "string" ? NaN : value;
      const { fill, ink } = empty_zero && number === 0 ? { fill: "paper", ink: "soft" } : look(number, { signed: true, limit });
      const [left, top, reach] = [x + j * WIDE, y + i * HIGH, hand?.(i, j)];
      d.box(left + 1, top + 1, WIDE - 2, HIGH - 2, { fill: fill === "none" ? "paper" : fill, role: "line", radius: 2, width: 1, ...reach });
      d.text(left + WIDE / 2, top + HIGH / 2, words(value), { size: 13, role: ink, ...reach });
    })
  );
  if (!framed) return;
  const [i, j] = framed;
  d.box(x + j * WIDE + 1, y + i * HIGH + 1, WIDE - 2, HIGH - 2, { fill: "none", role: "ink", radius: 3, width: 2.5, ...hand?.(i, j) });
}

// Mean and root mean square of each row at the right of the matrix, of each column below it.
function statistics(d, x, y, seen) {
  const [right, below] = [x + 6 * WIDE, y + 4 * HIGH];
  const soft = { size: 13, role: "soft" };
  ["mean", "rms"].forEach((name, k) => {
    const [across, down] = [right + 26 + 42 * k, below + 14 + 20 * k];
    d.text(across, y - 12, name, soft);
    seen[`row_${name}`].forEach((value, i) => d.text(across, y + (i + 0.5) * HIGH, short(value), { size: 13 }));
    seen[`column_${name}`].forEach((value, j) => d.text(x + (j + 0.5) * WIDE, down, short(value), { size: 13 }));
    d.text(right + 8, down, name, { ...soft, anchor: "start" });
  });
}

// A lamp for each law, with what it asks and what the library found.
function lamps(d, x, y, laws) {
  laws.forEach(({ asks, holds, answer }, k) => {
    const [role, middle] = [holds ? "right" : "wrong", y + 14 + 44 * k];
    d.circle(x + 12, middle, 11, { fill: role, role, text: holds ? "✓" : "×", text_role: "paper", size: 14 });
    d.text(x + 34, middle - 9, asks, { anchor: "start", size: 14 });
    d.text(x + 34, middle + 9, answer, { anchor: "start", size: 14, role });
  });
}

export function draw({ drawing, width, results: { "widget-norm": seen } }) {
  const narrow = width < 500;
  const d = drawing(width, narrow ? 836 : 430, title);
  const [across, y_top, map_top, lamps_top] = narrow ? [8, 212, 436, 606] : [366, 32, 276, 206];
  const framed = [seen.row, seen.column];
  const head = (x, y, words, role = "soft") => d.text(x, y - 12, words, { anchor: "start", size: 14, role });
  const hand = (i, j) => (i === seen.row && j === seen.column ? { drag: `x.${6 * i + j}` } : { set: `cell=row ${i + 1}, column ${j + 1}` });

  head(8, 32, "x: pull the framed cell, or click another");
  matrix(d, 8, 32, seen.x, { words: typed, framed, hand });
  if (!narrow) d.arrow(288, 32 + 2 * HIGH, 350, 32 + 2 * HIGH, { role: "soft" });
  head(across, y_top, `y: ${seen.published ? "as published, with a mistake" : seen.norm}`, seen.published ? "wrong" : "soft");
  matrix(d, across, y_top, seen.y, {});
  statistics(d, across, y_top, seen);
  head(across, map_top, "∂y / ∂(framed cell): what moves with it");
  matrix(d, across, map_top, seen.map, { words: slight, framed, empty_zero: true });
  lamps(d, 8, lamps_top, seen.laws);
  return d;
}
