// In the page: what is wrong with it as it stands, each fault in a few words. Sent to the browser as text.
export function faults(width) {
  // The contrast of two colours, each [red, green, blue] from 0 to 1.
  const light = (c) =>
    c.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  // A computed colour as [red, green, blue, opacity].
  const colour = (text) => {
    const numbers = text.match(/-?[\d.]+(e-?\d+)?/g)?.map(Number) ?? [0, 0, 0, 0];
    const [r, g, b] = text.startsWith("rgb") ? numbers.map((v) => v / 255) : numbers;
    return [r, g, b, numbers[3] ?? 1];
  };
  const over = ([r, g, b, a], below, opacity) => [r, g, b].map((v, i) => v * a * opacity + below[i] * (1 - a * opacity));
  const opacity = (e, svg) => (e === svg ? 1 : Number(getComputedStyle(e).opacity) * opacity(e.parentElement, svg));
  const paper = colour(getComputedStyle(document.body).backgroundColor);

  // What is painted below a point of a drawing before one of its letters.
  function ground(svg, letter, x, y) {
    let below = paper.slice(0, 3);
    for (const shape of svg.querySelectorAll("rect, circle, path, polygon")) {
      if (shape.compareDocumentPosition(letter) & Node.DOCUMENT_POSITION_PRECEDING) break;
      const { left, right, top, bottom } = shape.getBoundingClientRect();
      const style = getComputedStyle(shape);
      if (style.fill === "none" || x < left || x > right || y < top || y > bottom || shape.closest("defs, clipPath")) continue;
      if (!shape.isPointInFill(new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse()))) continue;
      below = over(colour(style.fill), below, Number(style.fillOpacity) * opacity(shape, svg));
    }
    return below;
  }

  const found = [];
  const visible = (e) => e.checkVisibility() && e.getClientRects().length > 0;
  const words = (e) => e.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
  const place = (e) => e.closest("[data-figure]")?.dataset.figure ?? e.closest("section[data-id]")?.dataset.id ?? "the page";

  const out = document.documentElement.scrollWidth - innerWidth;
  if (out > 0) {
    const wide = [...document.querySelectorAll(".vp-doc *")].find((e) => {
      return e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("table, pre, .math, .figure");
    });
    found.push(`${out} px stand out to the right: ${wide?.outerHTML.slice(0, 100) ?? "?"}`);
  }
  for (const image of document.querySelectorAll("img:not([alt]), img[alt='']")) found.push(`${image.src} has no words`);
  for (const figure of document.querySelectorAll("figure")) {
    if ((figure.getAttribute("aria-label") ?? "").length < 20) found.push(`${place(figure)}: a figure without words`);
  }
  for (const svg of [...document.querySelectorAll("svg")].filter((e) => !e.parentElement.closest("svg"))) {
    if (!svg.closest("[aria-hidden=true]") && !svg.getAttribute("aria-label") && !svg.getAttribute("aria-labelledby")) {
      found.push(`${place(svg)}: a drawing without words`);
    }
  }
  for (const broken of document.querySelectorAll("[data-mjx-error], [data-mml-node=merror], mjx-merror")) {
    found.push(`${place(broken)}: bad TeX`);
  }
  for (const pre of document.querySelectorAll(".region pre")) {
    if (pre.scrollWidth > pre.clientWidth + 1) found.push(`${place(pre)}: code is cut off at the right`);
  }
  for (const table of document.querySelectorAll("table.path")) {
    const more = table.scrollWidth - table.clientWidth;
    if (more > 1) found.push(`a table of the path is ${more} px too wide for its place`);
  }

  let level = 0;
  for (const heading of document.querySelectorAll(".vp-doc :is(h1, h2, h3, h4, h5, h6)")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) found.push(`'${words(heading)}' is of level ${own} below level ${level}`);
    level = own;
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) found.push(`two elements have the id ${id}`);

  for (const svg of [...document.querySelectorAll("figure svg")].filter(visible)) {
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")].filter((e) => visible(e) && e.textContent.trim());
    const boxes = labels.map((e) => e.getBoundingClientRect());
    labels.forEach((e, i) => {
      const scale = Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b);
      const size = parseFloat(getComputedStyle(e).fontSize) * scale;
      if (size < 10.95) found.push(`${place(svg)}: '${words(e)}' has ${size.toFixed(1)} px`);
      const { left, right, top, bottom } = boxes[i];
      const by = Math.max(frame.left - left, right - frame.right, frame.top - top, bottom - frame.bottom);
      if (by > 3) found.push(`${place(svg)}: '${words(e)}' leaves its picture by ${by.toFixed(0)} px`);
      for (let j = 0; j < i; ++j) {
        const wide = Math.min(right, boxes[j].right) - Math.max(left, boxes[j].left);
        const high = Math.min(bottom, boxes[j].bottom) - Math.max(top, boxes[j].top);
        if (wide > 1 && high > 5) found.push(`${place(svg)}: '${words(labels[j])}' and '${words(e)}' lie on each other`);
      }
    });
  }
  for (const svg of [...document.querySelectorAll("figure svg")].filter(visible)) {
    for (const e of [...svg.querySelectorAll("text, tspan")].filter((e) =>
      [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
    )) {
      const { left, right, top, bottom } = e.getBoundingClientRect();
      const style = getComputedStyle(e);
      const has_halo = style.stroke !== "none" && style.paintOrder.startsWith("stroke");
      const below = has_halo ? colour(style.stroke) : ground(svg, e, (left + right) / 2, (top + bottom) / 2);
      const seen = contrast(over(colour(style.fill), below, Number(style.fillOpacity) * opacity(e, svg)), below);
      if (seen < 4.45) found.push(`${place(svg)}: '${words(e)}' has a contrast of ${seen.toFixed(1)}`);
    }
  }

  // Where the keyboard stops, something can be done.
  for (const box of document.querySelectorAll('.vp-doc :is(pre, table, span.math)[tabindex="0"]')) {
    if (visible(box) && box.scrollWidth <= box.clientWidth + 1)
      found.push(`${place(box)}: the keyboard stops at what does not scroll: ${words(box)}`);
  }
  return [...new Set(found)].map((fault) => `${width} px: ${fault}`);
}
