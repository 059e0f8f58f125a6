// Who reads which block, from docs/examples/block-depth.cpp.
import { heat } from "./kit/heat.mjs";

export const title = "How much queries, keys, values and the stream of each block take of what the embedding and the blocks below gave";
export const results = ["block-depth"];

export function draw({ drawing, width, results: { "block-depth": { ways } } }) {
  const columns = ways.at(-1).length, size = Math.min(46, (width - 116) / columns);
  const rows = ways.map((row) => Array.from({ length: columns }, (_, j) => (j < row.length ? row[j] : null)));
  const d = drawing(Math.min(width, 108 + size * columns + 8), size * rows.length + 76, title);
  return heat(d, 108, 34, rows, {
    size,
    signed: true,
    limit: 1,
    row_names: ways.map((_, i) => (i + 1 < ways.length ? `${"qkvr"[i % 4]} of block ${Math.floor(i / 4) + 2}` : "at the end")),
    column_names: Array.from({ length: columns }, (_, j) => [j === 0 ? "emb." : `b${j}`]),
    label: "weight",
  });
}
