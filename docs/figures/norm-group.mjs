// From one group to one for each channel: the cells on which one output depends, from the tape (docs/examples/norm-axes.cpp).
import { cubes } from "./kit/cubes.mjs";

export const results = ["norm-axes"];

const WORDS = { 1: "all channels of a sample", 2: "three channels", 3: "two channels", 6: "one channel" };
const ALSO = { 1: " (layer norm)", 6: " (instance norm)" };

export function draw({ drawing, width, results }) {
  const { shape, output, groups } = results["norm-axes"];
  return cubes({
    drawing,
    width,
    title: "The cells that share one mean with 1, 2, 3 and 6 groups",
    shape,
    output,
    panels: Object.entries(groups).map(([count, cells]) => ({
      name: `${count} group${count === "1" ? "" : "s"}${ALSO[count] ?? ""}`,
      words: WORDS[count],
      cells,
    })),
    columns: width > 500 ? 2 : 1,
    cell: 11,
  });
}
