// One right score against one wrong one: cross-entropy, softmax before it, and the squared error of the probabilities.
export const title = "Loss against how far the right score is ahead";
export const results = ["loss-curves"];

export const draw = ({ house, results: { "loss-curves": { gap: { s: x, ...run } } } }) =>
  house.chart({
    x: { name: "right score − wrong score", from: -8, to: 8 },
    y: { name: "loss (nats)", from: 0, to: 4 },
    clip: true,
    lines: [
      { name: "cross-entropy", colour: "ink", label: false, x, y: run["cross-entropy"] },
      { name: "softmax before it", colour: "wrong", label: false, x, y: run["softmax twice"] },
      { name: "squared error", colour: "f2", dash: true, label: false, x, y: run["squared error"] },
    ],
    words: [
      [-2.9, 3.4, "cross-entropy: slope −1, however wrong", { short: "cross-entropy:\nslope −1", dx: 8 }],
      [-7.8, 1.1, "softmax before it: 1.31, flat", { short: "softmax before: 1.31", colour: "wrong" }],
      [-7.8, 2.22, "squared error of p: 2, flat", { short: "squared: 2", colour: "f2" }],
      [7.8, 0.5, "and not below 0.31", { short: "not below 0.31", colour: "wrong", textAnchor: "end" }],
    ],
  });
