// DeepNorm: the two paths of an input into z, and the norm after them.
import { circles, way } from "./kit/depend.mjs";

export const title = "Each input reaches z along the stream, times α, and through f";
const BOX = { width: 52, height: 36 };

export function draw({ drawing, width }) {
  const d = drawing(width, 190, title);
  const at = (share) => (width > 500 ? 110 : 26) + share * (width - (width > 500 ? 220 : 52));
  const [x, z, y] = [
    [0, "x"],
    [0.52, "z"],
    [1, "y"],
  ].map(([share, name]) => ({ x: at(share), y: 78, name }));
  const alpha = { x: at(0.26), y: 36 };
  const f = { x: at(0.26), y: 120 };
  const norm = { x: at(0.76), y: 78 };
  const look = { role: "value", width: 2, head: 9 };
  for (const box of [alpha, f]) {
    d.arrow(x.x, x.y, box.x - BOX.width / 2, box.y, { ...look, from: 19, to: 3 });
    d.arrow(box.x + BOX.width / 2, box.y, z.x, z.y, { ...look, to: 20 });
  }
  d.arrow(z.x, z.y, norm.x - BOX.width / 2, norm.y, { ...look, from: 19, to: 3 });
  d.arrow(norm.x + BOX.width / 2, norm.y, y.x, y.y, { ...look, to: 20 });
  circles(d, [x], { term: "x", chosen: 0 });
  circles(d, [z], { term: "z" });
  circles(d, [y], { term: "y" });
  for (const [box, words, term, role] of [
    [alpha, "$\\alpha \\cdot$", "\\alpha", "constant"],
    [f, "$f$", "f", "parameter"],
    [norm, "LN", undefined, "constant"],
  ])
    d.box(box.x - BOX.width / 2, box.y - BOX.height / 2, BOX.width, BOX.height, { role, text: words, term });
  return d.text(width / 2, 172, "two paths from $x$ to $z$, which add", { role: "soft", size: 14 });
}
