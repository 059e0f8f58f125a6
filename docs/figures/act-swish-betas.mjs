export const title = "Swish from x/2 to ReLU as β grows";
export const results = ["act-smooth-curves"];

export function draw({ Plot, house, results }) {
  const lines = [
    { beta: "0", name: "β = 0: x/2", short: "β = 0", colour: "none" },
    { beta: "0.5", name: "β = ½", colour: "f1" },
    { beta: "1", name: "β = 1: SiLU", short: "β = 1", colour: "f2" },
    { beta: "2", name: "β = 2", colour: "f3" },
    { beta: "8", name: "β = 8", colour: "f4" },
  ].map(({ beta, ...line }) => ({ ...line, ...results["act-smooth-curves"][`swish ${beta}`] }));
  const minima = [[0, 0], [-3.6, (-3.6 * 0.27846) / 1.27846]]; // on one line
  return house.chart({
    x: { name: "x", from: -5, to: 3 },
    y: { name: "x · sigmoid(βx)", from: -1, to: 3.1, ticks: 5 },
    clip: true,
    under: [house.rule({ y: 0 }), Plot.line(minima, { stroke: house.colour.soft, strokeDasharray: "1 4" })],
    lines,
    dots: lines.slice(1).map(({ x, y, colour }) => ({ x: x[y.indexOf(Math.min(...y))], y: Math.min(...y), colour })),
    words: [[-4.8, -0.82, "minima: −0.278/β at −1.278/β"]],
  });
}
