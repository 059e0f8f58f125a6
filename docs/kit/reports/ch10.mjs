// Optimisation: ways down a valley, the momentum, numbers by hand, weight decay, schedules, clipping, wrong lines.
import { panels } from "../heat_map.mjs";
import { claim, command, figure, formula, one_number, predict, right, row, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { published } from "../published.mjs";
import { at, fill, framed, path, stroke } from "../svg.mjs";
import { fixed, shown, with_e } from "../words.mjs";

// --- the banana from above: level curves, a path, its start and the minimum ------------------------------------------------

const WIDTH = 240, HEIGHT = 180, X = [-1.7, 1.7], Y = [-0.6, 2];

const part = (v, [from, to]) => Math.min(9, Math.max(-9, (v - from) / (to - from))); // far outside is as good as the truth
const place = ([x, y]) => [part(x, X) * WIDTH, (1 - part(y, Y)) * HEIGHT].map(at);
const line = (points, look) => path(`M${points.map((point) => place(point).join(" ")).join("L")}`, `${look} stroke-linejoin="round"`);
const dot = (point, look) => {
  const [x, y] = place(point);
  return `<circle cx="${x}" cy="${y}" r="4" ${look}/>`;
};

// Where f = level: y = x² ± √((level - (1 - x)²) / 100), a little beyond the frame.
function level_curve(level) {
  const from = Math.max(-2, 1 - Math.sqrt(level)), to = Math.min(2, 1 + Math.sqrt(level)), upper = [], lower = [];
  for (let i = 0; i <= 48; ++i) {
    const x = (from + to) / 2 - ((to - from) / 2) * Math.cos((Math.PI * i) / 48);
    const width = Math.sqrt(Math.max(0, level - (1 - x) ** 2) / 100);
    upper.push([x, x * x + width]);
    lower.push([x, x * x - width]);
  }
  return [...upper, ...lower.reverse()];
}

const LEVELS = [0.5, 2, 8, 30, 100, 300].map(level_curve);

function walk_panel(title, walk, f, colour) {
  const drawn = [
    ...LEVELS.map((level) => line(level, `${stroke("hidden")} stroke-width="1.2"`)),
    line(walk, `${stroke(colour)} stroke-width="1.8"`),
    dot(walk[0], 'fill="var(--paper)" stroke="var(--ink)" stroke-width="1.6"'),
    dot([1, 1], fill("ink")),
  ];
  const [x, y] = walk.at(-1);
  return [title, `f = ${shown(f)} at (${shown(x)}, ${shown(y)})`, framed(WIDTH, HEIGHT, drawn.join(""))];
}

const ways = (r) => {
  const { numbers: { banana }, series: { momentum, steps, regime, walks } } = r;
  const all = [["sgd", "SGD"], ["momentum", `momentum ${momentum}`], ["nesterov", `Nesterov ${momentum}`], ["adam", "Adam, lr 0.05"]];
  return [
    section("banana", "Four ways down one valley"),
    figure("All find the valley at once. Along its flat floor SGD crawls, and memory of past steps runs.",
      panels(all.map(([id, title], i) => walk_panel(title, walks[id], banana[id], `f${i + 1}`)), 15),
      `f = (1 − x)² + 100 (y − x²)² from (−1.2, 1), ring, to (1, 1), dot; ${steps} steps, lr 0.001 unless said. Momentum ${momentum} is
        ${regime}. Redraw: ${command(`ch10 --momentum ${momentum}`)}`),
    formula("{v u} ← {p β} {v u} + {g g}", "{v θ} ← {v θ} − {c lr} {v u}", "{p β}{sub critical} = (1 − {root {c lr} {m λ}}){sup 2}"),
    text(
      `The curvatures λ at the minimum, by second derivatives on the tape: ${shown(banana.curvature_flat)} along the floor and
        ${shown(banana.curvature_steep)} across. So the floor's critical momentum is ${shown(banana.critical_momentum, 4)}: below it the
        way is a creep, above it a swing.`,
    ),
    tape(r),
  ];
};

const knob = ({ numbers, series: { steps, knob: { momenta, losses } } }) => {
  const colours = ["none", "f1", "f2", "f3", "ink"];
  const drawn = plot({
    title: "The banana's f against the step, for several momenta",
    x: { name: "step", from: 0, to: steps },
    y: { name: "f", log: true, from: 1e-8, to: 100 },
    lines: momenta.map((beta, i) => ({ name: `β = ${beta}`, y: losses[i], colour: colours[i] })),
  });
  return [
    section("knob", "The knob: momentum β"),
    figure("Up to the critical momentum more is faster.", drawn, "One start, lr 0.001. β is turned by <code>--momentum</code>."),
  ];
};

const by_hand = ({ numbers: { hand: { theta } }, series: { hand: { g, m, v } } }) => {
  return [
    section("hand", "Numbers by hand"),
    table(
      "Adam's first step, lr 0.1: m̂ = g and v̂ = g², so every weight moves by lr, whatever its gradient.",
      ["line", right("weight 1"), right("weight 2"), right("weight 3")],
      [row('<var class="g">g</var>', g), row("m = 0.1 g", m), row("v = 0.001 g²", v), row("θ after the step", theta)],
    ),
  ];
};

const decay = (r) => {
  const { scales: x, decoupled, coupled, law } = r.numbers.decay;
  const drawn = plot({
    title: "What is left of a weight against the scale of its gradient",
    x: { name: "scale of the gradient", log: true, from: 0.1, to: 10 },
    y: { name: "weight after 4,000 steps", from: 0, to: 1.05 },
    lines: [
      { name: "the law", x, y: x.map(() => law), colour: "none" },
      { name: "decoupled", x, y: decoupled, colour: "f1" },
      { name: "L2 in Adam", x, y: coupled, colour: "f2" },
    ],
  });
  return [
    section("decay", "Weight decay is not L2"),
    figure("Decoupled, every weight decays alike. L2 inside Adam spares the weights with large gradients.", drawn,
      "Mean of 256 weights that begin at 1, gradients N(0, scale²), lr 0.001, λ 0.1. The law: (1 − lr λ)<sup>t</sup>."),
    table(
      "A weight that begins at 1 and sees only noise: what is left of it after 4,000 steps.",
      ["scale of its gradient", right("decoupled (AdamW)"), right("L2 inside Adam"), right("(1 − lr λ)ᵗ")],
      x.map((scale, i) => [scale, fixed(decoupled[i], 2), fixed(coupled[i], 2), fixed(law, 2)]),
    ),
    text("Inside Adam λθ is divided by √v̂ like all of the gradient: a weight with ten times the noise decays a tenth as fast."),
    claim(r, "decoupled-decay-is-not-l2"),
  ];
};

const schedules = ({ series: { schedules: { step: x, ...all } } }) => {
  const told = Object.entries(all).map(([name, y]) => `${name} is ${with_e(y[100], 1)} half-way and ends at ${with_e(y.at(-1), 1)}; `);
  const colours = { "inverse-sqrt": "f4", wsd: "f2", linear: "f3", cosine: "f1" };
  const drawn = plot({
    title: "The learning rate against the step",
    more: `All rise to 0.001 in 100 steps; ${told.join("")}`,
    x: { name: "step", from: 0, to: 1000 },
    y: { name: "learning rate", from: 0, to: 1.08e-3 },
    lines: Object.entries(all).map(([name, y]) => ({ name, x, y, colour: colours[name] })),
  });
  return [
    section("schedules", "How fast, and when"),
    figure("Warm up, then come down: what differs is when.", drawn,
      "Warm-up of 100 steps, rates from 10⁻³ to 10⁻⁴ in 1,000 steps; inverse-sqrt knows no end."),
  ];
};

const clipping = ({ numbers: { clip } }) => {
  const line = (name, [a, b]) => row(name, [a, b, Math.sqrt(a * a + b * b), (Math.atan2(b, a) * 180) / Math.PI]);
  return [
    section("clipping", "Clipping: shorter, but which way?"),
    table(
      "Two tensors of one number with the gradients 3 and 0.4, cut to 1.",
      ["clipped", right("g₁"), right("g₂"), right("norm"), right("direction", "degrees")],
      [
        line("not at all", [3, 0.4]),
        line("by their norm", clip.by_norm),
        line("by value", clip.by_value),
        line("each by its own norm", clip.each),
      ],
    ),
    text(`The norm's clipping keeps the direction. It must be the norm of <em>all</em> parameters together: each on its own turns the
      step, too, and as each tensor has one number here, clips like by value.`),
  ];
};

const wrong_rates = ({ step: x, right: meant, wrong: found }) => {
  const drawn = plot({
    title: "The rate with a long warm-up, right and as published",
    more: `Both rise to 1 at 400; then the wrong one drops to ${fixed(found[80], 2)}. At
      700 they are ${fixed(meant[140], 2)} and ${fixed(found[140], 2)}.`,
    x: { name: "step", from: 0, to: 1000 },
    y: { name: "rate, relative to the greatest", from: 0, to: 1.08 },
    lines: [{ name: "right", x, y: meant }, { name: "wrong", x, y: found, colour: "wrong" }],
  });
  return figure("When the warm-up ends the rate drops.", drawn, "A cosine after 400 steps of warm-up, from 1 to 0.1 at 1,000 steps.");
};

// With --bug: the right recipe and the wrong one beside each other; clipping has its table above.
const one_wrong_line = ({ numbers: { bug, banana }, series: { rates, walks, steps } }) => {
  if (rates) return wrong_rates(rates);
  if (!walks.wrong) return [];
  return figure("The same rule but for one line.",
    panels([walk_panel("right", walks.right, banana.right, "f1"), walk_panel(bug, walks.wrong, banana.wrong, "wrong")], 15),
    `AdamW on the banana, lr 0.05, ε 0.01, λ 0.1, ${steps} steps.`);
};

export default (r) => {
  const { scales, decoupled, coupled } = r.numbers.decay;
  const three = (w) => [w[0], w[Math.trunc(scales.length / 2)], w.at(-1)].map((v) => fixed(v, 2)).join(" ");
  return [
    one_number(three(decoupled),
      `The one number, or three: what decoupled decay leaves of weights that see only noise of scale 0.1, 1 and 10. L2 inside Adam leaves
        ${three(coupled)}.`),
    predict(r),
    ways(r),
    knob(r),
    by_hand(r),
    decay(r),
    schedules(r),
    clipping(r),
    published(r),
    one_wrong_line(r),
  ];
};
