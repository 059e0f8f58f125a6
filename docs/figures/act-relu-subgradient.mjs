export const title = "The lines through 0 that stay under ReLU";
export const results = ["activation-curves"];

export function draw({ house, results: { "activation-curves": { names } } }) {
  const relu = names["act-relu"], inside = relu.x.map((_, i) => i).filter((i) => Math.abs(relu.x[i]) <= 2);
  const through_0 = (slope, look) => ({ name: `s = ${slope}`, label: false, x: [-2, 2], y: [-2 * slope, 2 * slope], ...look });
  return house.chart({
    height: house.narrow ? 300 : 340,
    marginRight: house.narrow ? 103 : 111,
    x: { name: "x", from: -2, to: 2, ticks: [-2, -1, 0, 1, 2], tickFormat: String },
    y: { name: "y", from: -2, to: 2.2, ticks: [-2, -1, 0, 1, 2], tickFormat: String },
    clip: true,
    lines: [
      ...[0, 0.25, 0.5, 0.75, 1].map((slope) => through_0(slope, { colour: "gradient", width: 1.3 })),
      through_0(1.5, { colour: "wrong", width: 1.5, dash: "5 4" }),
      { name: "ReLU", colour: "value", width: 3, label: false, x: inside.map((i) => relu.x[i]), y: inside.map((i) => relu.y[i]) },
    ],
    dots: [{ x: 0, y: 0, colour: "value" }],
    words: [
      [-1.95, 0.18, "max(0, x)", { colour: "value" }],
      [2, 1, "s = ½", { colour: "gradient", dx: 6 }],
      [2, 0, "s = 0: the tape", { colour: "gradient", dx: 6 }],
      [2, 2, "s = 1", { colour: "gradient", dx: 6 }],
      [1.15, 2.02, "s = 1½: above", { colour: "wrong", textAnchor: "end" }],
    ],
  });
}
