// Heat maps, small multiples and strips of dots, as SVG in the page's own colours.
import { heat_of, ink_on, MAGNITUDE, SIGN } from "./heat.mjs";
import { at, fill, label, rect, said } from "./svg.mjs";
import { fixed, shown, widest } from "./words.mjs";

// Rows of numbers as coloured squares. A NaN is a cross, an empty cell is outlined. Without an alt it is hidden from screen
// readers, for words beside it say the same.
//
//   heat_map({ rows, sign, limit, quiet, decades, cell, decimals, alt, row_names, column_names, column_groups, framed, hidden })
//
// Magnitude: |x| on a logarithmic scale, `decades` below the greatest. With `sign`: below zero blue, above orange; with `quiet`,
// |x| up to this is grey, the colours part at 2 and 5 times it, and a masked cell is empty. `limit`: the greatest |x|, else that
// of the numbers. `cell`: px; numbers are written in cells of 40 and more, and cells below 5 touch. `framed`: a cell to point
// out, [row, column]. `hidden(i, j)`: is it masked?
export function heat_map(map) {
  const { rows, cell = 14, row_names = [], column_names = [], column_groups = [], framed } = map;
  const limit = limit_of(map), height = cell * rows.length, width = cell * (rows[0]?.length ?? 0);
  const left = row_names.length ? 8 + widest(row_names, 12) : 2, wide = widest(column_names, 12);
  const upright = column_groups.length > 0 && wide > cell;
  const names = column_names.length === 0 ? 2 : upright ? wide + 4 : 20;
  const top = names + (column_groups.length ? 18 : 0);
  const column_name = (name, j) =>
    upright
      ? `<g transform="translate(${(j + 0.5) * cell + 4} -6) rotate(-90)">${label(0, 0, "start", name)}</g>`
      : label((j + 0.5) * cell, -7, "middle", name);
  const group = width / column_groups.length;
  const drawn = [
    cell < 5 ? dense(map, limit, cell) : rows.map((row, i) => row.map((v, j) => square(map, limit, cell, i, j, v)).join("")).join(""),
    ...row_names.map((name, i) => label(-8, (i + 0.5) * cell + 4, "end", name)),
    ...column_names.map(column_name),
    ...column_groups.map((name, j) => label((j + 0.5) * group, -names - 5, "middle", name, "ink")),
    framed ? frame(framed, cell) : "",
  ].join("");
  const across = Math.ceil(width + left + 2);
  return `<svg viewBox="${[-left, -top, across, height + top + 2].map(at).join(" ")}" style="max-width:${across}px" ${
    said(map.alt)
  }>${drawn}</svg>`;
}

const limit_of = ({ rows, limit }) => limit || Math.max(0, ...rows.map((row) => Math.max(...row.map(Math.abs).filter(Number.isFinite))));

function square(map, limit, cell, i, j, value) {
  const gap = cell >= 8 ? 1 : 0, x = j * cell, y = i * cell;
  const box = (look) => rect(x + gap / 2, y + gap / 2, cell - gap, cell - gap, look);
  const words = (text, colour) => label(x + cell / 2, y + cell / 2 + 4, "middle", text, colour);
  const outline = (colour) => box(`fill="none" stroke="var(--${colour})"`);
  if (map.hidden?.(i, j)) return map.quiet ? outline("line") : box(fill("hidden"));
  if (Number.isNaN(value)) return outline("wrong") + words("×", "wrong");
  if (value === 0 && !map.sign) return outline("line");
  const colour = heat_of(value, map, limit);
  const number = () => (map.decimals === undefined ? shown(value) : fixed(value, map.decimals));
  return box(fill(colour)) + (cell >= 40 ? words(number(), ink_on(colour)) : "");
}

// Many small cells: one path a colour, of the runs of equal cells down the columns.
function dense(map, limit, cell) {
  const { rows, sign, hidden } = map, paths = {};
  const colour_at = (i, j) => {
    if (hidden?.(i, j)) return "hidden";
    if (Number.isNaN(rows[i][j])) return "wrong";
    return rows[i][j] === 0 && !sign ? "" : heat_of(rows[i][j], map, limit);
  };
  for (let j = 0; j < (rows[0]?.length ?? 0); ++j) {
    for (let i = 0, end = 0; i < rows.length; i = end) {
      const colour = colour_at(i, j);
      for (end = i + 1; end < rows.length && colour_at(end, j) === colour;) ++end;
      if (colour) paths[colour] = `${paths[colour] ?? ""}M${j} ${i}v${end - i}`;
    }
  }
  const drawn = Object.entries(paths).map(([colour, d]) => `<path stroke="var(--${colour})" d="${d}"/>`).join("");
  return `<g transform="scale(${cell}) translate(.5 0)" fill="none" shape-rendering="crispEdges">${drawn}</g>`;
}

const frame = ([row, column], cell) =>
  [["paper", 5], ["ink", 2.2]].map(([colour, width]) =>
    rect(column * cell - 1, row * cell - 1, cell + 2, cell + 2, `fill="none" stroke="var(--${colour})" stroke-width="${width}"`)
  ).join("");

// A key to the colours: "10⁻³ ▒▒▒▒ 1"; with `quiet` the borders of the colours stand between them.
export function key_of(map, quantity) {
  if (map.quiet) return key_of_quiet(map.quiet, quantity);
  const limit = limit_of(map), colours = map.sign ? SIGN : MAGNITUDE, width = 14 * colours.length;
  const boxes = colours.map((colour, i) => rect(14 * i, 0, 14, 14, fill(colour))).join("");
  const from = shown(map.sign ? -limit : limit * 10 ** -(map.decades ?? 3), 2);
  const empty = rect(0.5, 0.5, 13, 13, 'fill="none" stroke="var(--line)"');
  const zero = map.sign ? "" : ` <span><svg viewBox="0 0 14 14" aria-hidden="true">${empty}</svg> exactly 0</span>`;
  return `<p class="key"><span>${quantity}${
    map.sign ? "" : ", log"
  }: &nbsp;${from} <svg viewBox="0 0 ${width} 14" aria-hidden="true">${boxes}</svg> ${shown(limit, 2)}</span>${zero}</p>`;
}

function key_of_quiet(quiet, quantity) {
  const colours = ["m3", "m2", "m1", "hidden", "p1", "p2", "p3"], borders = [-5, -2, -1, 1, 2, 5];
  const boxes = colours.map((colour, i) => rect(26 * i, 0, 25, 14, fill(colour)));
  const numbers = borders.map((n, i) => label(26 * (i + 1), 28, "middle", shown(n * quiet)));
  return `<p class="key"><span>${quantity}: &nbsp;<svg viewBox="0 0 181 32" style="height:2rem" aria-hidden="true">${
    [...boxes, ...numbers].join("")
  }</svg></span></p>`;
}

// Panels beside each other, [title, sentence, drawing], as many in a row as there is room for. A panel's drawing may be hidden
// from screen readers: its title and sentence carry the numbers.
export function panels(all, width_rem = 10) {
  const each = all.map(([title, sentence, drawing]) => `<div class="panel"><h3>${title}</h3><p>${sentence}</p>${drawing}</div>`);
  return `<div class="grid" style="--w:${width_rem}rem">${each.join("")}</div>`;
}

// Values along one axis, one dot a seed; the grey bar is the baseline's spread, [from, to]; an upright line at `mark`.
export function dot_strip({ values, from = 0, to = 1, baseline, mark, log, colour = "f1", alt }) {
  const width = 150;
  const x = (v) => at(4 + (width - 8) * (log ? Math.log(v / from) / Math.log(to / from) : (v - from) / (to - from)));
  const grey = baseline ? rect(x(baseline[0]), 0, x(baseline[1]) - x(baseline[0]), 16, `${fill("hidden")} opacity=".7"`) : "";
  const line = `<line x1="0" x2="${width}" y1="8" y2="8" stroke="var(--line)"/>`;
  const there = mark === undefined
    ? ""
    : `<line x1="${x(mark)}" x2="${x(mark)}" y1="0" y2="16" stroke="var(--ink)" stroke-width="1.5"/>`;
  const dots = values.map((v) => `<circle cx="${x(v)}" cy="8" r="3" ${fill(colour)} fill-opacity=".75"/>`).join("");
  const style = `style="width:${width}px;max-width:100%;min-width:6rem"`;
  return `<svg viewBox="0 0 ${width} 16" ${style} ${said(alt)}>${grey}${line}${there}${dots}</svg>`;
}
