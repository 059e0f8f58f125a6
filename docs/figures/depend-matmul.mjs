// A matrix product: a number of x reaches a row of y, a number of W reaches a column.
export const title = "y = xW: one number of x reaches one row of y, one number of W reaches one column";
const SIZE = 40;
const GAP = 26;
const [ROWS, INNER, COLUMNS] = [[1, 2], [1, 2, 3], [1, 2, 3]];
const [S, K, J] = [1, 2, 0]; // the chosen row, inner index and column, counted from 0

const cells = (letter, rows, columns) => rows.map((s) => columns.map((j) => `$${letter}_{${s}${j}}$`));

export function draw({ drawing, width }) {
  const d = drawing(width, 300, title);
  const left = (width - (INNER.length + COLUMNS.length) * SIZE - GAP) / 2;
  const x = { x: left, y: 16 + INNER.length * SIZE + GAP };
  const y = { x: left + INNER.length * SIZE + GAP, y: x.y };
  const look = { size: SIZE, stroke: "constant" };
  d.cells(y.x, 16, cells("W", INNER, COLUMNS), { ...look, term: "W" });
  d.cells(x.x, x.y, cells("x", ROWS, INNER), { ...look, term: "x", role: (v, s, k) => (s === S && k === K ? "m1" : "paper") });
  d.cells(y.x, y.y, cells("y", ROWS, COLUMNS), { ...look, term: "y", role: (v, s) => (s === S ? "m1" : "paper") });
  const frame = { fill: "none", role: "parameter", width: 3, radius: 4 };
  d.box(y.x + J * SIZE, 16 + K * SIZE, SIZE, SIZE, frame);
  d.box(y.x + J * SIZE, y.y, SIZE, ROWS.length * SIZE, frame);
  d.arrow(y.x + (J + 0.5) * SIZE, 16 + (K + 1) * SIZE + 2, y.x + (J + 0.5) * SIZE, y.y - 2, { role: "parameter", width: 2 });
  const across = y.y + (S + 0.5) * SIZE;
  d.arrow(x.x + INNER.length * SIZE + 2, across, y.x - 2, across, { role: "value", width: 2 });
  d.text(width / 2, 258, "$x_{23}$ reaches row 2 of $y$ (filled)", { role: "value", size: 14 });
  return d.text(width / 2, 280, "$W_{31}$ reaches column 1 of $y$ (framed)", { role: "parameter", size: 14 });
}
