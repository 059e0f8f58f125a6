// The gradient of the lowest block in the first steps of training: what is left of it once all rows are one.
import { series_of } from "./block-collapse.mjs";

export const title = "Gradient of the lowest of 12 blocks, by step, for three placements and two rates";
export const results = ["ch08"];

export function draw({ Plot, house, results: { ch08 } }) {
  const series = series_of(ch08.numbers.collapse, "gradient");
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 200], label: "step" },
      y: { type: "log", label: "‖dL/dθ‖ of block 1" },
    }),
    marks: house.lines(series, { x: "step", y: "y" }),
  });
}
