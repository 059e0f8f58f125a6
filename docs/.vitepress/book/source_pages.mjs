// The source files that pages point to, as pages of their own with numbered lines: source/nn/norm/rms_norm.cpp.html#L7.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHighlighter } from "shiki";
import { read } from "./tree.mjs";

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e4e7eb); --paper: light-dark(#fff, #14171c);
  --soft: light-dark(#57606a, #a3acb7); --panel: light-dark(#f6f7f9, #1d2128) }
body { margin: 1rem; background: var(--paper); color: var(--ink); font: 14px/1.5 ui-monospace, "DejaVu Sans Mono", monospace }
a { color: light-dark(#046ede, #4b9bf5) } pre { margin: 0; background: none !important; overflow-x: auto }
.line::before { content: attr(data-n); display: inline-block; width: 4ch; margin-right: 2ch; text-align: right; color: var(--soft) }
.line:target { background: light-dark(#fff3d6, #3a2a17) }
@media (prefers-color-scheme: dark) { .shiki span { color: var(--shiki-dark) !important } }`;

const page = (path, code) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${path}</title><style>${style}</style></head>
<body><h1 style="font-size: 1em">${path}</h1>${code}</body></html>
`;

// The paths that the built pages link to.
function wanted(out) {
  const html = readdirSync(out).filter((name) => name.endsWith(".html"));
  const links = html.flatMap((name) => [...readFileSync(join(out, name), "utf8").matchAll(/href="source\/([\w./-]+)\.html/g)]);
  return new Set(links.map(([, path]) => path));
}

const languages = { cpp: "cpp", h: "cpp", sh: "bash", js: "javascript", mjs: "javascript", json: "json" };

export async function write_source_pages(out) {
  const highlighter = await createHighlighter({ themes: ["github-light", "github-dark"], langs: ["cpp", "bash", "javascript", "json"] });
  for (const path of wanted(out)) {
    let number = 0;
    const code = highlighter
      .codeToHtml(read(path), {
        lang: languages[path.split(".").at(-1)] ?? "text",
        themes: { light: "github-light", dark: "github-dark" },
      })
      .replaceAll('<span class="line">', () => `<span class="line" id="L${++number}" data-n="${number}">`);
    const to = join(out, "source", `${path}.html`);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, page(path, code));
  }
}
