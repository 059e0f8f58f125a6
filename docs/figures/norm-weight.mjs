// Weight norm on the numbers of the page: v = (3, 4), dL/dw = (1, 2), dL/dv = (−0.64, 0.48).
export const title = "The gradient of v stands at a right angle to v, so that each step makes v longer";
export const narrow = false;

export function draw({ drawing, width }) {
  const d = drawing(width, 298, title);
  const unit = 42;
  const [ox, oy] = [72, 250];
  const at = (x, y) => [ox + unit * x, oy - unit * y];
  const [v, dw, dv] = [
    [3, 4],
    [1, 2],
    [-0.64, 0.48],
  ];
  const arc = Array.from({ length: 31 }, (_, k) => at(...[Math.cos, Math.sin].map((f) => 5 * f(0.6 + (0.9 * k) / 30))));
  d.path(`M${arc.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`, { role: "constant", dash: true, width: 1 });
  const arrow = (from, to, options) => d.arrow(...at(...from), ...at(...to), { width: 2.2, head: 10, ...options });
  const stepped = [v[0] - 2 * dv[0], v[1] - 2 * dv[1]];
  arrow([0, 0], stepped, { role: "constant", dash: true });
  arrow([0, 0], v, { role: "parameter", term: "v" });
  arrow([0, 0], dw, { role: "gradient" });
  arrow(v, [v[0] + 2 * dv[0], v[1] + 2 * dv[1]], { role: "gradient" });
  arrow(v, stepped, { role: "constant" });
  const [cx, cy] = at(...v);
  const along = [0.6 * 10, -0.8 * 10];
  d.path(`M${cx - along[0]} ${cy - along[1]}l-8 -6l${along[0]} ${along[1]}`, { role: "ink", width: 1.2 });
  d.text(...at(1.62, 2.6), "$v$", { role: "parameter", anchor: "start", size: 17, halo: true });
  d.text(...at(0.5, 1.75), "$dL/dw$", { role: "gradient", anchor: "end", size: 15, halo: true });
  d.text(...at(1.75, 5.25), "$dL/dv$", { role: "gradient", anchor: "end", size: 15, halo: true });
  d.text(...at(4.4, 2.7), "a step", { role: "soft", anchor: "start", size: 14, halo: true });
  d.text(...at(3.2, 1.9), "$v$ after it: longer", { role: "soft", anchor: "start", size: 14, halo: true });
  return d.text(...at(2.1, -0.5), "dashed arc: all $v$ of length 5", { role: "soft", size: 13 });
}
