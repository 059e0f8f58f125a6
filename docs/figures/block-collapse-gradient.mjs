// The gradient of the lowest block in the first steps of training: what is left of it once all rows are one.
import { lines_of } from "./block-collapse.mjs";

export const title = "Gradient of the lowest of 12 blocks, by step, for three placements and two rates";
export const results = ["ch08"];

export const draw = ({ house, results: { ch08 } }) =>
  house.chart({
    x: { name: "step", from: 0, to: 200 },
    y: { name: "‖dL/dθ‖ of block 1", log: true },
    lines: lines_of(ch08.numbers.collapse, "gradient"),
  });
