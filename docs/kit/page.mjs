// In the browser: draws the report of the JSON that the program put into the page.
import { page_of, read_data } from "./report.mjs";

const put = (id) => document.getElementById(id)?.textContent;
const data = read_data(put("data"));
document.getElementById("report").innerHTML = page_of(data);
document.title = `${document.querySelector("h1").textContent} · Gradus`;
// A picture in light colours: each variable is replaced by the first colour of its light-dark().
function file_of(svg) {
  const tokens = getComputedStyle(document.documentElement);
  const light = (all, name) => tokens.getPropertyValue(name).match(/#[0-9a-f]{6}/)?.[0] ?? all;
  const inside = svg.innerHTML.replace(/var\((--[a-z0-9]+)\)/g, light).replaceAll("&nbsp;", " ");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  const paper = '<rect width="100%" height="100%" fill="white"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif">${paper}${inside}</svg>`;
}
for (const link of document.querySelectorAll("a.svg-file")) {
  link.href = `data:image/svg+xml,${encodeURIComponent(file_of(link.closest("figure").querySelector("svg")))}`;
}

for (const frame of document.querySelectorAll("iframe.viewer")) frame.srcdoc = JSON.parse(put("viewer"));
