// Shaw's rows: which row each pair of a query and a key reads, and what comes back to a row: the sum over its pairs.
export const title = "Each pair of a query and a key reads the row of its clipped distance";
const REACH = 2;
const LENGTH = 7;
const COLOURS = ["m2", "m1", "paper", "p1", "p2"];
const clipped = (i, j) => Math.max(-REACH, Math.min(REACH, j - i));
const minus = (r) => (r < 0 ? `−${-r}` : `${r}`);

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const size = narrow ? 30 : 34;
  const d = drawing(width, narrow ? 380 : 290, title);
  const left = narrow ? 44 : 90;
  const top = 34;
  const places = Array.from({ length: LENGTH }, (_, i) => i);
  const grid = places.map((i) => places.map((j) => clipped(i, j)));
  d.cells(left, top, grid, { size, role: (r) => COLOURS[r + REACH], words: minus, font: 13 });
  for (const t of places) {
    d.text(left + (t + 0.5) * size, top - 11, `$${t + 1}$`, { role: "soft", size: 13 });
    d.text(left - 12, top + (t + 0.5) * size, `$${t + 1}$`, { role: "soft", size: 13 });
  }
  d.text(left + (LENGTH * size) / 2, 8, "keys", { role: "soft", size: 13 });
  d.text(left - (narrow ? 30 : 44), top + (LENGTH * size) / 2, narrow ? "q" : "queries", { role: "soft", size: 13 });
  const counts = COLOURS.map((_, r) => grid.flat().filter((value) => value === r - REACH).length);
  COLOURS.forEach((fill, r) => {
    const x = narrow ? left - 30 + r * 64 : 420;
    const y = narrow ? top + LENGTH * size + 22 : top + 8 + r * 46;
    d.box(x, y, 54, 30, { fill, role: "line", radius: 3, width: 1, text: `$a_{${minus(r - REACH)}}$` });
    const words = narrow ? `${counts[r]} pairs` : `row of the distance ${minus(r - REACH)}: ${counts[r]} pairs`;
    if (narrow) d.text(x + 27, y + 44, words, { role: "soft", size: 12 });
    else d.text(x + 68, y + 15, words, { role: "ink", size: 14, anchor: "start" });
  });
  return d;
}
