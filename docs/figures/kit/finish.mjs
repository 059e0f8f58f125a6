// What every picture by Plot goes through, at build time and in the browser: no style element, no class but "plot", ids
// that are the figure's own, a grid in its own colour, U+2212 for minus.
import { with_minus } from "./words.mjs";

export function finish(svg, prefix) {
  if (svg.localName !== "svg") throw new Error(`${prefix}: draw() must return one <svg>: no Plot title, caption or legend`);
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const node of [svg, ...svg.querySelectorAll("*")]) tidy(node, prefix);
  svg.setAttribute("class", "plot");
  return svg;
}

function tidy(node, prefix) {
  node.removeAttribute("class");
  if (/-grid$/.test(node.getAttribute("aria-label"))) node.removeAttribute("stroke-opacity");
  if (node.id) node.setAttribute("id", `${prefix}-${node.id}`);
  for (const name of ["clip-path", "mask", "fill", "stroke", "href"]) {
    const value = node.getAttribute(name);
    if (value?.startsWith("url(#")) node.setAttribute(name, value.replace("url(#", `url(#${prefix}-`));
    else if (name === "href" && value?.startsWith("#")) node.setAttribute(name, `#${prefix}-${value.slice(1)}`);
  }
  for (const child of node.childNodes)
    if (child.nodeType === 3) {
      const text = with_minus(child.textContent);
      if (text !== child.textContent) child.textContent = text;
    }
}
