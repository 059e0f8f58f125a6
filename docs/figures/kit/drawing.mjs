// A drawing of boxes, circles, arrows, cells and words, as SVG.
//   export const title = "All of a row through one statistic";
//   export function draw({ drawing, width }) {
//     const d = drawing(width, 200, title);
//     d.arrow(40, 50, 160, 90, { role: "value", term: "x", dash: true, bend: 20, from: 18, to: 18 });  // gaps at the ends
//     d.circle(40, 50, 18, { role: "value", text: "$x_1$", term: "x" });
//     d.box(160, 70, 90, 40, { role: "parameter", text: "$\\gamma$", term: "\\gamma" });
//     d.text(20, 190, "a sentence with $\\partial y_i / \\partial x_j$ in it", { role: "soft", anchor: "start", size: 14 });
//     d.line(0, 100, 300, 100, { role: "line" }).path("M0 0L10 10", { role: "wrong" });
//     d.cells(20, 20, [[1, 0.5], [0, null]], { size: 40, role: (v) => (v > 0 ? "value" : "constant"), term: "W" });
//     return d;
//   }
// role: value, gradient, parameter, constant, right, wrong, ink, soft, line (docs/kit/svg.mjs). term: the symbol that
// lights up together with this element, written as in the page's table ("r", "\\gamma"). In the mathematics of a text,
// between dollars, Greek letters are written as such (γ) or as in TeX ($\\gamma$); words upright as \\mean. Only circle,
// box and cells hide what is under them: draw arrows first.
import { at, colour, colour_of, tag } from "../../kit/svg.mjs";
import { escaped, number } from "../../kit/words.mjs";
import { term_name, tspans } from "./math_text.mjs";

const GREEK = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  varepsilon: "ε",
  epsilon: "ε",
  eta: "η",
  theta: "θ",
  lambda: "λ",
  mu: "μ",
  sigma: "σ",
  Phi: "Φ",
  Sigma: "Σ",
  Delta: "Δ",
  tau: "τ",
  phi: "φ",
  odot: "⊙",
  cdot: "·",
  partial: "∂",
  sum: "Σ",
  to: "→",
  infty: "∞",
  times: "×",
};
const greek = (text) => text.replace(/\\([A-Za-z]+) ?/g, (all, name) => GREEK[name] ?? all);

// What may be said of every element: the term that it lights up with, how solid it is; and in a widget, the knob that is moved
// by pulling it ("a", "x.2"), or set by a click on it ("step=3").
const common = ({ term, opacity, drag, set }) => ({
  "data-term": term_name(term),
  opacity: opacity?.toString(),
  "data-drag": drag,
  "data-set": set,
});
const HALO = { stroke: colour.paper, "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" };
const dashes = (dash) => (dash === true ? "5 4" : dash || undefined);

// fill: a colour's name; role: the outline's.
const stroked = (paint, { role = "constant", fill = paint, width = 1.5, dash, ...rest }) => ({
  fill: fill === "none" ? fill : colour_of(fill),
  stroke: colour_of(role),
  "stroke-width": width,
  "stroke-dasharray": dashes(dash),
  ...common(rest),
});

class Drawing {
  constructor(width, height, title) {
    Object.assign(this, { width, height, title, parts: [] });
  }

  add(...element) {
    this.parts.push(tag(...element));
    return this;
  }

  // anchor: middle (default), start, end; y is the middle of the line of text unless baseline is true.
  // halo: a gap of paper round the letters.
  text(x, y, words, { role = "ink", anchor = "middle", size = 16, weight, math, baseline = false, halo, ...rest } = {}) {
    const shade = halo ? HALO : {};
    return this.add(
      "text",
      {
        x,
        y: baseline ? y : y + size * 0.34,
        fill: colour_of(role),
        "font-size": size,
        "font-weight": weight,
        "text-anchor": anchor === "start" ? undefined : anchor,
        ...shade,
        ...common(rest),
      },
      tspans(greek(words), size, math),
    );
  }

  // A rectangle with words in its middle; the words are ink unless text_role says otherwise.
  box(x, y, w, h, { radius = 6, text, text_role = "ink", size, ...rest } = {}) {
    this.add("rect", { x, y, width: w, height: h, rx: radius, ...stroked("paper", rest) });
    return text === undefined ? this : this.text(x + w / 2, y + h / 2, text, { ...rest, role: text_role, size });
  }

  circle(x, y, r, { text, text_role = "ink", size, ...rest } = {}) {
    this.add("circle", { cx: x, cy: y, r, ...stroked("paper", rest) });
    return text === undefined ? this : this.text(x, y, text, { ...rest, role: text_role, size });
  }

  line(x1, y1, x2, y2, options) {
    return this.path(`M${point(x1, y1)}L${point(x2, y2)}`, options);
  }

  path(d, options = {}) {
    return this.add("path", { d, ...stroked("none", options) });
  }

  // From one point to another; bend: how far the middle lies to the right of the straight way; from, to: gaps at the ends.
  arrow(x1, y1, x2, y2, { bend = 0, from = 0, to = 0, head = 8, ...rest } = {}) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [nx, ny] = [-(y2 - y1) / length, (x2 - x1) / length];
    const c = [(x1 + x2) / 2 + 2 * bend * nx, (y1 + y2) / 2 + 2 * bend * ny];
    const start = towards([x1, y1], c, from);
    const tip = towards([x2, y2], c, to);
    const neck = towards(tip, c, head * 0.8);
    const [ux, uy] = [(tip[0] - neck[0]) / (head * 0.8), (tip[1] - neck[1]) / (head * 0.8)];
    const wing = (side) => point(tip[0] - head * ux - side * head * 0.42 * uy, tip[1] - head * uy + side * head * 0.42 * ux);
    const way = bend ? `Q${point(...c)} ${point(...neck)}` : `L${point(...neck)}`;
    this.path(`M${point(...start)}${way}`, rest);
    const fill = colour_of(rest.role ?? "constant");
    return this.add("path", { d: `M${point(...tip)}L${wing(1)}L${wing(-1)}Z`, fill, ...common(rest) });
  }

  // A matrix of square cells. role(value, row, column): name of the fill; words: what stands in a cell (numbers as they
  // are; false for none). null is a masked cell.
  cells(x, y, rows, options = {}) {
    const { size = 36, role = "paper", words = number, text_role = "ink", font = 14, term, stroke = "line" } = options;
    rows.forEach((row, i) =>
      row.forEach((value, j) => {
        const name = value === null ? "hidden" : typeof role === "function" ? role(value, i, j) : role;
        const word = value === null || !words ? undefined : typeof value === "number" ? words(value) : String(value);
        const ink = typeof text_role === "function" ? text_role(value, i, j) : text_role;
        this.box(x + j * size + 1, y + i * size + 1, size - 2, size - 2, {
          fill: name,
          role: stroke,
          radius: 2,
          width: 1,
          text: word,
          text_role: ink,
          size: font,
          term,
        });
      })
    );
    return this;
  }

  toString() {
    const { width, height } = this;
    const look = { role: "img", "font-family": "var(--text)", style: `background:${colour.paper}` };
    const root = { xmlns: "http://www.w3.org/2000/svg", class: "drawing", viewBox: `0 0 ${width} ${height}`, width, height, ...look };
    return `${tag("svg", root, `\n<title>${escaped(this.title)}</title>\n${this.parts.join("\n")}\n`)}\n`;
  }
}

const point = (x, y) => `${at(x)} ${at(y)}`;

// The point `distance` from p on the way to q.
function towards(p, q, distance) {
  const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
  return [p[0] + ((q[0] - p[0]) * distance) / length, p[1] + ((q[1] - p[1]) * distance) / length];
}

export const drawing = (width, height, title) => new Drawing(width, height, title);
