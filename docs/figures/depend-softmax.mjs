// Softmax: each exponential reaches its own output and, through their sum, every output.
import { circles, column, columns_of, each_way, numbered, way } from "./kit/depend.mjs";

export const title = "Every score of a row reaches every probability, through the sum";
const CHOSEN = 1;

export function draw({ drawing, width }) {
  const [left, , right] = columns_of(width);
  const exponentials = left + (right - left) * 0.32;
  const sum = column(left + (right - left) * 0.66, ["Z"], { top: 103 });
  const d = drawing(width, 240, title);
  const [x, u, y] = [column(left, numbered("x")), column(exponentials, numbered("u")), column(right, numbered("y"))];
  const others = (places) => places.filter((_, k) => k !== CHOSEN);
  x.forEach((from, k) => way(d, from, u[k], { chosen: k === CHOSEN }));
  u.forEach((from, k) => k !== CHOSEN && way(d, from, y[k]));
  each_way(d, others(u), sum);
  each_way(d, [u[CHOSEN]], [...sum, y[CHOSEN]], { chosen: true });
  each_way(d, sum, y, { chosen: true });
  circles(d, x, { term: "x", chosen: CHOSEN });
  circles(d, u, { term: "u", chosen: CHOSEN });
  circles(d, sum, { term: "Z" });
  circles(d, y, { term: "y" });
  d.text(exponentials, 200, "$\\exp$", { role: "soft", size: 14 });
  return d.text(width / 2, 226, "$x_2$ reaches every $y_i$: directly or through the sum $Z$", { role: "soft", size: 14 });
}
