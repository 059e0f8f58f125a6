// Entropy of attention's weights over 16 random keys, against the width of the head.
export const title = "Entropy of attention's weights against the width of a head";
export const results = ["ch07"];

export function draw({ house, results: { ch07: { numbers: { entropy } } } }) {
  const x = [4, 8, 16, 32, 64, 128, 256];
  return house.chart({
    x: { name: "width of a head, d", log: true, base: 2, from: 4, to: 256, ticks: x, tickFormat: String },
    y: { name: "entropy of the weights (nats)", from: 0, to: 3 },
    lines: [
      { name: "divided by √d", short: "/ √d", colour: "f1", x, y: entropy.with },
      { name: "not divided", short: "not", colour: "wrong", x, y: entropy.without },
      { name: "all 16 alike", short: "alike", colour: "none", x, y: x.map(() => entropy.uniform) },
    ],
    words: [[90, 0.62, "nearly all weight on one key", { short: "nearly one key", colour: "wrong", textAnchor: "middle", dy: 0 }]],
  });
}
