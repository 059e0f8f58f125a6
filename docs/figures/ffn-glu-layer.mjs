// The gated layer from left to right: two linear views of x, a product, and the way back to the old width.
export const title = "The GLU feed-forward layer";

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const d = drawing(width, 220, title);
  const [value, gate, middle] = [62, 148, 105];
  const at = narrow
    ? { x: 22, w: 84, f: 158, product: 226, back: 282, y: 340 }
    : { x: 70, w: 210, f: 340, product: 450, back: 550, y: 650 };
  const box = narrow ? 52 : 92;
  const look = { role: "value", width: 2 };
  const right = (from, to, y) => d.arrow(from, y, to, y, look);
  d.arrow(at.x, middle, at.w - box / 2, value, { ...look, from: 20, to: 2 });
  d.arrow(at.x, middle, at.w - box / 2, gate, { ...look, from: 20, to: 2 });
  right(at.w + box / 2, at.f - box / 2 - 1, gate);
  d.arrow(at.f + box / 2, gate, at.product, middle, { ...look, to: 18 });
  d.arrow(at.w + box / 2, value, at.product, middle, { ...look, to: 18 });
  right(at.product + 16, at.back - (narrow ? 21 : 28), middle);
  right(at.back + (narrow ? 20 : 27), at.y - 18, middle);
  const map = (x, y, w, text, term) => d.box(x - w / 2, y - 18, w, 36, { role: "parameter", text, size: narrow ? 13 : 16, term });
  map(at.w, value, box, "$W_3$", "W_3");
  map(at.w, gate, box, narrow ? "$W_1$, $b_1$" : "$W_1 x + b_1$", "W_1");
  d.box(at.f - box / 2, gate - 18, box, 36, { role: "constant", text: "sigmoid", size: narrow ? 12 : 15 });
  d.circle(at.product, middle, 16, { role: "value", width: 2, text: "⊙", size: 20 });
  map(at.back, middle, narrow ? 40 : 54, "$W_2$", "W_2");
  d.circle(at.x, middle, 18, { role: "value", width: 2, text: "$x$", term: "x" });
  d.circle(at.y, middle, 17, { role: "constant", text: "$y$", term: "y" });
  const size = narrow ? 12 : 14;
  const note = (x, y, text, anchor) => d.text(x, y, text, { role: "soft", size, anchor });
  note(at.w, value - 32, narrow ? "the value $u$" : "the value $u$: what is said", "middle");
  note(narrow ? at.w - 40 : at.w - box / 2, gate + 34, narrow ? "the gate: how much of it" : "the gate: how much of it, from 0 to 1",
    "start");
  return note(width / 2, 208, "$d$ → $d_{ff}$ → $d$, token by token", "middle");
}
