// In the page: what is wrong with it as it stands, each fault in a few words. Sent to the browser as text.
export function faults(width) {
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
  return [...new Set(found)].map((fault) => `${width} px: ${fault}`);
}
