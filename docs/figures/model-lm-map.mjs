// The parts of the language model, from ids to scores, with the shape between each two and what each has to train.
export const title = "The parts of a language model, with shapes and parameters";

const PARTS = [
  ["embedding", "32,768", "[B, T] ids", "parameter"],
  ["block 1", "213,248", "[B, T, 128]", "value"],
  ["block 2", "213,248", "[B, T, 128]", "value"],
  ["block 3", "213,248", "[B, T, 128]", "value"],
  ["block 4", "213,248", "[B, T, 128]", "value"],
  ["final norm", "128", "[B, T, 128]", "constant"],
  ["head", "the embedding’s", "[B, T, 128]", "parameter"],
];

export function draw({ drawing, width }) {
  const step = 58;
  const top = 34;
  const wide = width > 500;
  const box = { w: wide ? 190 : 130, h: 30 };
  const x = wide ? width / 2 - box.w / 2 : 96;
  const d = drawing(width, top + PARTS.length * step + 40, title);
  const centre = x + box.w / 2;
  const y_of = (k) => top + 6 + k * step;
  PARTS.forEach(([, , shape], k) => {
    d.arrow(centre, y_of(k) - (k ? step - box.h : 20), centre, y_of(k) - 3, { role: "value", width: 2 });
    d.text(centre - 12, y_of(k) - 14, shape, { size: 13, role: "soft", anchor: "end" });
  });
  const last = y_of(PARTS.length);
  d.arrow(centre, last - step + box.h, centre, last - 6, { role: "value", width: 2 });
  d.text(centre - 12, last - 16, "[B, T, 256] scores", { size: 13, role: "soft", anchor: "end" });
  PARTS.forEach(([name, count, , role], k) => {
    d.box(x, y_of(k), box.w, box.h, { role, text: name, size: 15 });
    d.text(x + box.w + 14, y_of(k) + box.h / 2, count, { size: 13, anchor: "start" });
  });
  return d;
}
