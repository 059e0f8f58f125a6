// One row of scores, all moved by the same amount: cross-entropy is flat, z-loss has a lowest point.
export const title = "Loss against a shift of all scores, for three coefficients of the z-loss";
export const results = ["loss-curves"];

export const draw = ({ house, results: { "loss-curves": { shift: { a: x, ...run } } } }) =>
  house.chart({
    x: { name: "added to all three scores", from: -12, to: 12 },
    y: { name: "cross-entropy + c (log Z)² (nats)", from: 0, to: 3 },
    under: [house.rule({ x: -Math.log(10), dash: "2 4" })],
    lines: [["0", "none"], ["0.001", "f3"], ["0.01", "f1"]].map(([c, colour]) => ({ name: `c = ${c}`, colour, label: false, x,
      y: run[c] })
    ),
    words: [
      [-Math.log(10), 2.7, "here log Z = 0", { short: "log Z = 0", colour: "soft", dx: 8 }],
      [6.4, 2.05, "c = 0.01", { colour: "f1", textAnchor: "end" }],
      [11.8, 1.28, "c = 0.001", { colour: "f3", textAnchor: "end" }],
      [11.8, 0.72, "c = 0: flat, nothing holds the scores", { short: "c = 0: flat", colour: "soft", textAnchor: "end" }],
    ],
  });
