export const title = "The graph of y = (a + b) + ab + (a + b)·ab, with values, gradients and visits";
export const results = ["inside-graph"];

// Where a tensor stands: how many ops lie below it, and on which side.
const PLACES = { a: [0, 0], b: [0, 1], s: [1, 0], p: [1, 1], u: [2, 0], v: [2, 1], y: [3, 0.5] };

export function draw({ drawing, width, results }) {
  const { tensors, visits } = results["inside-graph"].sum_and_product;
  const narrow = width < 500;
  const [w, h] = narrow ? [116, 56] : [120, 60];
  const d = drawing(width, narrow ? 490 : 250, title);
  const at = ([stage, side]) => (narrow ? [68 + side * 222, 40 + stage * 128] : [70 + stage * 190, 60 + side * 140]);
  const named = new Map(tensors.map((one) => [one.id, one]));
  const place = (id) => at(PLACES[named.get(id).name]);

  for (const { id, inputs } of tensors) {
    for (const input of inputs) {
      const [x1, y1] = place(input),
        [x2, y2] = place(id);
      const gap = narrow ? h / 2 + 3 : w / 2 + 3;
      const [from, to] = narrow
        ? [
          [x1, y1 + gap],
          [x2, y2 - gap],
        ]
        : [
          [x1 + gap, y1],
          [x2 - gap, y2],
        ];
      d.arrow(...from, ...to);
    }
  }
  for (const { id, deliveries } of visits) {
    for (const { to, contribution } of deliveries) {
      const [x1, y1] = place(to),
        [x2, y2] = place(id);
      const gap = narrow ? h / 2 + 3 : w / 2 + 3;
      const [from, end] = narrow
        ? [
          [x1, y1 + gap],
          [x2, y2 - gap],
        ]
        : [
          [x1 + gap, y1],
          [x2 - gap, y2],
        ];
      const part = 0.32;
      const [x, y] = [from[0] + part * (end[0] - from[0]), from[1] + part * (end[1] - from[1])];
      d.box(x - 11, y - 9, 22, 18, { role: "paper", text: String(contribution), text_role: "gradient", size: 14 });
    }
  }
  visits.forEach(({ id, gradient }, i) => {
    const { name, op, inputs, value } = named.get(id),
      [x, y] = place(id);
    const made = op === "" ? "" : ` = ${inputs.map((one) => named.get(one).name).join(op === "mul" ? " " : " + ")}`;
    d.box(x - w / 2, y - h / 2, w, h, { role: op === "" ? "parameter" : "constant" });
    d.text(x, y - 12, `$${name}${made}$`, { size: 16 });
    d.text(x - 8, y + 14, `→ ${value}`, { role: "value", anchor: "end", size: 15 });
    d.text(x + 8, y + 14, `← ${gradient}`, { role: "gradient", anchor: "start", size: 15 });
    d.circle(x + w / 2 - 4, y - h / 2 + 3, 11, { role: "soft", text: String(i + 1), size: 13 });
  });
  return d;
}
