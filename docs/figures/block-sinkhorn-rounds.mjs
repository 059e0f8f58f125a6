export const title = "How far rows and gradients are from the limit after each of Sinkhorn's rounds";
export const results = ["block-sinkhorn-rounds"];

export function draw({ house, results: { "block-sinkhorn-rounds": found } }) {
  const line = (size, colour) => [
    { name: `rows, logits of size ${size}`, label: false, colour, x: found.rounds, y: found[`rows${size}`] },
    { name: `gradient, size ${size}`, label: false, colour, dash: true, x: found.rounds, y: found[`gradient${size}`] },
  ];
  return house.chart({
    x: { name: "rounds", from: 1, to: 40 },
    y: { name: "largest error", log: true, from: 1e-7, to: 10 },
    clip: true,
    lines: [...line(1, "f1"), ...line(2, "f2"), ...line(4, "f3")],
    words: [
      [21, 2e-5, "logits of size 1", { short: "size 1", colour: "f1", textAnchor: "end" }],
      [33, 5e-3, "size 2", { colour: "f2" }],
      [33, 0.12, "size 4", { colour: "f3" }],
      [3, 3e-6, "dashed: the gradient", { colour: "soft" }],
    ],
  });
}
