// Gradient descent on a quadratic whose curvatures are 1 and 4, with three learning rates.
export const title = "Steps of gradient descent on a quadratic, for three learning rates";
export const results = ["optim-paths"];

const ellipse = (level) =>
  Array.from({ length: 73 }, (_, k) => (k * Math.PI) / 36).map((angle) => ({
    x: Math.sqrt(2 * level) * Math.cos(angle),
    y: Math.sqrt(level / 2) * Math.sin(angle),
  }));

export function draw({ Plot, house, results, width }) {
  const { valley } = results["optim-paths"];
  const rates = [
    { rate: "0.1", colour: "f1" },
    { rate: "0.4", colour: "f3" },
    { rate: "0.55", colour: "wrong" },
  ].map(({ rate, colour }) => ({ rate, colour, data: valley[rate].map(([x, y]) => ({ x, y })) }));
  return Plot.plot({
    ...house.plot({
      height: width < 500 ? 280 : 380,
      x: { domain: [-0.7, 3.3], label: "θ₁, curvature 1" },
      y: { domain: [-2, 2.3], label: "θ₂, curvature 4", grid: false },
    }),
    marks: [
      ...[0.25, 1, 2.5, 5, 9].map((level) => house.line(ellipse(level), { x: "x", y: "y", colour: "line", strokeWidth: 1.5, clip: true })),
      ...rates.map(({ data, colour }) => house.line(data, { x: "x", y: "y", colour, strokeWidth: 1.6, clip: true })),
      ...rates.map(({ data, colour }) => Plot.dot(data, { x: "x", y: "y", r: 3, fill: house.colour[colour], clip: true })),
      Plot.dot([{ x: 0, y: 0 }], { x: "x", y: "y", r: 4, fill: house.colour.ink }),
      house.text(1.75, 0.37, "η = 0.1", { colour: "f1", dy: -10 }),
      house.text(1.95, -0.72, "η = 0.4", { colour: "f3", dx: 6 }),
      house.text(1.5, -1.32, "η = 0.55", { colour: "wrong", dx: 6 }),
    ],
  });
}
