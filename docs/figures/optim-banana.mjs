// SGD, momentum and Adam down the banana of chapter 10.
export const title = "Four hundred steps down the banana by SGD, by momentum and by Adam";
export const results = ["optim-paths"];

// Where (1 - x)² + 100 (y - x²)² = level: there and back.
function level_line(level) {
  const [from, to] = [Math.max(-1.7, 1 - Math.sqrt(level)), Math.min(1.7, 1 + Math.sqrt(level))];
  const xs = Array.from({ length: 61 }, (_, k) => (from + to) / 2 - ((to - from) / 2) * Math.cos((Math.PI * k) / 60));
  const half = (x) => Math.sqrt(Math.max(0, level - (1 - x) ** 2) / 100);
  return [...xs.map((x) => [x, x * x + half(x)]), ...xs.reverse().map((x) => [x, x * x - half(x)])];
}

export function draw({ Plot, house, results: { "optim-paths": { banana } } }) {
  const { colour, line } = house;
  const way = (name, key, colour) => ({ name, colour, label: false, x: banana[key].map(([x]) => x), y: banana[key].map(([, y]) => y) });
  const lines = [way("Adam", "adam", "f4"), way("momentum", "momentum", "f2"), way("SGD", "sgd", "f1")];
  return house.chart({
    height: house.narrow ? 300 : 400,
    x: { name: "x", from: -1.6, to: 1.6 },
    y: { name: "y", from: -0.4, to: 1.9, grid: false },
    clip: true,
    strokeWidth: 1.8,
    under: [0.5, 2, 8, 30, 100].map((level) => line(level_line(level), { colour: "line", strokeWidth: 1.5, clip: true })),
    lines,
    dots: lines.map((one) => ({ x: one.x.at(-1), y: one.y.at(-1), colour: one.colour })),
    r: 5,
    over: [
      Plot.dot([[-1.2, 1]], { r: 5, stroke: colour.ink, fill: colour.paper }),
      Plot.dot([[1, 1]], { r: 4, fill: colour.ink }),
    ],
    words: [
      [-1.2, 1, "start", { textAnchor: "end", dx: -9, dy: 8 }],
      [-0.645, 0.423, "SGD", { colour: "f1", textAnchor: "end", dx: -10, dy: 6 }],
      [0.369, 0.134, "Adam", { colour: "f4", dx: 9, dy: 10 }],
      [0.933, 0.87, "momentum 0.9", { short: "momentum", colour: "f2", textAnchor: "end", dx: -12 }],
      [1, 1, "least", { dx: 9, dy: 8 }],
    ],
  });
}
