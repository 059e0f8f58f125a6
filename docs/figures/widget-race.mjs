// The optimizer race: their ways down a surface, with the lines of the same f, and what each is doing where the step stands.
import { colour } from "../kit/svg.mjs";
import { number } from "../kit/words.mjs";
import { drawing as map_of } from "./kit/drawing.mjs";

export const title = "Optimizers on their way down a surface";
export const results = ["widget-race"];

const run = (runs, name) => runs.find((one) => one.name === name);

export const widget = {
  name: "race",
  module: "models",
  prompts: [
    {
      ask: "SGD jumps from wall to wall. With a rate above 2/λ it jumps ever farther. What does momentum do at the same rate?",
      answers: ["It flies away too", "It flies away sooner", "It stays"],
      right: 2,
      act: "Raise the rate of SGD and momentum to 1.2 parts of 2/λ.",
      such_as: "rate=1.2",
      done: ({ runs }) => run(runs, "SGD")?.flew && run(runs, "momentum")?.flew === false,
      then: "A gradient that changes its sign in every step cancels itself in the velocity. Momentum's limit is 1 + β times as high.",
    },
    {
      ask: "The walls get twice as steep, the floor stays. How many steps does SGD need to arrive, at the same part of 2/λ?",
      answers: ["As many as before", "Half as many more", "Twice as many"],
      right: 2,
      act: "Put the rate back to 0.9, the steps to 200, and see when SGD arrives. Then raise κ from 25 to 50.",
      such_as: "kappa=50&step=200",
      done: ({ runs }, { surface, kappa, step, rate }) =>
        surface === "bowl" && kappa >= 50 && step >= 200 && rate < 1 && run(runs, "SGD") !== undefined,
      then: "The walls allow only half of the rate, so the floor needs twice the steps. Momentum hardly notices.",
    },
    {
      ask: "All start nearly on top of a saddle, where the slope along it is almost 0. Who leaves first?",
      answers: ["SGD", "Momentum", "Adam"],
      right: 2,
      act: "Choose the saddle, and 20 steps.",
      such_as: "surface=saddle&step=20",
      done: ({ runs }, { surface, step }) => surface === "saddle" && step > 0 && run(runs, "Adam")?.x.at(-1) > 0.5,
      then: "Adam divides by the size of the gradients, so a slope of 0.001 moves it as far as a slope of 1.",
    },
    {
      ask: "Now every gradient has noise. Where do they end?",
      answers: ["At the minimum, only later", "They jump about it for ever", "They fly away"],
      right: 1,
      act: "Choose the noisy bowl, and 200 steps. Then try half of the rate.",
      such_as: "surface=noisy bowl&step=200",
      done: (seen, { surface, step }) => surface === "noisy bowl" && step >= 200,
      then: "Near the minimum the gradient shrinks, the noise does not. A lower rate makes the jumps smaller: hence schedules.",
    },
    {
      ask: "A published Adam multiplied by 1 − βᵗ where it has to divide. How long is its first step, beside the right one?",
      answers: ["A tenth", "The same", "Ten times"],
      right: 2,
      act: "Choose adam/correction-multiplied, and 1 step.",
      such_as: "wrong=adam/correction-multiplied&step=1",
      done: (seen, { wrong, step }) => wrong === "adam/correction-multiplied" && step === 1,
      then: "The means begin at a tenth of g and a thousandth of g². Multiplied once more they give 0.01 / √0.000001: ten times the rate.",
    },
  ],
};

// Hue: by what an optimizer's step is made of. Dashed: the second of a hue.
const LOOK = {
  SGD: { role: "f1" },
  momentum: { role: "f2" },
  Nesterov: { role: "f2", dash: "6 3" },
  RMSprop: { role: "f3", dash: "6 3" },
  Lion: { role: "f3" },
  Adam: { role: "f4" },
  AdamW: { role: "f4", dash: "6 3" },
  published: { role: "ink", dash: "2 3" },
};

const NEAR = 1.2; // points that are closer, in pixels, are drawn as one

const text_of = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const dots_of = (points) => points.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");

function spaced(points) {
  const kept = [];
  points.forEach((point, i) => {
    const last = kept.at(-1);
    if (!last || i === points.length - 1 || Math.hypot(point[0] - last[0], point[1] - last[1]) > NEAR) kept.push(point);
  });
  return kept;
}

// What lies within many lines is darker.
function levels(map, seen, place) {
  for (const { x, upper, lower } of seen.levels) {
    const there = x.map((at, i) => place(at, upper[i]));
    const back = x.map((at, i) => place(at, lower[i])).reverse();
    const d = `${text_of(spaced([...there, ...back]))}Z`;
    map.add("path", { d, fill: colour.constant, "fill-opacity": "0.09", stroke: colour.hidden, "stroke-width": 1 });
  }
}

function way(map, { name, x, y }, place) {
  const { role, dash } = LOOK[name];
  const points = spaced(x.map((at, i) => place(at, y[i])));
  map.path(text_of(points), { role, width: 1.6, dash, opacity: 0.75 });
  map.add("path", { d: dots_of(points), stroke: colour[role], "stroke-width": 4, "stroke-linecap": "round" });
  const [cx, cy] = points.at(-1);
  map.circle(cx, cy, 5, { fill: role, role: "paper", width: 1.5 });
}

// The names at the ends of the ways, moved apart; those of ways that have left the map stand at its edge.
function names(map, runs, place, { width, height }) {
  const within = (at, most, margin) => Math.min(Math.max(at, margin), most - margin);
  const labels = runs.map(({ name, x, y }) => {
    const [px, py] = place(x.at(-1), y.at(-1));
    const left = px > width - 90;
    return { name, x: within(px, width, 8) + (left ? -11 : 11), y: within(py, height, 12), anchor: left ? "end" : "start" };
  });
  labels.sort((a, b) => a.y - b.y);
  for (let pass = 0; pass < 30; ++pass) {
    labels.forEach((one, i) => {
      for (const other of labels.slice(i + 1)) {
        const lack = 16 - (other.y - one.y);
        if (lack <= 0.1 || Math.abs(one.x - other.x) > 80) continue;
        one.y = Math.max(one.y - lack / 2, 12);
        other.y = Math.min(Math.max(other.y + lack / 2, one.y + 16), height - 12);
      }
    });
  }
  for (const { name, x, y, anchor } of labels) map.text(x, y, name, { role: LOOK[name].role, anchor, size: 13, weight: 600, halo: true });
}

function draw_map(d, seen, { x, y, width, height }) {
  const [left, right, low, high] = seen.frame;
  const place = (px, py) => [((px - left) / (right - left)) * width, ((high - py) / (high - low)) * height];
  const map = map_of(width, height, title);
  levels(map, seen, place);
  map.path(`M${place(...seen.minimum)}m-5 0h10m-5 -5v10`, { role: "ink", width: 1.5 });
  for (const one of seen.runs) way(map, one, place);
  map.circle(...place(...seen.start), 5, { role: "ink", fill: "paper" });
  names(map, seen.runs, place, { width, height });
  d.add("svg", { x, y, width, height }, map.parts.join("\n"));
  d.box(x, y, width, height, { fill: "none", role: "line", radius: 0, width: 1 });
}

// Where the columns of the table stand.
const columns = ({ x, width }) => ({ name: x + 28, rate: x + 128, f: x + width });

function head(d, steps, { y, ...rest }) {
  const at = columns(rest);
  const look = { size: 13, role: "soft" };
  d.text(at.name, y, `after ${steps} ${steps === 1 ? "step" : "steps"}`, { anchor: "start", ...look });
  d.text(at.rate, y, "rate ≤ limit", { anchor: "start", ...look });
  d.text(at.f, y, "f", { anchor: "end", ...look });
}

const height_of = ({ flew, f }) => (flew ? "× away" : f < 1e-9 ? "< 10⁻⁹" : number(f, 2));

// A run in two lines: who, at which rate, at which f; what it is doing.
function row(d, one, { x, y, width }) {
  const { role, dash } = LOOK[one.name];
  const at = columns({ x, width });
  const above = one.limit > 0 && one.lr > one.limit;
  const limit = one.limit > 0 ? ` ${above ? ">" : "≤"} ${number(one.limit, 2)}` : "";
  d.line(x, y, x + 20, y, { role, width: 3, dash });
  d.text(at.name, y, one.name, { role, anchor: "start", size: 14, weight: 600 });
  d.text(at.rate, y, `${number(one.lr, 2)}${limit}`, { role: above ? "wrong" : "ink", anchor: "start", size: 14 });
  d.text(at.f, y, height_of(one), { role: one.flew ? "wrong" : "ink", anchor: "end", size: 14 });
  d.text(at.name, y + 18, one.regime, { role: "soft", anchor: "start", size: 13 });
  if (one.words) d.text(at.name, y + 35, one.words, { role: "soft", anchor: "start", size: 13 });
}

const ROW = 46;

export function draw({ drawing, width, results: { "widget-race": seen } }) {
  const narrow = width < 500;
  const map = narrow ? { x: 0, y: 0, width: 358, height: 274 } : { x: 0, y: 0, width: 384, height: 294 };
  const rows = narrow ? { x: 2, y: 296, width: 352 } : { x: 402, y: 14, width: 316 };
  const tall = rows.y + 26 + ROW * seen.runs.length + (seen.runs.some(({ words }) => words) ? 12 : 0);
  const d = drawing(width, Math.max(tall, map.height + 2), title);
  draw_map(d, seen, map);
  head(d, seen.steps, rows);
  seen.runs.forEach((one, i) => row(d, one, { ...rows, y: rows.y + 28 + ROW * i }));
  return d;
}
