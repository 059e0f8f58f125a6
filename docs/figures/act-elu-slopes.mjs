export const title = "Slopes of ELU and CELU for α = ½, 1 and 2";
export const results = ["act-smooth-curves"];

export function draw({ Plot, house, results: { "act-smooth-curves": curves } }) {
  const alphas = [["2", "f1"], ["1", "f2"], ["0.5", "f3"]];
  const line = (name, panel, colour) => ({ name, panel, colour, x: curves[name].x, y: curves[name].dy });
  return house.chart({
    x: { name: "x", from: -4, to: 2, ticks: [-3, -1, 1], tickFormat: String },
    y: { name: "dy/dx", from: 0, to: 2.1, ticks: 5 },
    height: house.narrow ? 270 : 310,
    panels: ["ELU", "CELU"],
    under: [Plot.ruleX([0], { stroke: house.colour.soft, strokeOpacity: 0.6 })],
    lines: alphas.flatMap(([alpha, colour]) => [
      line(`elu ${alpha} below`, "ELU", colour),
      line(`elu ${alpha} above`, "ELU", colour),
      line(`celu ${alpha}`, "CELU", colour),
    ]),
    dots: alphas.map(([alpha, colour]) => ({ panel: "ELU", x: 0, y: curves[`elu ${alpha} below`].dy.at(-1), colour })),
    r: 3.5,
    words: [
      [0.15, 1.98, "α = 2", { panel: "ELU", colour: "f1" }],
      [0.15, 1.12, "α = 1", { panel: "ELU", colour: "f2" }],
      [0.15, 0.46, "α = ½", { panel: "ELU", colour: "f3" }],
      [-2.3, 0.45, "α = 2", { panel: "CELU", colour: "f1", textAnchor: "end" }],
      [-3.3, 0.125, "α = 1", { panel: "CELU", colour: "f2" }],
      [-0.85, 0.1, "α = ½", { panel: "CELU", colour: "f3" }],
      [1.9, 1.14, "no jump for any α", { panel: "CELU", textAnchor: "end" }],
    ],
  });
}
