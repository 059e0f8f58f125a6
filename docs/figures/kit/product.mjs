// A matrix product as three grids of cells: the left factor at the left, the right factor above, the product where they
// meet. One cell of each factor is picked out: it reaches a row of the product, or a column.
const SIZE = 40;
const GAP = 26;

// { left, right, result }: rows of cell names; row, inner, column: the chosen cells, counted from 0; words: two lines.
export function product(d, { left, right, result, terms, row, inner, column, words }) {
  const [inner_size, columns] = [right.length, right[0].length];
  const x = (d.width - (inner_size + columns) * SIZE - GAP) / 2;
  const [across, down] = [x + inner_size * SIZE + GAP, 16 + inner_size * SIZE + GAP];
  const look = { size: SIZE, stroke: "constant" };
  d.cells(across, 16, right, { ...look, term: terms.right });
  d.cells(x, down, left, { ...look, term: terms.left, role: (v, s, k) => (s === row && k === inner ? "m1" : "paper") });
  d.cells(across, down, result, { ...look, term: terms.result, role: (v, s) => (s === row ? "m1" : "paper") });
  const frame = { fill: "none", role: "parameter", width: 3, radius: 4 };
  const middle = across + (column + 0.5) * SIZE;
  d.box(across + column * SIZE, 16 + inner * SIZE, SIZE, SIZE, frame);
  d.box(across + column * SIZE, down, SIZE, result.length * SIZE, frame);
  d.arrow(middle, 16 + (inner + 1) * SIZE + 2, middle, down - 2, { role: "parameter", width: 2 });
  const height = down + (row + 0.5) * SIZE;
  d.arrow(x + inner_size * SIZE + 2, height, across - 2, height, { role: "value", width: 2 });
  const below = down + result.length * SIZE + 20;
  d.text(d.width / 2, below, words[0], { role: "value", size: 14 });
  return d.text(d.width / 2, below + 22, words[1], { role: "parameter", size: 14 });
}

// Names of cells: cells("a", 2, 3) is a_11 … a_23.
export const cells = (letter, rows, columns, index = (s, j) => `${s}${j}`) =>
  Array.from({ length: rows }, (_, s) => Array.from({ length: columns }, (_, j) => `$${letter}_{${index(s + 1, j + 1)}}$`));
