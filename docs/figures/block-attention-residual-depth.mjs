// Who reads which depth, from docs/examples/block-depth.cpp.
import { heat } from "./kit/heat.mjs";

export const title = "How much each sublayer's reader takes of the embedding and of the sublayers below";
export const results = ["block-depth"];

export function draw({ drawing, width, results: { "block-depth": { depth } } }) {
  const names = ["emb.", ...depth.map((_, l) => `${"af"[l % 2]}${Math.floor(l / 2) + 1}`)];
  const rows = depth.map((row) => names.map((_, j) => (j < row.length ? (row[j] < 0.005 ? 0 : row[j]) : null)));
  const left = 84, size = Math.min(46, (width - left - 8) / names.length);
  const d = drawing(Math.min(width, left + size * names.length + 8), size * rows.length + 76, title);
  return heat(d, left, 34, rows, {
    size,
    limits: [0.005, 1],
    row_names: depth.map((_, l) => (l + 1 < depth.length ? `into ${names[l + 2]}` : "at the end")),
    column_names: names.map((name) => [name]),
    label: "weight",
  });
}
