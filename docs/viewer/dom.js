// Elements in one line: element("button", { class: "tool", onclick: step }, "Next").

const SVG = "http://www.w3.org/2000/svg";

export const element = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
export const drawn = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

// Functions become listeners; false, null and undefined leave an attribute away.
function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
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
