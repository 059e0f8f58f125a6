// Squared error, absolute error and Huber's loss, and what each says to a difference: its slope.
export const title = "Three losses of a difference and their slopes";
export const results = ["loss-curves"];

export function draw({ house, results: { "loss-curves": { difference: { d: x, ...run } } } }) {
  const line = (name, colour, more) => ({ name, colour, x, y: run[name], label: false, ...more });
  return house.chart({
    x: { name: "difference d of prediction and target", from: -3, to: 3 },
    y: { name: "slope ∂ℓ/∂d", from: -3, to: 3 },
    clip: true,
    under: [house.rule({ y: 0 })],
    lines: [
      line("mse, slope", "f2", { dash: true }),
      line("l1, slope", "f3", { x: [-3, 0], y: [-1, -1] }),
      line("l1, slope ", "f3", { x: [0, 3], y: [1, 1] }),
      line("huber, slope", "ink"),
    ],
    dots: [{ x: 0, y: 0, colour: "f3" }],
    r: 3.5,
    words: [
      [1.35, 2.6, "squared error: 2d, without bound", { short: "mse: 2d", colour: "f2", textAnchor: "end", dx: -12 }],
      [-0.1, 1, "absolute error: ±1", { colour: "f3", textAnchor: "end", dy: -2 }],
      [0.75, 0.45, "Huber: d, cut at ±1", { short: "Huber", dx: 8 }],
    ],
  });
}
