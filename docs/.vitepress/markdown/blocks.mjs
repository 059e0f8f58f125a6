// What stands for a paragraph: a region of the source, the output of a program, a picture.
import { escaped } from "../../kit/words.mjs";
import { program_of } from "../book/outputs.mjs";
import { region, shown_lines } from "../book/sources.mjs";
import { read } from "../book/tree.mjs";
import { reference_of } from "../reference/names.mjs";
import { highlight } from "./code.mjs";
import { source_link } from "./html.mjs";

// Marks an identifier of the code wherever it stands in highlighted HTML, outside of tags and of other words.
function lit(html, terms) {
  const names = new Map(terms.filter(({ code }) => code).map(({ code, name }) => [code, name]));
  if (names.size === 0) return html;
  const words = [...names.keys()].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return html.replace(/>([^<]+)</g, (_, text) => {
    const marked = text.replace(new RegExp(`(?<![\\w&])(${words})(?!\\w)`, "g"), (word) => {
      return `<span data-term="${names.get(word)}">${word}</span>`;
    });
    return `>${marked}<`;
  });
}

function in_reference(region) {
  const place = reference_of(region);
  if (!place) return "";
  return `· reference: <a href="reference/${place.page}.html#${place.anchor}"><code>${escaped(place.name)}</code></a>`;
}

// The HTML of lines of the source: where they are, what they are, and the lines. `about` are attributes.
function lines_html({ path, first, last, lines }, about, what, terms) {
  const html = highlight(shown_lines({ lines }).join("\n"), "cpp");
  const where = source_link(path, `<code>${path}:${first}–${last}</code>`, first);
  const head = `<div class="where">${[where, what].filter(Boolean).join(" ")}</div>`;
  return `<div class="region" data-file="${path}"${about}>${head}${lit(html, terms)}</div>\n`;
}

export function region_html(path, name, terms) {
  const what = /\.kernel\b/.test(name) ? "the fast path" : in_reference(name);
  return lines_html(region(path, name), ` data-region="${name}"`, what, terms);
}

// The HTML of what `excerpt` of book/sources.mjs has found.
export const excerpt_html = (found, terms) => lines_html(found, "", "", terms);

export function output_html(path) {
  const program = program_of(path);
  return (
    `<div class="output"><div class="where">${source_link(program, `<code>${program}</code>`)} prints</div>` +
    `<pre><code>${escaped(read(path))}</code></pre></div>\n`
  );
}

// A picture that the reader can move has an id, and, where `moves`, a place for its knobs.
export function figure_html(name, alt, caption, { wide, narrow }, moves) {
  const is_widget = name.startsWith("widget-");
  const drawn = (kind, svg) => (svg ? `<div class="${kind}">${svg}</div>` : "");
  return (
    `<figure class="figure${narrow ? "" : " one-size"}" data-figure="${name}"${is_widget ? ` id="${name}"` : ""} aria-label="${
      escaped(alt)
    }">` +
    `${drawn("wide", wide)}${drawn("narrow", narrow)}${is_widget && moves ? '<div class="widget-place"></div>' : ""}` +
    `${caption ? `<figcaption>${caption}</figcaption>` : ""}</figure>\n`
  );
}

// A picture that moves; for whoever wants no motion, the one of the same name that does not.
export const moving_html = (gif, alt) =>
  `<p class="moving"><picture><source srcset="${gif.replace(/gif$/, "png")}" media="(prefers-reduced-motion: reduce)">` +
  `<img src="${gif}" alt="${escaped(alt)}"></picture></p>\n`;
