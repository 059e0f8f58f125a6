// The path through the book: sections in the order in which seven programs need them, as path.md has them, and how long each
// takes to read. Whether each uses only what came before it is asked in path_faults.mjs.
import { parse_page } from "./pages.mjs";
import { snippets } from "./snippets.mjs";
import { is_there, read } from "./tree.mjs";

const TO_TYPE = 2; // minutes, for a snippet
const HEADING = /^## (\d+) · (\w+\.cpp): (.+)$/;
const ROW = /^\| \[(.+?)\]\((ch\d[\w-]*)\.md(?:#([\w-]+))?\) \| *(\d*) *\| \[.*?\]\(.*?\) \| (.*?) \| (.*?) \|$/;
const COMMAND = /^`\.\/examples\/run (\w+)`(?: · (\d+) min)?$/;
const DURATION = "(\\d+\\s+h(?:\\s+\\d+\\s+min)?|\\d+\\s+min)";
export const TOTAL = new RegExp(`(\\bin\\s+all\\s+)${DURATION}(,\\s+programs\\s+(?:and\\s+typing\\s+)?included)`, "gi");
export const READING = new RegExp(`\\b${DURATION}(\\s+of\\s+reading)`, "g");

const page_of_path = () => (is_there("docs/path.md") ? read("docs/path.md") : ""); // that it is gone, path_faults.mjs says

// { programs, sections, unread } of path.md. A program: { number, file, name, command, minutes, line, sections }, with 0 minutes
// where none are said. A section: its place { at, of }, `key` (its id; of a chapter's head its page), `name`, `page`, `id`, `anchor`,
// `minutes`, `terms` and the `line` of path.md. `unread` are the lines that should be one of these and are not.
export function the_path(text = page_of_path()) {
  const programs = [];
  const unread = [];
  text.split("\n").forEach((written, at) => {
    const heading = written.match(HEADING);
    if (heading) programs.push(program_of(heading, at + 1));
    const program = programs.at(-1);
    const run = program && written.match(COMMAND);
    if (run) Object.assign(program, { command: run[1], minutes: Number(run[2] ?? 0) });
    const row = program && written.match(ROW);
    if (row) program.sections.push(section_of(row, at + 1));
    else if (/^(\| *\[|## \d)/.test(written) && !heading) unread.push(at + 1);
  });
  const sections = programs.flatMap((program) => program.sections);
  sections.forEach((section, at) => Object.assign(section, { at: at + 1, of: sections.length }));
  return { programs, sections, unread };
}

const program_of = ([, number, file], line) => ({
  number: Number(number),
  file,
  name: file.replace(".cpp", ""),
  minutes: 0,
  line,
  sections: [],
});

function section_of([, name, page, id, minutes, terms], line) {
  return {
    key: id ?? page,
    name,
    page: `${page}.md`,
    id,
    anchor: id ?? name.toLowerCase().replaceAll(" ", "-"), // of a chapter's head, for the side bar to know where one is
    minutes: Number(minutes),
    terms: terms
      .split(",")
      .map((term) => term.trim())
      .filter(Boolean),
    line,
  };
}

// The address of a section of the path, as the pages write it.
export const href_of = ({ page, id }) => (id ? `${page}#${id}` : page);

export const DEPTH = "In depth"; // the part that begins what is folded

// { text, line } of a section's visible half: from its heading to its part "In depth", of a chapter's head all of it.
export function visible_half({ page, id }, parsed = parse_page(page)) {
  const section = parsed.sections.find((one) => one.id === id);
  const from = id ? section?.line : 1;
  if (!from) return { text: "", line: 1 };
  const depth = section?.parts.find(({ name }) => name === DEPTH)?.line;
  const to =
    depth ?? (id ? section.to + 1 : (parsed.heads.find(({ level }) => level === 2)?.line ?? parsed.lines.length + 1));
  return { text: parsed.lines.slice(from - 1, to - 1).join("\n"), line: from };
}

// Text taken away, with its lines left.
export const emptied = (text) => text.replace(/[^\n]/g, "");
export const without_code = (text) => text.replace(/^ *```[^]*?^ *```$/gm, emptied);
export const without_targets = (text) => text.replace(/\]\([^()]*(\([^()]*\)[^()]*)*\)/g, "]");

// The words that are read: none of code, of display formulas, of what a picture is for those who do not see it.
export function count_words(text) {
  const read = without_code(text)
    .replace(/^\$\$[^]*?\$\$$/gm, "")
    .replace(/^!?\[[^\]]*\]\([^)]*\)$/gm, "")
    .replace(/<[^>]*>/g, " ");
  return without_targets(read)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export const minutes_of = (text) => Math.round(count_words(text) / 70) + 2;

function duration(minutes) {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours && `${hours} h`, (rest || !hours) && `${rest} min`].filter(Boolean).join(" ");
}

// In the place of another, which may go over a line's end.
const in_place_of = (written, minutes) => duration(minutes).replace(/ (?=\S+$)/, written.includes("\n") ? "\n" : " ");

const minutes_in = (all) => all.reduce((sum, { minutes }) => sum + minutes, 0);

// path.md with the minutes of its sections and both totals: of reading alone; and of all, with the programs and what is typed.
export function timed(text = page_of_path()) {
  const minutes = new Map(
    the_path(text)
      .sections.filter(({ page }) => is_there(`docs/${page}`))
      .map((section) => [section.line, minutes_of(visible_half(section).text)]),
  );
  const rows = text.split("\n").map((written, at) => {
    return minutes.has(at + 1) ? written.replace(/\) \| *\d* *\|/, `) | ${minutes.get(at + 1)} |`) : written;
  });
  const path = the_path(rows.join("\n"));
  const reading = minutes_in(path.sections);
  const all = reading + minutes_in(path.programs) + TO_TYPE * snippets(path).length;
  return rows
    .join("\n")
    .replace(TOTAL, (_, before, written, after) => before + in_place_of(written, all) + after)
    .replace(READING, (_, written, after) => in_place_of(written, reading) + after);
}
