// Activations: twenty layers down, digits, curves, numbers by hand, the β of Swish, dead units, XOR.
import { panels } from "../heat_map.mjs";
import { claim, command, figure, formula, one_number, predict, right, section, table, tape, text } from "../parts.mjs";
import { plot } from "../plot.mjs";
import { at, fill, framed, label, path, rect, stroke } from "../svg.mjs";
import { fixed, percent, shown } from "../words.mjs";

const COLOURS = { sigmoid: "f1", tanh: "f2", ReLU: "f3", SiLU: "f4" };
const with_colour = (lines) => Object.entries(lines).map(([name, line]) => ({ name, ...line, colour: COLOURS[name] }));

const layers = ({ series: { seeds, survives } }) => {
  const drawn = plot({
    title: "Norm of the gradient against the layer",
    x: { name: "layers below the top", from: 0, to: 20 },
    y: { name: "‖gradient‖ relative to the top", log: true, from: 1e-14, to: 100 },
    lines: with_colour(survives),
  });
  return [
    section("layers", "Twenty layers down"),
    figure("Going down, sigmoid's gradient falls like a stone; ReLU's arrives.", drawn,
      `Width 256, 64 rows, at initialisation, median and range of ${seeds.survives} seeds. Weights N(0, gain²/256): gain √2 for ReLU and
        its smooth relatives, 1 for tanh and sigmoid. Redraw: ${command("ch02")}`),
    formula("{g dL/dh}{sub l−1} = {p W}{sup T} ({g dL/dh}{sub l} ⊙ f'({v x}{sub l}))"),
    text(`A layer multiplies the gradient by about gain · RMS(f'). Sigmoid: its f' is at most ¼, so about 4⁻²⁰ = 9.1·10⁻¹³ after twenty
      layers, and less as most x are not 0.`),
  ];
};

const digits = ({ series: { seeds, digits } }) => {
  const drawn = plot({
    title: "Held-out digits that are right against the depth",
    x: { name: "hidden layers", from: 0, to: 20 },
    y: { name: "held-out digits right (%)", from: 0, to: 100 },
    lines: with_colour(digits),
  });
  return figure("Where little gradient arrives, little is learnt: sigmoid guesses from five layers on.", drawn,
    `The same kind of network on digits of 8 × 8 pixels (Alpaydin and Kaynak, 1998), width 64, after 200 steps of SGD with momentum;
      median and range of ${seeds.digits} seeds. A guess is right in 10 %. SiLU fails at 20 layers: ReLU's gain √2 is not its own.`);
};

const line = (x, y, look) => path(`M${x.map((v, i) => `${at(20 * (v + 4))} ${at(40 * (2 - y[i]))}`).join("L")}`, look);

// f and its derivative, x from −4 to 4 and y from −1 to 2.
const curve = (x, { y, slope }) => {
  const lines = [
    path("M0 80H160M80 0V120", stroke("line")),
    line(x, slope, `${stroke("gradient")} stroke-width="1.8" stroke-dasharray="5 3"`),
    line(x, y, `${stroke("value")} stroke-width="2.2"`),
  ];
  return framed(160, 120, lines.join(""));
};

const curves = ({ series: { curves: { x, f } } }) => {
  const middle = (x.length - 1) / 2;
  const drawn = Object.entries(f).map(([name, { y, slope }]) => [
    name,
    `f' ${shown(slope[middle])} at 0, at most ${shown(Math.max(...slope))}`,
    curve(x, { y, slope }),
  ]);
  return [
    section("curves", "Curves and their derivatives"),
    figure("The derivative is what a gradient is multiplied by at each layer. Sigmoid's is never above ¼.", panels(drawn),
      `x from −4 to 4, y from −1 to 2. Blue: f(x); orange, dashed: f'(x) from the tape. ReLU's f' has a step at its kink, where the tape
        takes 0.`),
  ];
};

const by_hand = ({ numbers: { hand } }) => [
  section("hand", "Numbers by hand"),
  table(
    "At x = 1: σ(1) = 1/(1 + 0.368) = 0.731, so σ'(1) = 0.731 · 0.269 = 0.197 and silu'(1) = 0.731 + 0.197 = 0.928.",
    ["activation", right("f(1)"), right("f'(1)"), right("f'(−1)")],
    Object.entries(hand).map(([name, values]) => [name, ...values.map((v) => shown(v))]),
  ),
];

const swish = ({ numbers: { swish }, series: { curves: { x }, swish: { betas, y } } }) => {
  const colours = ["none", "f1", "f2", "f3", "ink"];
  const drawn = plot({
    title: "Swish x σ(βx) for several β",
    more: `β = 0 is the line x/2, β = 50 is ReLU to within ${fixed(swish.from_relu_at_50, 3)}, between
      them curves that dip below 0.`,
    x: { name: "x", from: -4, to: 4 },
    y: { name: "x σ(βx)", from: -0.7, to: 3 },
    lines: betas.map((beta, i) => ({ name: `β = ${beta}`, x, y: y[i], colour: colours[i] })),
  });
  return [
    section("knob", "The knob: β of Swish"),
    figure("β = 0 is a straight line, β = 50 is ReLU: how sharp the bend is.", drawn,
      `Largest distance from x/2 at β = 0: ${shown(swish.from_half_at_0)}; from ReLU at β = 50: ${shown(swish.from_relu_at_50)}, 0.278/β.
        β = 1 (SiLU) is least with ${shown(swish.minimum)} at ${shown(swish.minimum_at)}. <code>--beta</code> adds a line.`),
  ];
};

const BIASES = [0, -3, -6];

// A histogram of what reaches the units, from −12 to 8; what is above zero is coloured.
const bars = (share) => {
  const bin = (s, i) => {
    const height = (70 * s) / 0.15, left = -12 + (20 * i) / share.length;
    return rect(4 * i, 70 - height, 3.4, height, fill(left < 0 ? "none" : "value"));
  };
  const axis = path("M0 70.5H160M96 0V70", stroke("line")) + label(96, 83, "middle", "0");
  return `<svg viewBox="0 0 160 90" aria-hidden="true">${share.map(bin).join("")}${axis}</svg>`;
};

const dead = (r) => {
  const { numbers: { dead, preactivations }, series } = r;
  const drawn = BIASES.map((bias) => {
    const [above, never] = preactivations[`bias_${-bias}`];
    return [`bias ${shown(bias)}`, `${percent(above, 1)} above 0; ${percent(never)} of the units never`,
      bars(series.preactivations[`bias_${-bias}`])];
  });
  return [
    section("dead", "Dead units"),
    figure("What reaches the units: pushed below zero, most see nothing above it, and ReLU hands nothing on.", panels(drawn, 12),
      `Histograms of 512 units on 256 rows, from −12 to 8; blue: above 0. A unit that is never above 0 has the gradient 0 on every row, so
        nothing brings it back.`),
    table(
      "Share of 512 units whose weights get no gradient from any of 256 rows, after a step that went too far has left them this bias.",
      ["activation", right("bias 0"), right("bias −3"), right("bias −6")],
      Object.entries(dead).map(([name, share]) => [name, ...BIASES.map((bias) => percent(share[`bias_${-bias}`]))]),
    ),
    claim(r, "relu-units-die"),
    tape(r),
  ];
};

const xor = ({ series }) => {
  const { tanh, linear } = series.xor, last = tanh.length - 1;
  const drawn = plot({
    title: "Loss of XOR against the step",
    x: { name: "step", from: 0, to: last },
    y: { name: "mean squared error", log: true, from: 1e-8, to: 10 },
    lines: [{ name: "linear", y: linear, colour: "none" }, { name: "tanh", y: tanh }],
  });
  return [
    section("xor", "The milestone: XOR"),
    figure("Without a bend, two layers are one straight line: ¼ is the least that it can reach.", drawn,
      "2 → 8 → 1, Adam with rate 0.05, the four points in each step. The best line predicts ½ for all four."),
  ];
};

export default (r) => [
  one_number(shown(r.numbers.survives.sigmoid.median, 2),
    "The one number: what is left of a gradient after 20 sigmoid layers, at initialisation."),
  predict(r),
  layers(r),
  digits(r),
  curves(r),
  by_hand(r),
  swish(r),
  dead(r),
  xor(r),
];
