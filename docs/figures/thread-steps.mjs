// The seven programs of the thread as a staircase: each step lies on those below it, and carries a sketch of its idea. What
// stands in it is what the programs print, as docs/thread.md has it.
import { colour_of } from "../kit/svg.mjs";
import { escaped } from "../kit/words.mjs";
import { tspans } from "./kit/math_text.mjs";

export const title = "Seven programs as a staircase, from a tape by hand to a language model";

export const results = ["thread"];

// number: large; unit: small, below it or behind it; not: struck out.
const steps_of = ({ tape, line: fitted, spiral: arms, bytes, attention, block: layer, gpt }) => [
  {
    name: "tape",
    words: "a tape by hand",
    number: tape.in_order,
    unit: "not",
    not: tape.at_once,
    sketch: (...place) => graph(...place, tape),
  },
  {
    name: "line",
    words: "the same with tensors",
    number: `$y = ${fitted.slope}x + ${fitted.offset}$`,
    unit: `through ${fitted.points.length} points`,
    sketch: (...place) => line(...place, fitted),
  },
  { name: "spiral", words: "a network", number: arms.right, unit: `of ${arms.points} right`, sketch: spiral },
  {
    name: "bytes",
    words: "a probability for each byte",
    number: bytes.loss,
    unit: "nats a byte",
    sketch: (...place) => bars(...place, bytes),
  },
  { name: "attention", words: "looking back", number: attention.loss, unit: "nats", sketch: arcs },
  { name: "block", words: "a layer, trained well", number: layer.loss, unit: "nats", sketch: block },
  { name: "gpt", words: "a language model", number: gpt.loss, unit: "nats" },
];

const WIDE = { across: 88, rise: 48, sketches: 136, code: 12.8, name: 32 };
const NARROW = { across: 20, rise: 92, sketches: 132, code: 12, name: 25 };
const LINES = 7; // of the text that is written

export function draw({ drawing, width, results: { thread } }) {
  const steps = steps_of(thread);
  const narrow = width < 500;
  const look = narrow ? NARROW : WIDE;
  const height = look.sketches + steps.length * look.rise + 1;
  const d = drawing(width, height, title);
  const left = (k) => k * look.across;
  const tread = (k) => height - 1 - (k + 1) * look.rise;
  steps.forEach((_, k) => slab(d, left(k), tread(k), look.rise, 0.1 + 0.04 * k));
  d.path(
    `M1.5 ${height - 1}` + steps.map((_, k) => `${k ? `H${left(k) + 1.5}` : ""}V${tread(k) + 1.5}`).join("") + `H${width}`,
    { role: "value", width: 3 },
  );
  d.text(0, look.name / 2 + 1, "$gradus$", { size: look.name, anchor: "start" });
  d.text(0, look.name + 14, "Latin: a step", { size: 13, anchor: "start", role: "soft" });
  steps.forEach((step, k) => {
    (narrow ? words_below : words_beside)(d, step, k, left(k), tread(k), k + 1 === steps.length);
    if (!step.sketch) writing(d, left(k) + 14, tread(k) - 12, look.code, thread.gpt.written);
    else if (narrow) step.sketch(d, left(k) + 52, tread(k) + look.rise - 7);
    else step.sketch(d, left(k) + look.across / 2 + 1, tread(k) - 9);
  });
  return d;
}

function slab(d, x, y, h, opacity) {
  d.box(x, y, d.width - x, h, { fill: "m1", role: "none", width: 0, radius: 0, opacity });
  d.line(x, y, d.width, y, { role: "paper", width: 1.5 });
}

// Name and caption at the left of a slab, its number at the right.
function words_beside(d, { name, words, number, unit, not }, k, x, y) {
  const [one, two] = [y + 17, y + 36];
  code(d, x + 14, one, k + 1, { role: "soft" });
  code(d, x + 30, one, name, { weight: 700 });
  d.text(x + 14, two, words, { size: 13, anchor: "start", role: "soft" });
  const end = { end: true, x: d.width - 12 };
  mixed(d, { ...end, y: one }, [[number, "value", 18]]);
  mixed(d, { ...end, y: two }, not ? [[`${unit} `, "soft", 12.8], [not, "struck", 12.8]] : [[unit, "soft", 12.8]]);
}

// The same for a phone: three lines beside the sketch.
function words_below(d, { name, words, number, unit, not }, k, x, y, last) {
  const left = x + (last ? 14 : 104);
  const [one, two, three] = [y + 22, y + 43, y + 66];
  code(d, left, one, k + 1, { role: "soft" });
  code(d, left + 16, one, name, { weight: 700 });
  d.text(left, two, words, { size: 13, anchor: "start", role: "soft" });
  const small = not ? [[` ${unit} `, "soft", 13], [not, "struck", 13]] : [[` ${unit}`, "soft", 13]];
  mixed(d, { x: left, y: three }, [[number, "value", 17], ...small]);
}

// A line of words in several looks: [words, role, size]; struck: soft, and struck out.
function mixed(d, { x, y, end }, parts) {
  const inside = parts.map(([words, role, size]) => {
    if (role !== "struck") return part(words, role, size, role === "soft" ? "" : ' font-weight="650"');
    const line = `fill="${colour_of("wrong")}" text-decoration="line-through"`; // the line has the outer fill
    return `<tspan ${line}>${part(words, "soft", size)}</tspan>`;
  });
  d.add("text", { x, y: y + parts[0][2] * 0.34, "text-anchor": end && "end" }, inside.join(""));
}

const part = (words, role, size, more = "") =>
  `<tspan fill="${colour_of(role)}" font-size="${size}"${more}>${tspans(String(words), size)}</tspan>`;

const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Noto Sans Mono', 'DejaVu Sans Mono', monospace";

function code(d, x, y, words, { size = 15, role = "ink", weight, anchor, opacity } = {}) {
  const look = { fill: colour_of(role), "font-family": MONO, "font-size": size, "font-weight": weight, opacity };
  d.add("text", { x, y: y + size * 0.34, ...look, "text-anchor": anchor }, escaped(String(words)));
}

// Sketches: about 76 wide and 74 high, above their foot and on both sides of their middle.

// Two ways lead back from y to a, and both gradients have to be there before a's is known.
function graph(d, x, foot, { in_order, at_once }) {
  const at = { y: [x, foot - 62], s: [x - 24, foot - 36], p: [x + 24, foot - 36], a: [x, foot - 10] };
  for (const [from, to] of ["ys", "yp", "sa", "pa"]) {
    d.arrow(...at[from], ...at[to], { role: "gradient", width: 1.5, head: 6, from: 11, to: 12 });
  }
  for (const [name, place] of Object.entries(at)) d.circle(...place, 10, { role: "constant", text: `$${name}$`, size: 13.5 });
  d.text(x + 15, foot - 7, String(in_order), { role: "gradient", size: 14, weight: 650, anchor: "start" });
  mixed(d, { x: x - 15, y: foot - 7, end: true }, [[at_once, "struck", 14]]);
}

function line(d, x, foot, { slope, offset, points }) {
  const place = (a, b) => [x - 28 + 18 * a, foot - 5 - b * 8.2];
  d.path(`M${x - 36} ${foot - 74}V${foot - 2}H${x + 38}`, { role: "hidden", width: 1.5 });
  const [from, to] = [-0.4, 3.55].map((a) => place(a, slope * a + offset));
  d.line(...from, ...to, { role: "value", width: 2.2 });
  for (const point of points) d.circle(...place(...point), 4.2, { fill: "gradient", role: "gradient", width: 0 });
}

// Points as spiral.cpp makes them.
function spiral(d, x, foot) {
  ["f1", "f2", "f3"].forEach((tone, arm) => {
    const dots = Array.from({ length: 22 }, (_, i) => {
      const radius = 0.12 + (0.88 * (i + arm / 3)) / 22;
      const angle = 5 * radius + 2.0944 * arm;
      return `M${(x + 37 * radius * Math.cos(angle)).toFixed(1)} ${(foot - 37 - 37 * radius * Math.sin(angle)).toFixed(1)}h0`;
    });
    d.add("path", { d: dots.join(""), stroke: colour_of(tone), "stroke-width": 4.4, "stroke-linecap": "round" });
  });
}

// The bytes that most often follow a t, by count.
function bars(d, x, foot, { after, followers }) {
  followers.forEach(([byte, share], i) => {
    const left = x - 38 + i * 13;
    d.box(left, foot - 17 - share * 165, 10, share * 165, { fill: i ? "m2" : "value", role: "none", width: 0, radius: 1 });
    if (byte === " ") d.path(`M${left + 1} ${foot - 7}v4h8v-4`, { role: "ink", width: 1.3 });
    else code(d, left + 5, foot - 6, byte, { size: 13, anchor: "middle" });
  });
  d.text(x + 38, foot - 62, "after", { size: 12.8, role: "soft", anchor: "end" });
  code(d, x + 38, foot - 46, after, { size: 15, anchor: "end", weight: 700 });
}

// The last byte looks back at those before it, at some more than at others.
function arcs(d, x, foot) {
  const place = (i) => x - 30 + 15 * i;
  const [top, now] = [foot - 19, 4];
  [0.3, 1, 0.45, 0.7].forEach((weight, i) => {
    const [from, to] = [place(now), place(i)];
    const r = (from - to) / 2;
    const look = { role: "f3", width: 1 + 2.4 * weight, opacity: 0.4 + 0.6 * weight };
    d.path(`M${from} ${top - 2}A${r} ${r * 1.5} 0 0 0 ${to} ${top - 2}`, look);
  });
  [..."to be"].forEach((byte, i) => {
    d.box(place(i) - 6.5, top, 13, 18, { radius: 2, width: 1.3, role: i === now ? "f3" : "constant" });
    if (byte === " ") d.path(`M${place(i) - 4} ${top + 10}v4h8v-4`, { role: "ink", width: 1.3 });
    else code(d, place(i), top + 9, byte, { size: 13, anchor: "middle", weight: i === now ? 700 : undefined });
  });
}

// A stream, and two layers that read it and add to it: one looks back, one bends.
function block(d, x, foot) {
  const [stream, middle] = [x - 26, x + 14];
  d.arrow(stream, foot, stream, foot - 79, { role: "value", width: 2.2, head: 8 });
  [foot - 4, foot - 39].forEach((base, i) => {
    const [sum, role] = [base - 27, ["f3", "parameter"][i]];
    d.path(`M${stream} ${base}H${middle}V${sum}H${stream + 14}`, { role: "constant", width: 1.5 });
    d.arrow(stream + 20, sum, stream + 6, sum, { role: "constant", width: 1.5, head: 6 });
    d.circle(stream, sum, 6, { role: "value", width: 1.6 });
    d.path(`M${stream - 3} ${sum}h6M${stream} ${sum - 3}v6`, { role: "value", width: 1.5 });
    d.box(middle - 24, base - 22, 48, 17, { role, radius: 3 });
    d.path(i ? bend(middle, base - 10) : back(middle + 15, base - 8), { role, width: 1.4 });
  });
}

const back = (x, y) => [30, 20, 10].map((w) => `M${x} ${y}A${w / 2} ${2 + w * 0.28} 0 0 0 ${x - w} ${y}`).join("");

// x · sigmoid(x) from -6 to 2.
function bend(x, y) {
  const place = (v) => `${(x + 4.6 * (v + 2)).toFixed(1)} ${(y - (4.4 * v) / (1 + Math.exp(-v))).toFixed(1)}`;
  return `M${Array.from({ length: 17 }, (_, k) => place(-6 + k / 2)).join("L")}`;
}

// The last lines that gpt writes, as its terminal shows them.
function writing(d, x, foot, size, written) {
  const lines = wrapped(written, 23).slice(-LINES);
  lines.forEach((words, i) => {
    const y = foot - 8 - (LINES - 1 - i) * 17;
    code(d, x, y, words, { size, weight: /:$/.test(words) ? 700 : undefined });
  });
  const end = x + lines.at(-1).length * size * 0.602 + 2;
  d.box(end, foot - 15, 7, 14, { fill: "value", role: "none", width: 0, radius: 0 });
}

function wrapped(text, most) {
  return text.split("\n").flatMap((whole) => {
    const lines = [""];
    for (const word of whole.split(" ")) {
      if (lines.at(-1) && `${lines.at(-1)} ${word}`.length > most) lines.push(word);
      else lines.push([lines.pop(), word].filter(Boolean).join(" "));
    }
    return lines;
  });
}
