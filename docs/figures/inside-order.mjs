export const title = "Visits without an order and in order";
export const results = ["inside-graph"];

export function draw({ drawing, width, results }) {
  const { tensors, visits, wrong } = results["inside-graph"].sum_and_product;
  const narrow = width < 500;
  const newest_first = [...tensors].reverse();
  const step = narrow ? 21 : 28,
    lane = narrow ? 30 : 34,
    r = narrow ? 10 : 12;
  const panel_height = lane * tensors.length + 64;
  const d = drawing(width, narrow ? 2 * panel_height + 16 : panel_height + 10, title);

  const panel = (left, top, heading, walk, result) => {
    const x = (i) => left + 34 + i * step;
    const y = (id) => top + 48 + lane * newest_first.findIndex((one) => one.id === id);
    d.text(left, top + 12, heading, { anchor: "start", size: narrow ? 13 : 15, weight: 600 });
    for (const { id, name } of newest_first) {
      d.line(left + 18, y(id), x(walk.length - 1) + 14, y(id), { role: "line", width: 1 });
      d.text(left + 4, y(id), `$${name}$`, { size: 16 });
    }
    walk.forEach(({ id }, i) => {
      if (i > 0) d.line(x(i - 1), y(walk[i - 1].id), x(i), y(id), { role: "soft", width: 1.2 });
    });
    const seen = new Set();
    walk.forEach(({ id, gradient }, i) => {
      const again = seen.has(id);
      seen.add(id);
      const role = again ? "wrong" : "gradient";
      d.circle(x(i), y(id), r, {
        role,
        text: String(gradient),
        text_role: role,
        size: narrow ? 12 : 13,
        dash: again && "3 2",
      });
    });
    const last = walk.findLast(({ id }) => id === tensors[0].id).gradient;
    d.text(left + 18, top + panel_height - 18, `$dy/da$ = ${last}`, { role: result, anchor: "start", size: 15 });
    if (seen.size < walk.length) {
      d.text(x(walk.length - 1) + 14, top + panel_height - 18, "dashed: visited again", {
        role: "wrong",
        anchor: "end",
        size: 13,
      });
    }
  };
  const recursion = wrong.map(({ to, after }) => ({ id: to, gradient: after }));
  panel(6, 4, `Recursion: ${recursion.length} visits`, recursion, "wrong");
  const engine = visits.map(({ id, gradient }) => ({ id, gradient }));
  const [left, top] = narrow ? [6, panel_height + 16] : [width - 56 - 7 * step, 4];
  panel(left, top, `Engine: ${engine.length} visits`, engine, "right");
  return d;
}
