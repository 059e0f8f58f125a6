// A comment of the source as HTML: its lines run on, but for formulas and items, which keep a line of their own; names that the reference
// has lead to their place.
import { escaped } from "../../kit/words.mjs";

const is_formula = (line) => /^\s{2,}\S/.test(line) || /\S {3,}\S/.test(line);

// Lines in paragraphs, which empty lines part; in each the pieces { kind, text }: words, items of a list, formulas.
function paragraphs(lines) {
  const all = [[]];
  for (const line of lines) {
    const last = all.at(-1).at(-1);
    if (!line.trim()) all.push([]);
    else if (line.startsWith("- ")) all.at(-1).push({ kind: "item", text: line.slice(2) });
    else if (last?.kind === "item" && line.startsWith("  ")) last.text += ` ${line.trim()}`;
    else if (is_formula(line)) all.at(-1).push({ kind: "said", text: line.replace(/^ {2}/, "") });
    else if (last?.kind === "words") last.text += ` ${line.trim()}`;
    else all.at(-1).push({ kind: "words", text: line.trim() });
  }
  return all.filter((pieces) => pieces.length > 0);
}

// Where in a text a name of the source may stand: with an underscore, or a capital inside.
const NAME = /`[^`]+`|\b(?:\w+::)*(?:[a-z]\w*_\w+|[A-Z]\w*[a-z]\w*[A-Z]\w*)\b/g;

function with_links(text, link_of) {
  let html = "";
  let at = 0;
  for (const match of text.matchAll(NAME)) {
    const name = match[0].replaceAll("`", "");
    const link = link_of(name);
    if (!link && !match[0].startsWith("`")) continue;
    const code = `<code>${escaped(name)}</code>`;
    html += escaped(text.slice(at, match.index)) + (link ? `<a href="${link}">${code}</a>` : code);
    at = match.index + match[0].length;
  }
  return html + escaped(text.slice(at));
}

export function prose(lines, link_of = () => undefined) {
  const html = (text) => with_links(text, link_of).replace(/\*(\w+)\*/g, "<em>$1</em>");
  const piece = ({ kind, text }) => (kind === "words" ? html(text) : `<span class="${kind}">${html(text)}</span>`);
  return paragraphs(lines)
    .map((pieces) => `<p>${pieces.map(piece).join("\n")}</p>`)
    .join("\n");
}
