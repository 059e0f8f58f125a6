export const title = "Stretched forward, summed backward";

const r = [10, 20, 30],
  c = [[2], [-1]];
const x = [
    [1, 2, 3],
    [4, 5, 6],
  ],
  g = [
    [1, 0, 2],
    [3, 1, -1],
  ];
const of_rule = g.map((row, i) => row.map((value, j) => value * x[i][j]));
const total = (row) => row.reduce((sum, value) => sum + value, 0);

export function draw({ drawing, width }) {
  const narrow = width < 500,
    size = 36,
    half = narrow ? width : width / 2;
  const d = drawing(width, narrow ? 600 : 306, title);

  const row = (left, top) => {
    d.text(left, top, "a row $r$ in $x + r$", { anchor: "start", size: 15, weight: 600 });
    d.cells(left, top + 24, [r], { size, text_role: "value", stroke: "value" });
    d.cells(left, top + 90, [r, r], { size, text_role: "value" });
    for (const j of [0, 1, 2])
      d.arrow(left + (j + 0.5) * size, top + 62, left + (j + 0.5) * size, top + 88, { role: "value" });
    d.text(left, top + 178, "stretched down", { anchor: "start", size: 13, role: "soft" });

    const back = left + 156;
    d.cells(back, top + 90, g, { size, text_role: "gradient" });
    for (const j of [0, 1, 2])
      d.arrow(back + (j + 0.5) * size, top + 164, back + (j + 0.5) * size, top + 196, { role: "gradient" });
    d.cells(back, top + 198, [g[0].map((_, j) => total(g.map((one) => one[j])))], {
      size,
      text_role: "gradient",
      stroke: "gradient",
    });
    d.text(back, top + 76, "$g$", { anchor: "start", size: 15 });
    d.text(back, top + 252, "$dL/dr$: summed down", { anchor: "start", size: 13, role: "soft" });
  };
  const column = (left, top) => {
    d.text(left, top, "a column $c$ in $x \\odot c$", { anchor: "start", size: 15, weight: 600 });
    d.cells(left, top + 24, c, { size, text_role: "value", stroke: "value" });
    d.cells(
      left + 70,
      top + 24,
      c.map(([v]) => [v, v, v]),
      { size, text_role: "value" },
    );
    for (const i of [0, 1])
      d.arrow(left + 38, top + 24 + (i + 0.5) * size, left + 68, top + 24 + (i + 0.5) * size, { role: "value" });
    d.text(left + 70, top + 112, "stretched across", { anchor: "start", size: 13, role: "soft" });

    d.cells(left + 70, top + 162, of_rule, { size, text_role: "gradient" });
    d.cells(
      left + 216,
      top + 162,
      of_rule.map((one) => [total(one)]),
      { size, text_role: "gradient", stroke: "gradient" },
    );
    for (const i of [0, 1]) {
      d.arrow(left + 180, top + 162 + (i + 0.5) * size, left + 214, top + 162 + (i + 0.5) * size, { role: "gradient" });
    }
    d.text(left + 70, top + 148, "$g \\odot x$", { anchor: "start", size: 15 });
    d.text(left + 70, top + 252, "$dL/dc$: summed across", { anchor: "start", size: 13, role: "soft" });
  };
  row(narrow ? 30 : 24, 22);
  column(narrow ? 30 : half + 50, narrow ? 322 : 22);
  return d;
}
