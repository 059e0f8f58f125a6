// One symbol in its formula, its table, its code and its picture: pointing at it or focusing it lights all of them within
// their section.
const SVG = "http://www.w3.org/2000/svg";

export function start_terms(document) {
  let shown = null;
  const show = (element) => {
    if (element === shown) return;
    clear(document);
    shown = element;
    if (element) light(element);
  };
  const at = (event) => event.target.closest?.("section.formula [data-term]") ?? null;
  document.addEventListener("pointerover", (event) => show(at(event)));
  document.addEventListener("pointerleave", () => show(null));
  document.addEventListener("focusin", (event) => show(at(event)));
  document.addEventListener("focusout", () => show(null));
}

function light(element) {
  const section = element.closest("section.formula");
  const term = CSS.escape(element.dataset.term);
  for (const one of section.querySelectorAll(`[data-term="${term}"]`)) {
    one.classList.add("lit");
    if (one.closest(".math")) put_ground(one);
  }
}

function clear(document) {
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  for (const ground of document.querySelectorAll(".lit-ground")) ground.remove();
}

// A part of a formula has no background of its own: a rectangle behind its glyphs.
function put_ground(part) {
  const { x, y, width, height } = part.getBBox();
  const ground = part.ownerDocument.createElementNS(SVG, "rect");
  const by = 90; // thousandths of an em
  const place = { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by, rx: by, class: "lit-ground" };
  for (const [name, value] of Object.entries(place)) ground.setAttribute(name, value);
  if (part.hasAttribute("transform")) ground.setAttribute("transform", part.getAttribute("transform"));
  part.before(ground);
}
