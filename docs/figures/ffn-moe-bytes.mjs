// Which of four experts takes which kind of byte, before training, early and at its end: shares in percent.
import { heat } from "./kit/heat.mjs";

export const title = "Share of each kind of byte that each of four experts takes";
export const results = ["ch03"];

const TIMES = [["start", "before the first step"], ["early", "after a tenth"], ["end", "at the end"]];

export function draw({ drawing, width, results: { ch03: { numbers: { experts } } } }) {
  const names = experts.kinds, narrow = width < 500, left = 96, top = 44, gap = 34;
  const size = narrow ? 40 : Math.min(46, (width - left - 2 * gap - 8) / 12);
  const height = size * names.length + 30;
  const d = drawing(width, narrow ? top + TIMES.length * (height + gap) + 10 : top + height + 16, title);
  TIMES.forEach(([key, words], k) => {
    const rows = experts.share[key].map((row) => row.map((share) => Math.round(100 * share)));
    const x = narrow ? left : left + k * (4 * size + gap), y = narrow ? top + k * (height + gap) : top;
    d.text(x, y - 26, words, { anchor: "start", size: 13 });
    const column_names = [1, 2, 3, 4].map((e) => [String(e)]);
    const row_names = narrow || k === 0 ? names : [];
    heat(d, x, y, rows, { size, limits: [1, 100], row_names, column_names, label: "%" });
  });
  return d;
}
