// Heat maps: signed, symmetric about zero; zero, NaN and what is not kept are told apart without colour, too.
import { drawn, element } from "../kit/dom.mjs";
import { heat_of } from "../kit/heat.mjs";
import { index_at } from "./cells.js";
import { format_number, matrix_of, number_of } from "./model.js";

const SMALL = 7; // pixels of a cell of a small map

// The cells that are kept: { cells, rows, columns, of_rows, of_columns }, the last two those of the whole tensor.
export function grid_of(values, shape) {
  const [of_rows, of_columns] = matrix_of(shape);
  if (values.all) return { cells: values.all.map(number_of), rows: of_rows, columns: of_columns, of_rows, of_columns };
  if (!values.corner) return null;
  const [rows, columns] = matrix_of(values.corner_shape);
  return { cells: values.corner.map(number_of), rows, columns, of_rows, of_columns };
}

// The largest finite magnitude: of everything where that is known.
export function limit_of(values) {
  if (!values) return 0;
  if (values.min !== undefined) return Math.max(Math.abs(values.min), Math.abs(values.max));
  return (values.all ?? values.corner ?? [])
    .map(number_of)
    .filter(Number.isFinite)
    .reduce((m, x) => Math.max(m, Math.abs(x)), 0);
}

// "m3" … "z0" … "p3", "nan", or "inf".
export function heat_class(x, limit) {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return "inf";
  return heat_of(x, { sign: true }, limit);
}

// A picture of a tensor in at most 6 × 6 cells, for a box; the eye gets the pattern, the panel has the numbers.
export function small_map(values, shape, limit = limit_of(values)) {
  const grid = grid_of(values, shape);
  if (!grid) return element("span.no-map", format_number(values.rms));
  const rows = Math.min(grid.rows, 6);
  const columns = Math.min(grid.columns, 6);
  const map = drawn("svg.small-map", { width: columns * SMALL, height: rows * SMALL, "aria-hidden": "true" });
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j)
      map.append(small_cell(grid.cells[i * grid.columns + j] ?? grid.cells[i * columns + j], limit, i, j));
  }
  return map;
}

function small_cell(x, limit, i, j) {
  const heat = heat_class(x, limit);
  const at = { x: j * SMALL, y: i * SMALL };
  if (heat !== "nan") return drawn("rect", { ...at, width: SMALL - 1, height: SMALL - 1, class: `heat-${heat}` });
  return drawn("path.heat-nan", { d: `M${at.x + 1},${at.y + 1}l4,4m0,-4l-4,4` });
}

// A map with a number in each cell. `on_cell(index)` makes the cells buttons; `chosen` is an index or null; `limit` may be
// another map's, to compare.
export function number_map(
  values,
  shape,
  { on_cell = null, chosen = null, limit = limit_of(values), label = "" } = {},
) {
  const grid = grid_of(values, shape);
  if (!grid) return summary_of(values);
  const wide = grid.rows > 16 || grid.columns > 16;
  const rows = Math.min(grid.rows, wide ? 16 : grid.rows);
  const columns = Math.min(grid.columns, wide ? 16 : grid.columns);
  const body = element("tbody");
  for (let i = 0; i < rows; ++i) {
    const row = element("tr");
    for (let j = 0; j < columns; ++j) row.append(number_cell(grid, shape, i, j, { on_cell, chosen, limit }));
    if (columns < grid.of_columns) row.append(element("td.more", i === 0 ? "…" : ""));
    body.append(row);
  }
  if (rows < grid.of_rows) body.append(element("tr", element("td.more", { colspan: columns }, "⋮")));
  const table = element("table.number-map", { "aria-label": label }, body);
  const rest = rows < grid.of_rows || columns < grid.of_columns;
  const scroll = element("div.scroll", { tabindex: "0", role: "group", "aria-label": label }, table);
  const hint = element("p.note", { hidden: true }, "More columns at the right: scroll there.");
  new ResizeObserver(() => (hint.hidden = scroll.scrollWidth <= scroll.clientWidth + 1)).observe(scroll);
  return element("div", scroll, hint, rest &&
    element("p.note", `The first ${rows} of ${grid.of_rows.toLocaleString("en")} rows, `,
      `${columns} of ${grid.of_columns.toLocaleString("en")} columns.`), values.count !== undefined && summary_of(values));
}

function number_cell(grid, shape, i, j, { on_cell, chosen, limit }) {
  const x = grid.cells[i * grid.columns + j];
  const index = shape.length === 0 ? [] : [...index_at(shape.slice(0, -1), i), j];
  const is_chosen = chosen !== null && chosen.join() === index.join();
  const text = format_number(x);
  const inside = on_cell
    ? element(
      "button",
      {
        type: "button",
        onclick: () => on_cell(index),
        "aria-pressed": String(is_chosen),
        "aria-label": `element [${index.join(", ")}]: ${text}`,
      },
      text,
    )
    : text;
  return element("td", { class: `heat-${heat_class(x, limit)}${is_chosen ? " chosen" : ""}` }, inside);
}

// What is known of numbers that were not kept: extremes, mean, RMS, what is odd, and how they are spread.
export function summary_of(values) {
  const odd = [
    ["NaN", values.nan],
    ["∞", values.inf],
    ["exactly 0", values.zero],
  ].filter(([, count]) => count > 0);
  const told = [
    ["least", values.min],
    ["mean", values.mean],
    ["RMS", values.rms],
    ["greatest", values.max],
  ];
  return element("div.summary", histogram(values),
    element("dl", [...told.map(([name, x]) => [name, format_number(x)]), ...odd.map(([name, n]) => [name, n.toLocaleString("en")])].map((
      [name, text],
    ) => element("div", { class: name === "NaN" || name === "∞" ? "wrong" : "" }, element("dt", name), element("dd", text)))));
}

function histogram(values) {
  const bins = values.histogram ?? [];
  const most = Math.max(1, ...bins);
  if (bins.length === 0) return null;
  const bars = bins.map((n, i) => drawn("rect", { x: i * 15, width: 14, y: 40 - (38 * n) / most, height: (38 * n) / most + 1 }));
  return drawn("svg.histogram", { viewBox: "0 0 240 41", role: "img",
    "aria-label": `Histogram from ${format_number(values.min)} to ${format_number(values.max)}: ${bins.join(", ")}` }, bars);
}
