// Small parts that the panels share.
import { element } from "../kit/dom.mjs";
import { format_number, number_of } from "./model.js";

export const number_span = (x, { role }) => element("span", { class: `n ${role ?? "step"}` }, format_number(x));

const verdict_words = {
  equal: ["right", "✓ as traced"],
  differs: ["wrong", "× differs from the trace"],
  unknown: ["soft", "the trace does not hold this cell"],
};

export function verdict_badge(verdict) {
  const [role, words] = verdict_words[verdict];
  return element("span", { class: `badge ${role}` }, words);
}

// A table with a caption; heads: [{text, number}], rows: arrays of nodes or texts, the first of each its head.
export function table_of(caption, heads, rows) {
  const side = (i) => (heads[i].number ? "num" : undefined);
  const cell_of = (cell, i) => element(i === 0 ? "th" : "td", { scope: i === 0 && "row", class: side(i) }, cell);
  const head = element("tr", ...heads.map(({ text }, i) => element("th", { scope: "col", class: side(i) }, text)));
  const body = rows.map((cells) => element("tr", ...cells.map(cell_of)));
  const parts = [element("caption", caption), element("thead", head), element("tbody", ...body)];
  return element("table", ...parts);
}

// " [2, 3]", of a scalar nothing.
export const shape_words = (shape) => (shape.length === 0 ? "" : ` [${shape.join(", ")}]`);

// A scalar's number, up to four elements, or the root mean square of more.
export function values_text(values) {
  if (!values) return "–";
  if (!values.all) {
    const parts = [`rms ${format_number(values.rms)}`, values.nan && `${values.nan} NaN`, values.inf && `${values.inf} ∞`];
    return parts.filter(Boolean).join(", ");
  }
  const numbers = values.all.map(number_of),
    count = numbers.length;
  if (count === 1) return format_number(numbers[0]);
  if (count <= 4) return `[${numbers.map(format_number).join(", ")}]`;
  return `rms ${format_number(Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0) / count))}`;
}
