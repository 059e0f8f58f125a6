// An op on each number by itself.
import { circles, column, columns_of, numbered, way } from "./kit/depend.mjs";

export const title = "Each input reaches its own output and no other";
const CHOSEN = 1;

export function draw({ drawing, width }) {
  const [left, , right] = columns_of(width);
  const d = drawing(width, 240, title);
  const [x, y] = [column(left, numbered("x")), column(right, numbered("y"))];
  x.forEach((from, k) => way(d, from, y[k], { chosen: k === CHOSEN }));
  x.forEach((from, k) => d.text((left + right) / 2, from.y, "$f$", { halo: true, role: k === CHOSEN ? "value" : "soft" }));
  circles(d, x, { term: "x", chosen: CHOSEN });
  circles(d, y, { term: "y" });
  return d.text(width / 2, 222, "$x_2$ reaches $y_2$ only: one factor, no sum", { role: "soft", size: 14 });
}
