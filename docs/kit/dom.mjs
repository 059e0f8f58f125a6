// Elements in one line: element("button.tool", { onclick: step }, "Next"); the attributes may be left away.

const SVG = "http://www.w3.org/2000/svg";

export const element = (selector, ...inside) => filled((tag) => document.createElement(tag), selector, inside);
export const drawn = (selector, ...inside) => filled((tag) => document.createElementNS(SVG, tag), selector, inside);

// Functions become listeners; false, null and undefined leave an attribute away.
function filled(create, selector, inside) {
  const [tag, ...classes] = selector.split("."), node = create(tag);
  const [attributes, children] = inside[0]?.constructor === Object ? [inside[0], inside.slice(1)] : [{}, inside];
  if (classes.length > 0) node.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined)
      node.setAttribute(name, value === true ? "" : value);
  }
  return append_all(node, children);
}

// Null, undefined and false stand for nothing; lists are taken apart.
function append_all(node, children) {
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// These children instead of what is there.
export function fill(node, ...children) {
  node.replaceChildren();
  return append_all(node, children);
}

// A button with the words that a screen reader says, which the eye finds as its tooltip.
export function tool(label, face, onclick, attributes) {
  return element("button", { type: "button", "aria-label": label, title: label, onclick, ...attributes }, face);
}
