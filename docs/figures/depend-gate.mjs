// A gated unit: the same input goes through the gate and through the value.
import { circles, column, numbered, way } from "./kit/depend.mjs";

export const title = "Each input reaches the output through the gate and through the value";
const CHOSEN = 1;
const BOX = { width: 52, height: 36 };

export function draw({ drawing, width }) {
  const d = drawing(width, 230, title);
  const at = (share) => (width > 500 ? 110 : 32) + share * (width - (width > 500 ? 220 : 64));
  const x = column(at(0), numbered("x", 3), { top: 40, step: 60 });
  const [gate, value] = [48, 152].map((y) => ({ x: at(0.37), y }));
  const bent = { x: at(0.64), y: 48, name: "f" };
  const product = { x: at(0.78), y: 100, name: "\\odot" };
  const y = { x: at(1), y: 100, name: "y" };
  const to_box = (from, box, options) => way(d, from, { x: box.x - BOX.width / 2 + 14, y: box.y }, options);
  for (const box of [gate, value]) x.forEach((from, k) => k !== CHOSEN && to_box(from, box));
  for (const box of [gate, value]) to_box(x[CHOSEN], box, { chosen: true });
  d.arrow(gate.x + BOX.width / 2, gate.y, bent.x, bent.y, { role: "value", width: 2, to: 20, head: 9 });
  d.arrow(value.x + BOX.width / 2, value.y, product.x, product.y, { role: "value", width: 2, to: 20, head: 9 });
  way(d, bent, product, { chosen: true });
  way(d, product, y, { chosen: true });
  circles(d, x, { term: "x", chosen: CHOSEN });
  circles(d, [bent, product], {});
  circles(d, [y], { term: "y" });
  for (const [box, words, term] of [
    [gate, "$xW$", "W"],
    [value, "$xV$", "V"],
  ])
    d.box(box.x - BOX.width / 2, box.y - BOX.height / 2, BOX.width, BOX.height, { role: "parameter", text: words, term });
  return d.text(width / 2, 212, "$x_2$ reaches $y$ on two paths, which add", { role: "soft", size: 14 });
}
