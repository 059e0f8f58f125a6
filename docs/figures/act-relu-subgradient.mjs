export const title = "The lines through 0 that stay under ReLU";
export const results = ["activation-curves"];

export function draw({ Plot, house, results, width }) {
  const { x, y } = results["activation-curves"].names["act-relu"];
  const relu = x.map((at, i) => ({ x: at, y: y[i] })).filter((p) => Math.abs(p.x) <= 2);
  const line = (slope) => [-2, 2].map((at) => ({ slope, x: at, y: slope * at }));
  const under = [0, 0.25, 0.5, 0.75, 1].flatMap(line);
  return Plot.plot({
    ...house.plot({
      labels: ["no subgradient"],
      height: width < 500 ? 300 : 340,
      x: { domain: [-2, 2], label: "x", ticks: [-2, -1, 0, 1, 2], tickFormat: String },
      y: { domain: [-2, 2.2], label: "y", ticks: [-2, -1, 0, 1, 2], tickFormat: String },
    }),
    marks: [
      Plot.line(under, { x: "x", y: "y", z: "slope", stroke: house.colour.gradient, strokeWidth: 1.3 }),
      Plot.line(line(1.5), {
        x: "x",
        y: "y",
        stroke: house.colour.wrong,
        strokeWidth: 1.5,
        strokeDasharray: "5 4",
        clip: true,
      }),
      Plot.line(relu, { x: "x", y: "y", stroke: house.colour.value, strokeWidth: 3 }),
      Plot.dot([{ x: 0, y: 0 }], { x: "x", y: "y", r: 4, fill: house.colour.value }),
      house.text(-1.95, 0.18, "max(0, x)", { colour: "value" }),
      house.text(2, 1, "s = ½", { colour: "gradient", dx: 6 }),
      house.text(2, 0, "s = 0: the tape", { colour: "gradient", dx: 6 }),
      house.text(2, 2, "s = 1", { colour: "gradient", dx: 6 }),
      house.text(1.15, 2.02, "s = 1½: above", { colour: "wrong", textAnchor: "end" }),
    ],
  });
}
