// Leaky ReLU at α = 0.01, with its left half once more, raised and 40 times as high.
export const title = "Leaky ReLU with α = 0.01, and its left half 40 times as high";
export const results = ["activation-curves"];

const HIGHER = 40;
const ZERO = 2.9; // where the enlarged half has its 0

export function draw({ Plot, house, results: { "activation-curves": { names } } }) {
  const { x, y, dy } = names["act-leaky-relu"], zero = x.findLastIndex((at) => at <= 0) + 1;
  const slope = { colour: "gradient", dash: "5 3", width: 1.8, label: false };
  const lens = x.map((at, i) => [at, ZERO + HIGHER * y[i]]).filter(([at]) => at < -0.25);
  const frame = { x1: () => -3.98, x2: () => -0.25, y1: () => 0.9, y2: () => 3.9, fill: house.colour.paper, stroke: house.colour.soft };
  return house.chart({
    x: { name: "x", from: -4, to: 4 },
    y: { name: "f(x) solid, f′(x) dashed", from: -0.5, to: 4, ticks: 5 },
    under: [house.rule({ y: 0 }), house.rule({ x: 0 })],
    lines: [
      { name: "slope", ...slope, x: x.slice(0, zero), y: dy.slice(0, zero) },
      { name: "slope", ...slope, x: [0, ...x.slice(zero + 1)], y: dy.slice(zero) },
      { name: "f(x)", colour: "value", label: false, x, y },
    ],
    over: [
      Plot.rect([0], frame),
      Plot.line([[-3.98, ZERO], [-0.25, ZERO]], { stroke: house.colour.soft }),
      house.line(lens, { colour: "value" }),
    ],
    words: [
      [-3.8, 3.5, `the same, ${HIGHER} times as high`, { short: `× ${HIGHER} in height` }],
      [-3.1, ZERO + HIGHER * y[0], `${house.number(y[0])} at ${house.number(x[0])}`, { dy: -2 }],
      [-0.35, ZERO, "0", { textAnchor: "end", dy: -9, colour: "soft" }],
      [1.6, 1, "slope 1, on the left 0.01", { short: "slope 1", colour: "gradient", dy: -9 }],
    ],
  });
}
