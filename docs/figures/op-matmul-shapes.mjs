// The three products of a matrix product: forward, and the two gradients, drawn to their shapes with the hand example's numbers.
export const title = "One product forward, two back";

const a = [
  [1, 2, 0],
  [0, -1, 3],
];
const b = [
  [1, 0, 2, 1],
  [0, 1, 1, -1],
  [2, 1, 0, 0],
];
const g = [
  [1, 0, -1, 2],
  [0, 1, 0, 1],
];
const turned = (m) => m[0].map((_, j) => m.map((row) => row[j]));
const times = (m, n) => m.map((row) => turned(n).map((column) => row.reduce((sum, x, k) => sum + x * column[k], 0)));

const products = [
  { left: [a, "$a$", "value"], right: [b, "$b$", "value"], result: ["$y = a b$", "value"] },
  { left: [g, "$g$", "gradient"], right: [turned(b), "$b^T$", "value"], result: ["$dL/da = g b^T$", "gradient"] },
  { left: [turned(a), "$a^T$", "value"], right: [g, "$g$", "gradient"], result: ["$dL/db = a^T g$", "gradient"] },
];

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const size = narrow ? 24 : 34;
  const font = narrow ? 12 : 14;
  const gap = narrow ? 22 : 46;
  const tall = Math.max(...products.map(({ left: [l], right: [r] }) => Math.max(l.length, r.length)));
  const row_height = tall * size + (narrow ? 36 : 44);
  const d = drawing(width, products.length * row_height - 24, title);
  products.forEach(({ left: [l, l_name, l_role], right: [r, r_name, r_role], result: [name, role] }, k) => {
    const parts = [
      [l, l_name, l_role],
      [r, r_name, r_role],
      [times(l, r), name, role],
    ];
    const across = parts.reduce((sum, [m]) => sum + m[0].length * size, 0) + 2 * gap;
    let x = (width - across) / 2;
    const top = k * row_height + 22;
    parts.forEach(([m, words, own], i) => {
      const y = top + ((tall - m.length) * size) / 2;
      d.text(x + (m[0].length * size) / 2, y - 11, words, { size: narrow ? 13 : 15, role: own });
      d.cells(x, y, m, { size, font, stroke: own });
      x += m[0].length * size;
      if (i < 2) d.text(x + gap / 2, top + (tall * size) / 2, i === 0 ? "·" : "=", { size: 20, role: "soft" });
      x += gap;
    });
  });
  return d;
}
