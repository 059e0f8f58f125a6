// What every picture by Plot goes through, at build time and in the browser: no style element, no class but "plot", ids
// that are the figure's own and numbered from 1, a grid in its own colour, U+2212 for minus.
import { with_minus } from "../../kit/words.mjs";

const POINTING = ["clip-path", "mask", "fill", "stroke", "href"];

export function finish(svg, prefix) {
  if (svg.localName !== "svg") throw new Error(`${prefix}: draw() must return one <svg>: no Plot title, caption or legend`);
  for (const style of svg.querySelectorAll("style")) style.remove();
  const nodes = [svg, ...svg.querySelectorAll("*")];
  const ids = new Map(nodes.filter(({ id }) => id).map(({ id }, k) => [id, `${prefix}-${k + 1}`]));
  for (const node of nodes) tidy(node, ids);
  svg.setAttribute("class", "plot");
  return svg;
}

function tidy(node, ids) {
  node.removeAttribute("class");
  if (/-grid$/.test(node.getAttribute("aria-label"))) node.removeAttribute("stroke-opacity");
  if (node.id) node.setAttribute("id", ids.get(node.id));
  for (const name of POINTING) {
    const value = node.getAttribute(name);
    const id = value?.match(/^(?:url\()?#([^)]*)/)?.[1];
    if (ids.has(id)) node.setAttribute(name, value.replace(`#${id}`, `#${ids.get(id)}`));
  }
  for (const child of node.childNodes) {
    if (child.nodeType !== 3) continue;
    const text = with_minus(child.textContent);
    if (text !== child.textContent) child.textContent = text;
  }
}
