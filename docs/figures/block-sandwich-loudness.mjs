// How loud the stream gets when all weights are larger: pre-norm against sandwich-norm.
export const title = "Variance of the stream after 12 blocks, against how many times larger all weights are";
export const results = ["block-sandwich-loudness"];

export function draw({ Plot, house, results }) {
  const all = results["block-sandwich-loudness"];
  const data = ({ median, least, greatest }) =>
    all.times.map((times, i) => ({ times, median: median[i], least: least[i], greatest: greatest[i] }));
  const series = [
    { name: "pre", colour: "f1", data: data(all.pre) },
    { name: "sandwich", colour: "f4", data: data(all.sandwich) },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { type: "log", base: 2, domain: [1, 8], ticks: all.times, tickFormat: String, label: "weights, times as drawn" },
      y: { type: "log", domain: [5, 1e5], label: "variance of the stream" },
    }),
    marks: [
      ...series.map((s) => house.band(s.data, { x: "times", y1: "least", y2: "greatest", colour: s.colour })),
      ...house.lines(series, { x: "times", y: "median" }),
    ],
  });
}
