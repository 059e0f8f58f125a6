// The hand example of model-embedding: rows copied out on the way forward, added back on the way back.
export const title = "A lookup copies rows; its gradient adds them back";

const table = [
  [1, 2],
  [3, 4],
  [5, 6],
  [7, 8],
];
const ids = [2, 0, 2];
const g = [
  [1, 0],
  [2, -1],
  [3, 1],
];
const gradient = table.map((row, v) => row.map((_, j) => g.reduce((sum, one, t) => sum + (ids[t] === v ? one[j] : 0), 0)));

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const size = 34;
  const half = narrow ? width : width / 2;
  const d = drawing(width, narrow ? 440 : 220, title);
  const panel = (left, top, { from, to, out, words, role, names }) => {
    const [a, b] = [left + (narrow ? 60 : 40), left + half - (narrow ? 130 : 110)];
    d.text(a + size, top + 8, names[0], { size: 15, role });
    d.text(b + size, top + 8, names[1], { size: 15, role });
    ids.forEach((id, t) => {
      const [y_row, y_out] = [top + 24 + (id + 0.5) * size, top + 41 + (t + 0.5) * size];
      const look = { role, width: 2 };
      if (out) d.arrow(a + 2 * size + 2, y_row, b - 4, y_out, look);
      else d.arrow(b - 2, y_out, a + 2 * size + 4, y_row, look);
    });
    d.cells(a, top + 24, from, { size, stroke: role, role: (_, v) => (ids.includes(v) ? "paper" : "hidden") });
    d.cells(b, top + 41, to, { size, stroke: role });
    from.forEach((_, v) => d.text(a - 14, top + 24 + (v + 0.5) * size, String(v), { size: 13, role: "soft" }));
    ids.forEach((id, t) => d.text(b + 2 * size + 16, top + 41 + (t + 0.5) * size, `id ${id}`, { size: 13, role: "soft" }));
    d.text(left + half / 2, top + 190, words, { size: 14, role: "soft" });
  };
  const y = ids.map((id) => table[id]);
  panel(0, 12, { from: table, to: y, out: true, words: "forward: rows are copied", role: "value", names: ["$E$", "$y$"] });
  panel(narrow ? 0 : half, narrow ? 232 : 12, {
    from: gradient,
    to: g,
    words: "back: row 2 gets the sum of two",
    role: "gradient",
    names: ["$dL/dE$", "$g$"],
  });
  return d;
}
