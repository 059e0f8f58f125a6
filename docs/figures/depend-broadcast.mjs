// A row that is used by every row of a matrix: its gradient is a sum over the rows.
import { circles, column, columns_of, way } from "./kit/depend.mjs";

export const title = "One number of b reaches one number in every row of y";
const CHOSEN = 1;
const ROWS = [1, 2, 3];

export function draw({ drawing, width }) {
  const [left, , right] = columns_of(width);
  const d = drawing(width, 306, title);
  const b = column(left, ["b_1", "b_2"], { top: 110, step: 64 });
  const y = ROWS.flatMap((t, k) => column(right - 30, [`y_{${t}1}`, `y_{${t}2}`], { top: 30 + 92 * k, step: 40 }));
  y.forEach((to, k) => k % 2 !== CHOSEN && way(d, b[0], to));
  y.forEach((to, k) => k % 2 === CHOSEN && way(d, b[1], to, { chosen: true }));
  circles(d, b, { term: "b", chosen: CHOSEN });
  circles(d, y, { term: "y" });
  for (const t of ROWS) d.text(right - 6, 50 + 92 * (t - 1), `row ${t}`, { role: "soft", size: 13, anchor: "start" });
  return d.text(width / 2, 290, "$b_2$ is used once in every row: its paths add", { role: "soft", size: 14 });
}
