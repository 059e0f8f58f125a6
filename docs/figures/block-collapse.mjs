// How alike the rows at the top of a deep stack get in the first steps of training.
export const title = "How alike the rows at the top of 12 blocks are, by step, for three placements and two rates";
export const results = ["ch08"];

export const runs = [
  { key: "pre", name: "pre", colour: "f1" },
  { key: "post", name: "post", colour: "f2" },
  { key: "deepnorm", name: "DeepNorm at 0.004", short: "DeepNorm", colour: "f3" },
  { key: "deepnorm_slow", name: "DeepNorm at 0.002", short: "at 0.002", colour: "f3", dash: "4 4" },
];

export const series_of = (collapse, what) =>
  runs.map(({ key, ...line }) => ({ ...line, data: collapse[key][what].map((y, i) => ({ step: collapse.steps[i], y })) }));

export function draw({ Plot, house, results: { ch08 } }) {
  const series = series_of(ch08.numbers.collapse, "alike");
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 200], label: "step" },
      y: { domain: [0, 1], label: "‖mean row‖² / mean ‖row‖²" },
    }),
    marks: house.lines(series, { x: "step", y: "y" }),
  });
}
