// Xavier's start: what one linear layer does to sizes on the way up and on the way down, by the share of its inputs.
export const title = "A layer's factor on the way up and on the way down";
export const results = ["init-depth"];
export function draw({ Plot, house, results: { "init-depth": run } }) {
  const { narrow } = house;
  const line = (slope) => [0, 1].map((share) => ({ share, factor: slope > 0 ? 2 * share : 2 - 2 * share }));
  const dots = (name) => run.fan_in.map((n, i) => ({ share: n / run.of, factor: run[name][i] }));
  const series = [
    { name: "up", colour: "value", data: line(1), label: false },
    { name: "down", colour: "gradient", data: line(-1), label: false },
  ];
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 1], label: "fan_in / (fan_in + fan_out)" },
      y: { domain: [0, 2.1], label: "mean square after the layer / before it" },
    }),
    marks: [
      house.rule({ y: 1, dash: "2 4" }),
      ...house.lines(series, { x: "share", y: "factor" }),
      ...["up", "down"].map((name) =>
        Plot.dot(dots(name), {
          x: "share",
          y: "factor",
          r: 4,
          fill: name === "up" ? house.colour.value : house.colour.gradient,
        })
      ),
      house.text(0.84, 1.88, narrow ? "values" : "values, on the way up", { colour: "value", textAnchor: "end" }),
      house.text(0.16, 1.88, narrow ? "gradients" : "gradients, on the way down", { colour: "gradient" }),
      house.text(0.5, 0.4, narrow ? "both kept" : "both kept: fan_in = fan_out", { colour: "soft", textAnchor: "middle" }),
    ],
  });
}
