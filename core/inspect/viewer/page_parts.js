// Small parts that the panels share.
import { format_number } from "./model.js";
import { element } from "./dom.js";

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
  const row_of_cells = (cells) => element("tr", {}, ...cells.map((cell, i) => (
    i === 0 ? element("th", { scope: "row" }, cell) : element("td", { "data-label": heads[i].text, class: heads[i].number ? "num" : undefined }, cell))));
  const head = element("tr", {}, ...heads.map((h) => element("th", { scope: "col", class: h.number ? "num" : undefined }, h.text)));
  return element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...rows.map(row_of_cells)));
}

// " [2, 3]", of a scalar nothing.
export const shape_words = (shape) => (shape.length === 0 ? "" : ` [${shape.join(", ")}]`);

// A scalar's number, up to four elements, or what is said of more.
export function values_text(values) {
  if (!values) return "–";
  if (!values.all) return `rms ${format_number(values.rms)}`;
  const count = values.all.length;
  if (count === 1) return format_number(values.all[0]);
  const some = values.all.slice(0, 4).map(format_number).join(", ");
  return count > 4 ? `[${some}, … ${count - 4} more]` : `[${some}]`;
}
