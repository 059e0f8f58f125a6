// How far one step of gradient descent moves the result, against the depth.
export const title = "Movement of the result by one step on the linear maps, against the number of blocks, for four placements";
export const results = ["block-deepnorm-update"];

export function draw({ Plot, house, results }) {
  const all = results["block-deepnorm-update"];
  const data = ({ median, least, greatest }) =>
    all.depths.map((blocks, i) => ({ blocks, median: median[i], least: least[i], greatest: greatest[i] }));
  const series = [
    { name: "post", colour: "f2", data: data(all.post) },
    { name: "pre", colour: "f1", data: data(all.pre) },
    { name: "DeepNorm", colour: "f3", data: data(all.deepnorm) },
    { name: "GLM’s α and β", short: "GLM’s", colour: "f4", data: data(all["deepnorm-glm"]) },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { type: "log", base: 2, domain: [2, 64], ticks: all.depths, tickFormat: String, label: "blocks" },
      y: { type: "log", domain: [3e-3, 1e4], label: "‖ΔF‖ / η" },
    }),
    marks: [
      ...series.map((s) => house.band(s.data, { x: "blocks", y1: "least", y2: "greatest", colour: s.colour })),
      ...house.lines(series, { x: "blocks", y: "median" }),
    ],
  });
}
