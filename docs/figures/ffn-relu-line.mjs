// The second output of the feed-forward layers of ffn-relu.cpp on the way from its first token to its second.
export const title = "What a feed-forward layer says between two tokens";
export const results = ["ffn-relu-line"];

export function draw({ house, results: { "ffn-relu-line": points } }) {
  const of = (name) => points.map((point) => point[name]), x = of("way");
  const at = (way) => ({ x: way, y: points.find((p) => Math.abs(p.way - way) < 1e-9).relu });
  return house.chart({
    x: { name: "from token 1 (0) to token 2 (1)", from: -0.25, to: 1.25, ticks: 6 },
    y: { name: "second number of y", from: 0, to: 6 },
    under: [0.25, 5 / 7].map((place) => house.rule({ x: place, colour: "line" })),
    lines: [
      { name: "ReLU", colour: "f1", x, y: of("relu") },
      { name: "GELU", colour: "f2", x, y: of("gelu") },
      { name: "SiLU", colour: "f3", x, y: of("silu") },
    ],
    dots: [at(0), at(1)],
    r: 4.5,
    words: [[0.25, 5.6, "unit 2 goes on", { dx: 6 }], [5 / 7, 4.6, "unit 3 goes off", { dx: 6 }]],
  });
}
