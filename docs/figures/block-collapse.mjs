// How alike the rows at the top of a deep stack get in the first steps of training.
export const title = "How alike the rows at the top of 12 blocks are, by step, for three placements and two rates";
export const results = ["ch08"];

const RUNS = [
  { key: "pre", name: "pre", colour: "f1" },
  { key: "post", name: "post", colour: "f2" },
  { key: "deepnorm", name: "DeepNorm at 0.004", short: "DeepNorm", colour: "f3" },
  { key: "deepnorm_slow", name: "DeepNorm at 0.002", short: "at 0.002", colour: "f3", dash: "4 4" },
];

export const lines_of = (collapse, what) => RUNS.map(({ key, ...line }) => ({ ...line, x: collapse.steps, y: collapse[key][what] }));

export const draw = ({ house, results: { ch08 } }) =>
  house.chart({
    x: { name: "step", from: 0, to: 200 },
    y: { name: "‖mean row‖² / mean ‖row‖²", from: 0, to: 1 },
    lines: lines_of(ch08.numbers.collapse, "alike"),
  });
