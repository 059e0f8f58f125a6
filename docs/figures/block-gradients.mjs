// The gradient of the stream on its way down, before training: bands from the least to the greatest of three seeds.
export const title = "Norm of the gradient of the stream by block, before training, under four placements";
export const results = ["ch08"];

export function draw({ house, results: { ch08: { numbers: { start, theory } } } }) {
  const line = (name, colour, { gradient: y }, more) => ({ name, colour, y, label: false, ...more });
  return house.chart({
    x: { name: "block", from: 0, to: start.pre.gradient.length - 1 },
    y: { name: "‖dL/dx‖ over that at the top", log: true, from: 0.5, to: 10, ticks: [0.5, 1, 2, 5, 10], tickFormat: String },
    lines: [
      line("sandwich", "f4", start.sandwich),
      line("pre", "f1", start.pre),
      line("theory for pre", "ink", theory.pre, { dash: "4 4" }),
      line("DeepNorm", "f3", start.deepnorm),
      line("post", "f2", start.post),
    ],
    words: [
      [0.4, 8, "sandwich", { colour: "f4" }],
      [4.2, 2.85, "theory for pre: σ of the top over σ here", { short: "σ of the top / σ here", colour: "soft" }],
      [3.4, 1.55, "pre", { colour: "f1", textAnchor: "end" }],
      [18.5, 0.86, "DeepNorm", { colour: "f3", textAnchor: "middle" }],
      [5, 0.6, "post", { colour: "f2", textAnchor: "middle" }],
    ],
  });
}
