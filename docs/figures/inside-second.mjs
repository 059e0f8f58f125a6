export const title = "The tape of the tape of y = x³ at x = 2";
export const results = ["inside-graph"];

export function draw({ drawing, width, results }) {
  const { tensors, visits } = results["inside-graph"].cube;
  const narrow = width < 500;
  const d = drawing(width, narrow ? 400 : 370, title);
  const value = (id) => tensors.find((one) => one.id === id).value;
  const named = (name) => tensors.find((one) => one.name === name);
  const [to_q, to_x] = visits[0].deliveries,
    [first, second] = visits[1].deliveries;
  const whole = visits.at(-1).gradient;

  const [w, h] = narrow ? [68, 34] : [118, 38];
  const columns = narrow ? [40, 132, 224, 316] : [70, 268, 466, 640];
  const box = (column, y, words, role) => ({ x: columns[column], y, words, role });
  const x = box(0, 66, `$x$ = ${named("x").value}`, "parameter");
  const q = box(1, 66, `$q$ = ${named("q").value}`, "value");
  const y = box(2, 66, `$y$ = ${named("y").value}`, "value");
  const down = narrow ? 24 : 14;
  const seed = box(3, 150 + down, `seed ${visits[0].gradient}`, "gradient");
  const for_x = box(2, 150 + down, `$1·q$ = ${value(to_x.made_by)}`, "gradient");
  const for_q = box(2, 282 + down, `$1·x$ = ${value(to_q.made_by)}`, "gradient");
  const one = box(1, 244 + down, `$2·x$ = ${value(first.made_by)}`, "gradient");
  const other = box(1, 314 + down, `$2·x$ = ${value(second.made_by)}`, "gradient");
  const sum = box(0, 200 + down, `sum ${whole}`, "gradient");

  const sideways = (from, to, options = {}) => {
    const right = to.x > from.x ? 1 : -1;
    d.arrow(from.x + right * (w / 2 + 2), from.y, to.x - right * (w / 2 + 2), to.y, options);
  };
  const reads = (from, to) => d.path(`M${from.x} ${from.y + h / 2}L${to.x} ${to.y - h / 2}`, { role: "value", dash: "3 4", width: 1.3 });
  (reads(x, one), reads(x, other), reads(x, for_q), reads(q, for_x));
  (sideways(x, q), sideways(q, y));
  d.arrow(x.x, x.y - h / 2 + 2, y.x, y.y - h / 2 + 2, { bend: -16, from: 4, to: 4 });
  const backward = { role: "gradient" };
  (sideways(seed, for_x, backward), sideways(seed, for_q, backward));
  (sideways(for_q, one, backward), sideways(for_q, other, backward));
  (sideways(one, sum, backward), sideways(other, sum, backward), sideways(for_x, sum, backward));
  for (const { x: cx, y: cy, words, role } of [x, q, y, seed, for_x, for_q, one, other, sum]) {
    d.box(cx - w / 2, cy - h / 2, w, h, { role, text: words, size: narrow ? 13 : 15 });
  }
  d.text(sum.x, sum.y + h / 2 + 16, "$dy/dx$", { size: 15 });
  d.text(for_q.x, for_q.y + h / 2 + 16, "$dy/dq$", { size: 15 });
  d.text(width - 8, 20, "the forward tape", { anchor: "end", size: 13, role: "soft" });
  d.text(width - 8, seed.y - h / 2 - 16, "the walk back", { anchor: "end", size: 13, role: "soft" });
  return d;
}
