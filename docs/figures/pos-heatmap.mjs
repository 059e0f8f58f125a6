// The sinusoidal table in its two layouts: a column of colours for each column of the table, runs of one colour as one
// stroke (docs/examples/pos-sinusoidal-pictures.cpp).
export const results = ["pos-sinusoidal-pictures"];

const COLOURS = { a: "m3", b: "m2", c: "m1", d: "z0", e: "p1", f: "p2", g: "p3" };
const PANELS = [
  ["interleaved", "sines and cosines in turn"],
  ["concatenated", "all sines, then all cosines"],
];

// Strokes downwards of one letter: [x, from, length].
function runs(columns, letter) {
  return columns.flatMap((column, x) =>
    [...column.matchAll(new RegExp(`${letter}+`, "g"))].map((run) => [x, run.index, run[0].length]),
  );
}

export function draw({ drawing, width, results }) {
  const beside = width > 500;
  const [left, gap, top] = [44, 22, 46];
  const w = beside ? Math.floor((width - left - gap - 16) / 2) : width - left - 16;
  const h = beside ? 220 : 180;
  const panel_height = h + 68;
  const d = drawing(
    width,
    (beside ? panel_height : 2 * panel_height) + 34,
    "The sinusoidal table as colours, in both layouts",
  );
  PANELS.forEach(([id, words], k) => {
    const columns = results["pos-sinusoidal-pictures"][id];
    const [x0, y0] = beside ? [left + k * (w + gap), top] : [left, top + k * panel_height];
    const [dx, dy] = [w / columns.length, h / columns[0].length];
    const n = (v) => String(Math.round(v * 10) / 10);
    d.text(x0 + w / 2, y0 - 28, words, { size: 14, weight: 600 });
    for (const [letter, name] of Object.entries(COLOURS)) {
      const strokes = runs(columns, letter).map(
        ([x, t, long]) => `M${n(x0 + (x + 0.5) * dx)} ${n(y0 + t * dy)}v${n(long * dy)}`,
      );
      if (strokes.length) d.path(strokes.join(""), { role: name, width: dx + 0.25 });
    }
    for (const [share, name] of [
      [0, "0"],
      [0.5, "256"],
      [1, "511"],
    ])
      d.text(x0 + share * w, y0 + h + 12, name, { size: 12, role: "soft" });
    if (k === 0 || !beside) {
      d.text(x0 - 6, y0 + 5, "0", { size: 12, role: "soft", anchor: "end" });
      d.text(x0 - 6, y0 + h - 4, "99", { size: 12, role: "soft", anchor: "end" });
      d.text(x0 - 6, y0 - 10, "position", { size: 12, role: "soft", anchor: "start" });
    }
    if (k === 1 || beside) d.text(x0 + w / 2, y0 + h + 28, "column", { size: 12, role: "soft" });
  });
  const y = d.height - 22;
  const cell = beside ? 34 : 24;
  const x = width / 2 - 3.5 * cell;
  Object.values(COLOURS).forEach((name, k) =>
    d.box(x + k * cell, y, cell, 12, { radius: 0, width: 0, fill: name, role: name }),
  );
  d.text(x - 8, y + 6, "−1", { size: 12, role: "soft", anchor: "end" });
  return d.text(x + 7 * cell + 8, y + 6, "1", { size: 12, role: "soft", anchor: "start" });
}
