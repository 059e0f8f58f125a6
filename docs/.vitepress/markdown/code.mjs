// Code as HTML: C++ as it is parsed where one writes it, the sides of a diff, the comments of a shell.
import { parser } from "@lezer/cpp";
import { highlightCode, tagHighlighter } from "@lezer/highlight";
import { escaped } from "../../kit/words.mjs";
import { coloured } from "../theme/code.mjs";

const colours = tagHighlighter(coloured.flatMap(({ name, tags }) => tags.map((tag) => ({ tag, class: name }))));

const span = (text, name) => (name ? `<span class="${name}">${escaped(text)}</span>` : escaped(text));

function cpp_lines(code) {
  const lines = [""];
  const put = (text, name) => (lines[lines.length - 1] += span(text, name));
  highlightCode(code, parser.parse(code), colours, put, () => lines.push(""));
  return lines;
}

const sides = { "+": "inserted", "-": "deleted" };
const diff_line = (line) => span(line, sides[line[0]]);

function shell_line(line) {
  const comment = line.search(/(?<!\S)#/);
  return comment < 0 ? escaped(line) : escaped(line.slice(0, comment)) + span(line.slice(comment), "comment");
}

const lines_of = new Map([
  ["cpp", cpp_lines],
  ["diff", (code) => code.split("\n").map(diff_line)],
  ["sh", (code) => code.split("\n").map(shell_line)],
]);

const plain_lines = (code) => code.split("\n").map(escaped);

const code_lines = (code, language) => (lines_of.get(language) ?? plain_lines)(code.trimEnd());

const listing = (lines, about = "") => `<pre${about}><code>${lines.join("\n")}</code></pre>`;

// The spaces before a line have an element, and the line knows their number: what does not fit stands below, further in, and on a
// narrow page the spaces shrink.
function line_that_wraps(html) {
  const [, open, spaces, rest] = /^((?:<span[^>]*>)?)( *)([^]*)$/.exec(html);
  const space = spaces ? `<span class="in">${spaces}</span>` : "";
  return `<span class="line" style="--spaces:${spaces.length}ch">${space}${open}${rest}</span>`;
}

// What a terminal shows is not broken.
export function highlight(code, language) {
  const lines = code_lines(code, language);
  return listing(["cpp", "diff"].includes(language) ? lines.map(line_that_wraps) : lines);
}

// For a page that shows a whole file, which may scroll to the side: each line with its number.
export const numbered = (code, language) =>
  listing(
    code_lines(code, language).map((line, i) => `<span class="line" id="L${i + 1}" data-n="${i + 1}">${line}</span>`),
    ' tabindex="0"',
  );
