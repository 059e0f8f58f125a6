// Three rows of one pattern: as they are, centred, and divided by their size.
export const title = "Three rows that differ in level and size become one";
export const results = ["norm-layer-rows"];

const NAMES = { x: "x", "2x-19": "2x − 19", "x/4+10": "x/4 + 10" };
const COLOURS = { x: "f1", "2x-19": "f3", "x/4+10": "f2" };

export function draw({ Plot, house, results }) {
  const { rows } = results["norm-layer-rows"];
  const levels = [
    ["x", 2],
    ["centred", 1],
    ["normed", 0],
  ];
  const words = { 2: "as it is", 1: "− mean", 0: "÷ size" };
  const beside = (key, at) => (key === "centred" ? 0.11 * (at - 1) : 0); // so that no dot covers another
  const points = rows.flatMap((row, at) =>
    levels.flatMap(([key, level]) =>
      row[key].map((value, i) => ({ row: row.id, value, level: level + beside(key, at), line: `${row.id} ${i}` }))
    )
  );
  const stroke = (d) => house.colour[d.level === 0 ? "ink" : COLOURS[d.row]];
  return Plot.plot({
    ...house.plot({
      x: { domain: [-16, 14], label: "value" },
      y: { domain: [-0.3, 2.45], ticks: [0, 1, 2], tickFormat: (level) => words[level], label: null },
    }),
    height: house.narrow ? 300 : 320,
    marginLeft: 62,
    marks: [
      Plot.line(points, {
        x: "value",
        y: "level",
        z: "line",
        stroke: (d) => house.colour[COLOURS[d.row]],
        strokeWidth: 1.2,
        strokeOpacity: 0.55,
      }),
      Plot.dot(points, { x: "value", y: "level", r: house.narrow ? 3.5 : 4.5, fill: stroke }),
      ...rows.map((row) => {
        const middle = row.x.reduce((sum, v) => sum + v, 0) / row.x.length;
        return house.text(middle, 2.24, NAMES[row.id], { colour: COLOURS[row.id], textAnchor: "middle" });
      }),
      house.text(2.4, 0, house.narrow ? "all three" : "all three: −1.07, −0.53, 0, 1.60", { dx: 4 }),
    ],
  });
}
