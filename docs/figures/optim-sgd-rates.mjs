// Gradient descent on a quadratic whose curvatures are 1 and 4, with three learning rates.
export const title = "Steps of gradient descent on a quadratic, for three learning rates";
export const results = ["optim-paths"];

const ellipse = (level) =>
  Array.from({ length: 73 }, (_, k) => (k * Math.PI) / 36)
    .map((angle) => [Math.sqrt(2 * level) * Math.cos(angle), Math.sqrt(level / 2) * Math.sin(angle)]);

export function draw({ Plot, house, results: { "optim-paths": { valley } } }) {
  const rates = [["0.1", "f1"], ["0.4", "f3"], ["0.55", "wrong"]].map(([rate, colour]) => {
    return { name: `η = ${rate}`, colour, label: false, x: valley[rate].map(([x]) => x), y: valley[rate].map(([, y]) => y) };
  });
  const { colour, line } = house;
  const steps = ({ x, y, colour: name }) => Plot.dot(x.map((at, i) => [at, y[i]]), { r: 3, fill: colour[name], clip: true });
  return house.chart({
    height: house.narrow ? 280 : 380,
    x: { name: "θ₁, curvature 1", from: -0.7, to: 3.3 },
    y: { name: "θ₂, curvature 4", from: -2, to: 2.3, grid: false },
    clip: true,
    strokeWidth: 1.6,
    under: [0.25, 1, 2.5, 5, 9].map((level) => line(ellipse(level), { colour: "line", strokeWidth: 1.5, clip: true })),
    lines: rates,
    over: [...rates.map(steps), Plot.dot([[0, 0]], { r: 4, fill: colour.ink })],
    words: [
      [1.75, 0.37, "η = 0.1", { colour: "f1", dy: -10 }],
      [1.95, -0.72, "η = 0.4", { colour: "f3", dx: 6 }],
      [1.5, -1.32, "η = 0.55", { colour: "wrong", dx: 6 }],
    ],
  });
}
