// Chapter 12: every norm with every placement, position encoding and feed-forward layer, in spreads of the baseline.
import { heat } from "./kit/heat.mjs";

export const title = "Loss of each combination, in spreads of the baseline's seeds";
export const results = ["ch12"];

const ROWS = ["rms", "layer", "center"].flatMap((norm) => ["pre", "post", "deep"].map((place) => `${norm}, ${place}`));
const COLUMNS = ["rope", "alibi", "none"].flatMap((position) => ["SwiGLU", "GELU", "ReLU"].map((ffn) => [position, ffn]));

const shown = (z) => (z === "nan" ? null : Math.abs(z) < 1 ? Math.round(z * 10) / 10 : z);

export function draw({ drawing, width, results: { ch12 } }) {
  const rows = ch12.numbers.matrix.in_spreads.map((row) => row.map(shown));
  const narrow = width < 500, left = narrow ? 84 : 96, top = narrow ? 12 : 50, size = Math.min(56, (width - left - 8) / COLUMNS.length);
  const d = drawing(narrow ? width : left + size * COLUMNS.length + 8, top + size * ROWS.length + 42, title);
  // The faintest step is up to a tenth of the limit.
  return heat(d, left, top, rows, { size, signed: true, limit: 20, row_names: ROWS, column_names: narrow ? [] : COLUMNS });
}
