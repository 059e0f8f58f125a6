// The walk as a table, for a screen reader and for print: one row a visit.
import { element } from "../kit/dom.mjs";
import { deliveries_of, name_of } from "./model.js";
import { shape_words, table_of, values_text } from "./page_parts.js";

const rows_at_ends = 200; // of a long walk

export function render_walk_table(container, model) {
  const { walk } = model.trace;
  const long = walk.length > 2 * rows_at_ends;
  const shown = walk
    .map((visit, i) => [visit, i])
    .filter(([, i]) => !long || i < rows_at_ends || i >= walk.length - rows_at_ends);
  const between = (walk.length - 2 * rows_at_ends).toLocaleString("en");
  const caption = `The walk, newest tensor first: ${walk.length.toLocaleString("en")} visits` +
    (long
      ? `. The first and the last ${rows_at_ends} are here; ${between} between them are left out.`
      : ".");
  const heads = [
    { text: "step", number: true },
    { text: "tensor" },
    { text: "op" },
    { text: "gradient", number: true },
    { text: "hands on" },
  ];
  const rows = shown.map(([visit, i]) => visit_row(model, visit, i));
  const region = element("div.walk-table.scroll", { tabindex: "0", role: "region", "aria-label": "The walk as a table" });
  region.append(table_of(caption, heads, rows));
  container.replaceChildren(region);
}

function visit_row(model, visit, i) {
  const tensor = model.by_number.get(visit.tensor);
  const op = (tensor.op ?? tensor.kind) + shape_words(tensor.shape);
  const deliveries = deliveries_of(visit).map((delivery) => element("li", delivery_text(model, delivery)));
  return [
    String(i + 1),
    name_of(tensor),
    op,
    values_text(visit.gradient),
    deliveries.length ? element("ul", ...deliveries) : "–",
  ];
}

function delivery_text(model, { to, contribution, before, after }) {
  const name = name_of(model.by_number.get(to));
  if (!before) return `${values_text(contribution)} to ${name}, the first`;
  return `${values_text(contribution)} to ${name}: ${values_text(before)} becomes ${values_text(after)}`;
}
