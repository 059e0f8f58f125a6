// SGD, momentum and Adam down the banana of chapter 10.
export const title = "Four hundred steps down the banana by SGD, by momentum and by Adam";
export const results = ["optim-paths"];

// Where (1 - x)² + 100 (y - x²)² = level: there and back.
function level_line(level) {
  const ends = [Math.max(-1.7, 1 - Math.sqrt(level)), Math.min(1.7, 1 + Math.sqrt(level))];
  const xs = Array.from(
    { length: 61 },
    (_, k) => (ends[0] + ends[1]) / 2 - ((ends[1] - ends[0]) / 2) * Math.cos((Math.PI * k) / 60),
  );
  const half = (x) => Math.sqrt(Math.max(0, level - (1 - x) ** 2) / 100);
  return [...xs.map((x) => ({ x, y: x * x + half(x) })), ...xs.reverse().map((x) => ({ x, y: x * x - half(x) }))];
}

export function draw({ Plot, house, results, width }) {
  const { banana } = results["optim-paths"];
  const narrow = width < 500;
  const ways = [
    { key: "adam", colour: "f4" },
    { key: "momentum", colour: "f2" },
    { key: "sgd", colour: "f1" },
  ].map(({ key, colour }) => ({ colour, data: banana[key].map(([x, y]) => ({ x, y })) }));
  const end = (way) => way.data.slice(-1);
  return Plot.plot({
    ...house.plot({
      height: narrow ? 300 : 400,
      x: { domain: [-1.6, 1.6], label: "x" },
      y: { domain: [-0.4, 1.9], label: "y", grid: false },
    }),
    marks: [
      ...[0.5, 2, 8, 30, 100].map((level) =>
        house.line(level_line(level), { x: "x", y: "y", colour: "line", strokeWidth: 1.5, clip: true })
      ),
      ...ways.map(({ data, colour }) => house.line(data, { x: "x", y: "y", colour, strokeWidth: 1.8, clip: true })),
      ...ways.map((way) => Plot.dot(end(way), { x: "x", y: "y", r: 5, fill: house.colour[way.colour] })),
      Plot.dot([{ x: -1.2, y: 1 }], { x: "x", y: "y", r: 5, stroke: house.colour.ink, fill: house.colour.paper }),
      Plot.dot([{ x: 1, y: 1 }], { x: "x", y: "y", r: 4, fill: house.colour.ink }),
      house.text(-1.2, 1, "start", { textAnchor: "end", dx: -9, dy: 8 }),
      house.text(-0.645, 0.423, "SGD", { colour: "f1", textAnchor: "end", dx: -10, dy: 6 }),
      house.text(0.369, 0.134, "Adam", { colour: "f4", dx: 9, dy: 10 }),
      house.text(0.933, 0.87, narrow ? "momentum" : "momentum 0.9", { colour: "f2", textAnchor: "end", dx: -12 }),
      house.text(1, 1, "least", { dx: 9, dy: 8 }),
    ],
  });
}
