// The sinusoidal table in its two layouts: a column of colours for each column of the table, runs of one colour as one
// stroke (docs/examples/pos-sinusoidal-pictures.cpp).
export const results = ["pos-sinusoidal-pictures"];

const COLOURS = { a: "m3", b: "m2", c: "m1", d: "z0", e: "p1", f: "p2", g: "p3" };
const PANELS = [
  ["interleaved", "sines and cosines in turn"],
  ["concatenated", "all sines, then all cosines"],
];

// The strokes downwards of one letter as a path, each from where the one above it ends: long paths in few characters.
function strokes_of(columns, letter, x_of, top, dy) {
  const n = (v) => String(Math.round(v * 10) / 10);
  return columns
    .map((column, k) => {
      let end = 0;
      return [...column.matchAll(new RegExp(`${letter}+`, "g"))]
        .map(({ index, 0: run }, first) => {
          const move = first === 0 ? `M${n(x_of(k))} ${n(top + index * dy)}` : `m0 ${n((index - end) * dy)}`;
          end = index + run.length;
          return `${move}v${n(run.length * dy)}`;
        })
        .join("");
    })
    .join("");
}

export function draw({ drawing, width, results }) {
  const beside = width > 500;
  const [left, gap, top] = [beside ? 42 : 44, 22, 46];
  const w = beside ? Math.floor((width - left - gap - 16) / 2) : width - left - 16;
  const h = 200; // two pixels a position: whole numbers, so that no rounding adds up
  const panel_height = h + 68;
  const d = drawing(
    width,
    (beside ? panel_height : 2 * panel_height) + 46,
    "The sinusoidal table as colours, in both layouts",
  );
  PANELS.forEach(([id, words], k) => {
    const columns = results["pos-sinusoidal-pictures"][id];
    const [x0, y0] = beside ? [left + k * (w + gap), top] : [left, top + k * panel_height];
    const [dx, dy] = [w / columns.length, h / columns[0].length];
    d.text(x0 + w / 2, y0 - 28, words, { size: 14, weight: 600 });
    for (const [letter, name] of Object.entries(COLOURS)) {
      const strokes = strokes_of(columns, letter, (x) => x0 + (x + 0.5) * dx, y0, dy);
      if (strokes) d.path(strokes, { role: name, width: dx + 0.25 });
    }
    for (const [share, name, anchor] of [
      [0, "0", "start"],
      [0.5, "256", "middle"],
      [1, "511", "end"],
    ])
      d.text(x0 + share * w, y0 + h + 12, name, { size: 13, role: "soft", anchor });
    if (k === 0 || !beside) {
      d.text(x0 - 6, y0 + 5, "0", { size: 13, role: "soft", anchor: "end" });
      d.text(x0 - 6, y0 + h - 4, "99", { size: 13, role: "soft", anchor: "end" });
      d.text(x0 - 6, y0 - 11, "position", { size: 13, role: "soft", anchor: "start" });
    }
    if (k === 1 || beside) d.text(x0 + w / 2, y0 + h + 28, "column", { size: 13, role: "soft" });
  });
  const y = d.height - 22;
  const cell = beside ? 34 : 24;
  const x = width / 2 - 3.5 * cell;
  Object.values(COLOURS).forEach((name, k) => d.box(x + k * cell, y, cell, 12, { radius: 0, width: 0, fill: name, role: name }));
  d.text(x - 8, y + 6, "−1", { size: 13, role: "soft", anchor: "end" });
  return d.text(x + 7 * cell + 8, y + 6, "1", { size: 13, role: "soft", anchor: "start" });
}
