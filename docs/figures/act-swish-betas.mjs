export const title = "Swish from x/2 to ReLU as β grows";
export const results = ["act-smooth-curves"];

export function draw({ Plot, house, results }) {
  const curves = results["act-smooth-curves"];
  const series = [
    { beta: "0", name: "β = 0: x/2", short: "β = 0", colour: "none" },
    { beta: "0.5", name: "β = ½", colour: "f1" },
    { beta: "1", name: "β = 1: SiLU", short: "β = 1", colour: "f2" },
    { beta: "2", name: "β = 2", colour: "f3" },
    { beta: "8", name: "β = 8", colour: "f4" },
  ].map((s) => {
    const { x, y } = curves[`swish ${s.beta}`];
    return { ...s, data: x.map((at, i) => ({ x: at, y: y[i] })) };
  });
  const lowest = series.slice(1).map(({ data, colour }) => ({ ...data.reduce((a, b) => (b.y < a.y ? b : a)), colour }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [-5, 3], label: "x" },
      y: { domain: [-1, 3.1], ticks: 5, label: "x · sigmoid(βx)" },
    }),
    marks: [
      house.rule({ y: 0 }),
      Plot.line(
        [
          { x: 0, y: 0 },
          { x: -3.6, y: (-3.6 * 0.27846) / 1.27846 },
        ],
        { x: "x", y: "y", stroke: house.colour.soft, strokeDasharray: "1 4" },
      ),
      ...house.lines(series, { x: "x", y: "y", clip: true }),
      Plot.dot(lowest, { x: "x", y: "y", r: 4, fill: (d) => house.colour[d.colour] }),
      house.text(-4.8, -0.82, "minima: −0.278/β at −1.278/β", { colour: "ink" }),
    ],
  });
}
