// Small multiples: each norm's cells are those on which one output depends, from the tape (docs/examples/norm-axes.cpp).
import { cubes } from "./kit/cubes.mjs";

export const results = ["norm-axes"];

const PANELS = [
  ["batch", "batch norm, training", "one channel, all samples"],
  ["eval", "batch norm, eval", "itself alone"],
  ["instance", "instance norm", "one channel, one sample"],
  ["group", "group norm, 3 groups", "two channels, one sample"],
  ["sample", "layer norm of (C, T)", "one sample"],
  ["token", "layer norm of C", "one token of one sample"],
  ["rms", "RMSNorm of C", "the same token, no mean"],
];

export function draw({ drawing, width, results }) {
  const { shape, output, groups, ...norms } = results["norm-axes"];
  const cells = (id) => (id === "group" ? groups[3] : norms[id]);
  return cubes({
    drawing,
    width,
    title: "The cells that share one statistic, for seven norms",
    shape,
    output,
    panels: PANELS.map(([id, name, words]) => ({ name, words, cells: cells(id) })),
    columns: width > 500 ? 3 : 1,
    cell: width > 500 ? 8 : 11,
  });
}
