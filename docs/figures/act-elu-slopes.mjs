export const title = "Slopes of ELU and CELU for α = ½, 1 and 2";
export const results = ["act-smooth-curves"];

export function draw({ Plot, house, results, width }) {
  const curves = results["act-smooth-curves"];
  const narrow = width < 500;
  const alphas = [
    ["2", "f1"],
    ["1", "f2"],
    ["0.5", "f3"],
  ];
  const points = (name, panel, piece) => curves[name].x.map((x, i) => ({ panel, x, slope: curves[name].dy[i], piece }));
  const lines = alphas.flatMap(([alpha, colour]) => [
    { colour, data: points(`elu ${alpha} below`, "ELU", "below") },
    { colour, data: points(`elu ${alpha} above`, "ELU", "above") },
    { colour, data: points(`celu ${alpha}`, "CELU", "all") },
  ]);
  const kinks = alphas.map(([alpha, colour]) => ({
    panel: "ELU",
    x: 0,
    slope: curves[`elu ${alpha} below`].dy.at(-1),
    colour,
  }));
  const words = [
    { panel: "ELU", x: 0.15, slope: 1.98, text: "α = 2", colour: "f1" },
    { panel: "ELU", x: 0.15, slope: 1.12, text: "α = 1", colour: "f2" },
    { panel: "ELU", x: 0.15, slope: 0.46, text: "α = ½", colour: "f3" },
    { panel: "CELU", x: -2.3, slope: 0.45, text: "α = 2", colour: "f1", end: true },
    { panel: "CELU", x: -3.3, slope: 0.125, text: "α = 1", colour: "f2" },
    { panel: "CELU", x: -0.85, slope: 0.1, text: "α = ½", colour: "f3" },
    { panel: "CELU", x: 1.9, slope: 1.14, text: "no jump for any α", colour: "ink", end: true },
  ];
  const look = {
    fx: "panel",
    x: "x",
    y: "slope",
    text: "text",
    fill: (d) => house.colour[d.colour],
    stroke: house.colour.paper,
    strokeWidth: 4,
    strokeLinejoin: "round",
  };
  return Plot.plot({
    ...house.plot({
      x: { domain: [-4, 2], ticks: [-3, -1, 1], label: "x", tickFormat: String },
      y: { domain: [0, 2.1], label: "dy/dx", ticks: 5 },
      height: narrow ? 270 : 310,
      marginTop: 56,
    }),
    fx: { domain: ["ELU", "CELU"], padding: 0.08, label: null, axis: "top", tickSize: 0 },
    marks: [
      Plot.ruleX([0], { stroke: house.colour.soft, strokeOpacity: 0.6 }),
      ...lines.map(({ colour, data }) =>
        Plot.line(data, { fx: "panel", x: "x", y: "slope", stroke: house.colour[colour], strokeWidth: 2.2 })
      ),
      Plot.dot(kinks, { fx: "panel", x: "x", y: "slope", r: 3.5, fill: (d) => house.colour[d.colour] }),
      Plot.text(
        words.filter((d) => d.end),
        { ...look, textAnchor: "end" },
      ),
      Plot.text(
        words.filter((d) => !d.end),
        { ...look, textAnchor: "start" },
      ),
    ],
  });
}
