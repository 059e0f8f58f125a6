// Heat maps in a drawing, on the scales of docs/kit/heat.mjs: `signed`, symmetric about zero up to `limit`; else by size, from the
// first to the second of `limits`. 0 is then an empty cell; null is masked, NaN a cross.
import { heat_of, ink_on, MAGNITUDE, SIGN } from "../../kit/heat.mjs";
import { number, power } from "../../kit/words.mjs";

// { fill, ink }: the colours of a cell and of the number in it.
export function look(value, { signed, limit, limits }) {
  if (value === null) return { fill: "hidden", ink: "ink" };
  if (Number.isNaN(value)) return { fill: "none", ink: "wrong" };
  if (value === 0 && !signed) return { fill: "none", ink: "soft" };
  const fill = signed
    ? heat_of(value, { sign: true }, limit)
    : heat_of(value, { decades: Math.log10(limits[1] / limits[0]) }, limits[1]);
  return { fill, ink: ink_on(fill) };
}

const word = (value, { signed }) => (value === null || (value === 0 && !signed) ? "" : Number.isNaN(value) ? "×" : number(value, 2));

// The map at (x, y), with the names of its rows at the left, of its columns above, a line for each of their words, and its key below.
export function heat(d, x, y, rows, { size, row_names = [], column_names = [], label = "", ...scale }) {
  const small = { size: size < 40 ? 11 : 13, role: "soft" };
  rows.forEach((row, i) =>
    row.forEach((value, j) => {
      const { fill, ink } = look(value, scale), place = [x + j * size + 0.5, y + i * size + 0.5, size - 1, size - 1];
      d.box(...place, { fill, role: "line", width: fill === "none" ? 1 : 0, radius: 0 });
      const text = word(value, scale);
      if (text) d.text(x + (j + 0.5) * size, y + (i + 0.5) * size, text, { ...small, role: ink });
    })
  );
  row_names.forEach((name, i) => d.text(x - 8, y + (i + 0.5) * size, name, { ...small, anchor: "end" }));
  column_names.forEach((names, j) =>
    names.forEach((name, k) => d.text(x + (j + 0.5) * size, y - 12 - 15 * (names.length - 1 - k), name, small))
  );
  const [least, greatest] = scale.signed ? [number(-scale.limit), number(scale.limit)] : scale.limits.map((v) => power(v) || number(v));
  const steps = scale.signed ? SIGN : MAGNITUDE, below = y + rows.length * size + 16, from = x + 8 * least.length + 10;
  d.text(x, below + 8, least, { role: "soft", size: 13, anchor: "start" });
  steps.forEach((step, k) => d.box(from + 16 * k, below, 16, 16, { fill: step, width: 0, radius: 0 }));
  return d.text(from + 16 * steps.length + 6, below + 8, `${greatest}  ${label}`.trim(), { role: "soft", size: 13, anchor: "start" });
}
