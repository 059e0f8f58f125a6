// A matrix as a heat map. Magnitude: six steps of one hue on a log scale; signed: three steps either side of zero.
import { heat_of, ink_on, MAGNITUDE, SIGN } from "../../kit/heat.mjs";
import { colour } from "../../kit/svg.mjs";
import { power } from "../../kit/words.mjs";

// { fill, ink }: the colour of a cell and of the number in it.
export function look(value, { scale, limit, limits }) {
  if (value === null) return { fill: colour.hidden, ink: colour.ink };
  if (Number.isNaN(value)) return { fill: "none", ink: colour.wrong };
  if (value === 0 && scale !== "signed") return { fill: "none", ink: colour.soft };
  const map = scale === "signed" ? { sign: true } : { decades: Math.log10(limits[1] / limits[0]) };
  const heat = heat_of(value, map, scale === "signed" ? limit : limits[1]);
  return { fill: colour[heat], ink: colour[ink_on(heat)] };
}

export function heat(Plot, { plot, tip, number, width, size }, cells, options = {}) {
  const { scale = "magnitude", rows, columns, label, numbers = true, key = true, digits = 2, ...rest } = options;
  const known = cells
    .flat()
    .filter((v) => Number.isFinite(v) && v !== 0)
    .map(Math.abs);
  const limit = options.limit ?? Math.max(...known);
  const limits = options.limits ?? [Math.min(...known), Math.max(...known)];
  const left = options.marginLeft ?? (rows ? 44 : 12);
  const cell = Math.min(options.max_cell ?? 56, (width - left - 12) / cells[0].length);
  const top = columns || label ? 34 : 10;
  const flat = cells.flatMap((row, i) => row.map((value, j) => ({ i, j, value, ...look(value, { scale, limit, limits }) })));
  const across = left + cell * cells[0].length + 12;
  const own_width = Math.min(width, Math.max(across, left + 200 + (label?.length ?? 0) * size * 0.6));
  const name = (names, k) => names?.[k] ?? String(k + 1);
  const ends = scale === "signed" ? [number(-limit), number(limit)] : limits.map((v) => power(v) || number(v));
  return {
    ...plot({
      width: own_width,
      marginTop: top,
      marginLeft: left,
      marginRight: own_width - across + 12,
      marginBottom: key ? 40 : 10,
      height: top + cell * cells.length + (key ? 40 : 10),
      ...rest,
    }),
    x: {
      type: "band",
      padding: 0,
      domain: cells[0].map((_, j) => j),
      axis: columns ? "top" : null,
      label: null,
      tickSize: 0,
      tickFormat: (j) => name(columns, j),
    },
    y: {
      type: "band",
      padding: 0,
      domain: cells.map((_, i) => i),
      axis: rows ? "left" : null,
      label: null,
      tickSize: 0,
      tickFormat: (i) => name(rows, i),
    },
    marks: [
      Plot.cell(flat, { x: "j", y: "i", fill: "fill", inset: cell > 12 ? 0.5 : 0 }),
      Plot.cell(
        flat.filter((d) => d.fill === "none"),
        { x: "j", y: "i", fill: "none", stroke: colour.line, inset: 1 },
      ),
      Plot.text(numbers && cell >= 34 ? flat : flat.filter((d) => Number.isNaN(d.value)), {
        x: "j",
        y: "i",
        text: (d) => word(d, number, digits, scale),
        fill: "ink",
      }),
      key && key_mark(scale === "signed" ? SIGN : MAGNITUDE, ends, label, size),
      tip(flat, { x: "j", y: "i", title: (d) => `${name(rows, d.i)}, ${name(columns, d.j)}: ${said(d.value, number)}` }),
    ].filter(Boolean),
  };
}

const said = (value, number) => (value === null ? "masked" : number(value));
const word = ({ value }, number, digits, scale) =>
  value === null ? "" : Number.isNaN(value) ? "×" : value === 0 && scale === "magnitude" ? "" : number(value, digits);

// Under the map: least, the steps of colour, greatest, and what is shown.
const key_mark = (steps, [least, greatest], label, size) => (index, scales, values, { height, marginLeft }, context) => {
  const drawn = (tag, attributes, text) => {
    const node = context.document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text) node.textContent = text;
    return node;
  };
  const y = height - 24;
  const start = marginLeft + least.length * size * 0.6 + 6;
  const square = (step, k) => drawn("rect", { x: start + 16 * k, y, width: 16, height: 16, fill: colour[step] });
  const words = label ? `${greatest}   ${label}` : greatest;
  const group = drawn("g", { "text-anchor": "start" });
  group.append(drawn("text", { x: marginLeft, y: y + 12 }, least), ...steps.map(square));
  group.append(drawn("text", { x: start + 16 * steps.length + 6, y: y + 12 }, words));
  return group;
};
