// An SVG of Plot as text: attributes in the order they were set, geometry rounded to a tenth of a pixel, what says nothing
// left out.
import { at, colour } from "../../kit/svg.mjs";
import { escaped } from "../../kit/words.mjs";

const GEOMETRY = new Set([
  "d",
  "x",
  "y",
  "x1",
  "x2",
  "y1",
  "y2",
  "cx",
  "cy",
  "r",
  "rx",
  "ry",
  "dx",
  "width",
  "height",
  "transform",
  "points",
  "stroke-width",
]);
const SILENT = /^(aria-|font-variant$|class$|text-anchor:middle$|stroke-miterlimit$|xmlns)/;

const rounded = (text) => text.replace(/-?\d*\.\d+(e-?\d+)?/g, (v) => at(Number(v)));

function attribute({ name, value }) {
  if (SILENT.test(name)) return "";
  const text = GEOMETRY.has(name) ? rounded(value) : value;
  return ` ${name}="${escaped(text)}"`;
}

export function serialize(node) {
  if (node.nodeType === 3) return escaped(node.textContent);
  if (node.nodeType !== 1) return "";
  const inside = [...node.childNodes].map(serialize).join("");
  const tag = node.localName;
  if (!inside && (tag === "g" || tag === "text")) return "";
  const head = `<${tag}${[...node.attributes].map(attribute).join("")}`;
  const ends = tag === "text" || tag === "tspan" ? "" : "\n";
  const after = tag === "tspan" ? "" : "\n";
  return inside ? `${head}>${ends}${inside}</${tag}>${after}` : `${head}/>${after}`;
}

// The children of an <svg> by Plot inside a root of our own.
export function whole_svg(svg, title) {
  const [width, height] = ["width", "height"].map((name) => svg.getAttribute(name));
  const size = parseFloat(svg.style.fontSize || "13");
  const style = `background:${colour.paper};color:${svg.style.color || "currentColor"}`;
  const root = `xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 ${width} ${height}" role="img"`;
  const place = `width="${width}" height="${height}" text-anchor="middle" fill="currentColor" style="${style}"`;
  const inside = [...svg.childNodes].map(serialize).join("");
  const type = `font-family="var(--text)" font-size="${size}"`;
  return `<svg ${root} ${place} ${type}>\n<title>${escaped(title)}</title>\n${inside}</svg>\n`;
}
