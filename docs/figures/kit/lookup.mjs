// A lookup in two drawings: rows of a table copied out on the way forward, their gradients added back on the way back.
// table: its rows; ids: the rows that are read, one for each output; g: what arrives; names: of table, output, gradient and what
// arrives; of: what a row's number is called, as in "id 2"; missing: the number of a row that is not there, drawn dashed.
export function draw_lookup({ drawing, width }, { title, table, ids, g, names, of, words, missing }) {
  const narrow = width < 500;
  const size = 34;
  const half = narrow ? width : width / 2;
  const extra = missing === undefined ? 0 : size;
  const d = drawing(width, (narrow ? 440 : 220) + extra * (narrow ? 2 : 1), title);
  const gradient = table.map((row, v) => row.map((_, j) => g.reduce((sum, one, t) => sum + (ids[t] === v ? one[j] : 0), 0)));
  const panel = (left, top, { from, to, out, words, role, names }) => {
    const [a, b] = [left + (narrow ? 60 : 40), left + half - 130];
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
    if (extra) {
      const y = top + 24 + from.length * size;
      d.box(a + 1, y + 1, 2 * size - 2, size - 2, { role: "wrong", dash: true, radius: 2, text: "none", text_role: "wrong", size: 13 });
      d.text(a - 14, y + size / 2, String(missing), { size: 13, role: "wrong" });
    }
    ids.forEach((id, t) =>
      d.text(b + 2 * size + 6, top + 41 + (t + 0.5) * size, `${of} ${id}`, { size: 13, role: "soft", anchor: "start" })
    );
    d.text(left + half / 2, top + 190 + extra, words, { size: 14, role: "soft" });
  };
  const y = ids.map((id) => table[id]);
  panel(0, 12, { from: table, to: y, out: true, words: words[0], role: "value", names: names.slice(0, 2) });
  panel(narrow ? 0 : half, narrow ? 232 + extra : 12, {
    from: gradient,
    to: g,
    words: words[1],
    role: "gradient",
    names: names.slice(2),
  });
  return d;
}
