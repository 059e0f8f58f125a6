// Attention: one query reaches its own row of scores, weights and output; one key reaches its column, and from there all.
export const title = "A query reaches its own row, a key reaches every row";

const cells = (letter, rows, columns) =>
  Array.from({ length: rows }, (_, t) => Array.from({ length: columns }, (_, s) => `$${letter}_{${t + 1}${s + 1}}$`));

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const size = narrow ? 32 : 44;
  const gap = narrow ? 22 : 66;
  const d = drawing(width, 4 * size + 132, title);
  const across = 2 * size + 2 * 3 * size + 3 * gap;
  const left = (width - across) / 2;
  const [q, z, p, y] = [left, left + size + gap, left + 4 * size + 2 * gap, left + 7 * size + 3 * gap];
  const top = 24;
  const rows = top + size + 26;
  const look = { size, stroke: "constant", font: narrow ? 13 : 15 };
  const first = (value, t) => (t === 0 ? "m1" : "paper");
  d.cells(z, top, [["$k_1$", "$k_2$", "$k_3$"]], { ...look, term: "k" });
  d.cells(p, top, [["$v_1$", "$v_2$", "$v_3$"]], { ...look, term: "v" });
  d.cells(q, rows, [["$q_1$"], ["$q_2$"]], { ...look, role: first, term: "q" });
  d.cells(z, rows, cells("z", 2, 3), { ...look, role: first, term: "z" });
  d.cells(p, rows, cells("P", 2, 3), { ...look, role: first, term: "P" });
  d.cells(y, rows, [["$y_1$"], ["$y_2$"]], { ...look, role: first, term: "y" });
  const frame = { fill: "none", role: "parameter", width: 3, radius: 4 };
  d.box(z + size, top, size, size, frame);
  d.box(z + size, rows, size, 2 * size, frame);
  const key = z + 1.5 * size;
  d.arrow(key, top + size + 2, key, rows - 2, { role: "parameter", width: 2 });
  const value = p + 1.5 * size;
  d.box(p + size, top, size, size, { ...frame, role: "right" });
  d.box(p + size, rows, size, 2 * size, { ...frame, role: "right" });
  d.arrow(value, top + size + 2, value, rows - 2, { role: "right", width: 2 });
  const way = (from, to, line, role) => d.arrow(from, line, to, line, { role, width: 2 });
  const [one, two] = [rows + 0.5 * size, rows + 1.5 * size];
  way(q + size + 2, z - 2, one, "value");
  way(z + 3 * size + 2, p - 2, one, "value");
  way(z + 3 * size + 2, p - 2, two, "parameter");
  way(p + 3 * size + 2, y - 2, one, "value");
  way(p + 3 * size + 2, y - 2, two, "parameter");
  d.text((z + p + 3 * size) / 2, rows + 2 * size + 14, "softmax", { role: "soft", size: 13 });
  const below = rows + 2 * size + 40;
  const words = narrow
    ? [
      "$q_1$ reaches $y_1$ alone",
      "$k_2$ reaches every $y_t$, through the softmax",
      "$v_2$ reaches every $y_t$, by its weight",
    ]
    : [
      "$q_1$ reaches its own row, and $y_1$ alone",
      "$k_2$ reaches a column of scores; the softmax carries it through each row, to every $y_t$",
      "$v_2$ reaches every $y_t$, multiplied by its weight",
    ];
  ["value", "parameter", "right"].forEach((role, i) => d.text(width / 2, below + 22 * i, words[i], { role, size: 14 }));
  return d;
}
