// The doubly stochastic mixes of four blocks, from docs/examples/block-depth.cpp.
import { look } from "./kit/heat.mjs";

export const title = "Four doubly stochastic mixes, of the attention of blocks 1 to 4";
export const results = ["block-depth"];

export function draw({ drawing, width, results: { "block-depth": { mix } } }) {
  const columns = width > 500 ? 4 : 2, gap = 24, cell = Math.min(36, (width - gap * (columns + 1)) / columns / 4);
  const panel = { w: width / columns, h: 4 * cell + 60 };
  const d = drawing(width, (panel.h * mix.length) / columns + 4, title);
  mix.forEach((rows, k) => {
    const x = panel.w * (k % columns) + (panel.w - 4 * cell) / 2, y = Math.floor(k / columns) * panel.h + 36;
    d.text(x + 2 * cell, y - 18, `block ${k + 1}`, { size: 14 });
    rows.forEach((row, i) =>
      row.forEach((value, j) => {
        const { fill, ink } = look(value - 0.25, { signed: true, limit: 0.25 });
        d.box(x + j * cell + 0.5, y + i * cell + 0.5, cell - 1, cell - 1, { fill, width: 0, radius: 0 });
        d.text(x + (j + 0.5) * cell, y + (i + 0.5) * cell, value.toFixed(2), { size: 11, role: ink });
      })
    );
  });
  return d;
}
