// The second output of the feed-forward layers of ffn-relu.cpp on the way from its first token to its second.
export const title = "What a feed-forward layer says between two tokens";
export const results = ["ffn-relu-line"];

export function draw({ Plot, house, results: { "ffn-relu-line": points } }) {
  const series = [
    { name: "ReLU", colour: "f1", y: "relu" },
    { name: "GELU", colour: "f2", y: "gelu" },
    { name: "SiLU", colour: "f3", y: "silu" },
  ].map((s) => ({ ...s, data: points.map((p) => ({ way: p.way, y: p[s.y] })) }));
  const at = (way) => points.find((p) => Math.abs(p.way - way) < 1e-9).relu;
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [-0.25, 1.25], label: "from token 1 (0) to token 2 (1)", ticks: 6 },
      y: { domain: [0, 6], label: "second number of y" },
    }),
    marks: [
      ...[0.25, 5 / 7].map((x) => house.rule({ x, colour: "line" })),
      ...house.lines(series, { x: "way", y: "y" }),
      Plot.dot([0, 1], { x: (x) => x, y: at, r: 4.5, fill: house.colour.ink }),
      house.text(0.25, 5.6, "unit 2 goes on", { dx: 6 }),
      house.text(5 / 7, 4.6, "unit 3 goes off", { dx: 6 }),
    ],
  });
}
