import { heat } from "./kit/heat.mjs";

export const title = "Weights of the decoder's cross-attention while it writes eight letters in reverse";
export const results = ["ch09"];

export function draw({ drawing, width, results: { ch09 } }) {
  const weights = ch09.numbers.picture.weights.map((row) => row.map((w) => (w < 0.005 ? 0 : w)));
  const row_names = weights.map((_, t) => String(t + 1)), column_names = [...row_names, "end"].map((name) => [name]);
  const left = 32, size = Math.min(46, (width - left - 8) / column_names.length);
  const d = drawing(Math.min(width, left + size * column_names.length + 8), size * weights.length + 76, title);
  return heat(d, left, 34, weights, { size, limits: [0.005, 1], row_names, column_names, label: "weight" });
}
