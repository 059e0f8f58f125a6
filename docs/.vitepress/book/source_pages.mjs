// The source files that pages point to, as pages of their own with numbered lines: source/nn/norm/rms_norm.cpp.html#L7.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { numbered } from "../markdown/code.mjs";
import { read, root } from "./tree.mjs";

const look = `
body { margin: 1rem; background: var(--paper); color: var(--ink); font: 14px/1.5 ui-monospace, "DejaVu Sans Mono", monospace }
h1 { font-size: 1em; overflow-wrap: anywhere } a { color: var(--value) } pre { margin: 0; background: none !important; overflow-x: auto }
.line::before { content: attr(data-n); display: inline-block; width: 4ch; margin-right: 2ch; text-align: right; color: var(--soft) }
.line:target { background: light-dark(#fff3d6, #3a2a17) }
:root { color-scheme: light dark } :root.light { color-scheme: light } :root.dark { color-scheme: dark }`;

const page = (path, code, up = "../".repeat(path.split("/").length - 1)) =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${path}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${up}look.css">
<script>const chosen = localStorage.getItem("vitepress-theme-appearance"); // as the book's own pages
if (["dark", "light"].includes(chosen)) document.documentElement.className = chosen</script></head>
<body><p><a href="${up}../index.html">The book</a></p><h1>${path}</h1>${code}</body></html>
`;

// The paths that the built pages link to.
function wanted(out) {
  const html = ["", "reference"].flatMap((folder) => readdirSync(join(out, folder)).map((name) => join(folder, name)));
  const links = html
    .filter((name) => name.endsWith(".html"))
    .flatMap((name) => [...readFileSync(join(out, name), "utf8").matchAll(/href="(?:\.\.\/)?source\/([\w./-]+)\.html/g)]);
  return new Set(links.map(([, path]) => path));
}

const languages = { cpp: "cpp", h: "cpp", sh: "sh" };

const code_of = (path) => numbered(read(path), languages[path.split(".").at(-1)]);

// A folder is the list of its files.
function list_of(folder) {
  const names = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isFile());
  const name = folder.split("/").at(-1);
  return `<ul>${names.map((file) => `<li><a href="${name}/${file.name}.html">${file.name}</a></li>`).join("")}</ul>`;
}

const is_folder = (path) => statSync(join(root, path)).isDirectory();

export function write_source_pages(out) {
  const style = ["kit/tokens.css", ".vitepress/theme/code.css"].map((name) => read(`docs/${name}`));
  mkdirSync(join(out, "source"), { recursive: true });
  writeFileSync(join(out, "source/look.css"), [...style, look].join("\n"));
  const paths = wanted(out);
  const within = (folder) =>
    readdirSync(join(root, folder))
      .map((name) => `${folder}/${name}`)
      .filter((path) => !is_folder(path));
  for (const path of new Set([...paths].flatMap((path) => (is_folder(path) ? [path, ...within(path)] : [path])))) {
    const to = join(out, "source", `${path}.html`);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, page(path, is_folder(path) ? list_of(path) : code_of(path)));
  }
}
