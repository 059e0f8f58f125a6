// The path through the book, as path.md has it: for each of seven programs the sections that it needs, the program itself, and
// exercises; and how long each takes. Whether each section uses only what came before it is asked in path_faults.mjs.
import { exercises } from "./exercise_links.mjs";
import { parse_page } from "./pages.mjs";
import { snippets } from "./snippets.mjs";
import { is_there, read } from "./tree.mjs";

const TO_TYPE = 2; // minutes, for a snippet
const HEADING = /^## (\d+) · (\w+\.cpp): (.+)$/;
const ROW = /^\| \[(.+?)\]\((ch\d[\w-]*)\.md(?:#([\w-]+))?\) \| *(\d*) *\| \[.*?\]\(.*?\) \| (.*?) \| (.*?) \|$/;
const PROGRAM = /^\| \[(.+?)\]\((thread)\.md#(\w+)\) \| *(\d+) *\| `\.\/examples\/run \3` \| *\| .*? \|$/;
const EXERCISE = /^\| \[(.+?)\]\((exercises)\.md#([\w-]+)\) \| *(\d*) *\| `\.\/examples\/run exercises new \3` \| *\| .*? \|$/;
export const SUMS = /^The \d+ sections take .*$/m;

// { programs, sections, exercises, stations, unread } of path.md. A program: { number, file, name, line, sections, runs, exercises }.
// A station is what a row of path.md names, in their order: a section, a program or an exercise, with its place { at, of }, `key`
// (its id; of a chapter's head its page), `name`, `page`, `id`, `anchor`, `minutes` and the `line` of path.md; a section has `terms`,
// too. `unread` are the lines that should be one of these and are not.
export function the_path(text = read("docs/path.md")) {
  const programs = [];
  const unread = [];
  const stations = [];
  text.split("\n").forEach((written, at) => {
    const heading = written.match(HEADING);
    if (heading) programs.push(program_of(heading, at + 1));
    const found = programs.length > 0 && station_of(written);
    if (found) {
      const station = { ...found.station, line: at + 1 };
      stations.push(station);
      programs.at(-1)[found.kind].push(station);
    } else if (/^(\| *\[|## \d)/.test(written) && !heading) unread.push(at + 1);
  });
  stations.forEach((station, at) => Object.assign(station, { at: at + 1, of: stations.length }));
  const all = (kind) => programs.flatMap((program) => program[kind]);
  return { programs, sections: all("sections"), exercises: all("exercises"), stations, unread };
}

const program_of = ([, number, file], line) => ({
  number: Number(number),
  file,
  name: file.replace(".cpp", ""),
  line,
  sections: [],
  runs: [], // its own station
  exercises: [],
});

function station_of(written) {
  for (const [kind, pattern] of [["sections", ROW], ["runs", PROGRAM], ["exercises", EXERCISE]]) {
    const match = written.match(pattern);
    if (match) return { kind, station: (kind === "sections" ? section_of : step_of)(match) };
  }
  return undefined;
}

const step_of = ([, name, page, id, minutes]) => ({
  key: `${page}#${id}`,
  name,
  page: `${page}.md`,
  id,
  anchor: id,
  minutes: Number(minutes),
});

function section_of([, name, page, id, minutes, terms]) {
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
  };
}

// The id by which a heading of a page is a station, if it is one: the part of a program on thread.md, an exercise on its page.
export const id_of_heading = (page, text) =>
  page === "thread.md" ? text.match(/^\d+ · (\w+)\.cpp/)?.[1] : page === "exercises.md" ? text : undefined;

// The address of a section of the path, as the pages write it.
export const href_of = ({ page, id }) => (id ? `${page}#${id}` : page);

export const DEPTH = "In depth"; // the part that begins what is folded

// { text, line } of a section's visible half: from its heading to its part "In depth", of a chapter's head all of it.
export function visible_half({ page, id }, parsed = parse_page(page)) {
  const section = parsed.sections.find((one) => one.id === id);
  const from = id ? section?.line : 1;
  if (!from) return { text: "", line: 1 };
  const depth = section?.parts.find(({ name }) => name === DEPTH)?.line;
  const to = depth ?? (id ? section.to + 1 : (parsed.heads.find(({ level }) => level === 2)?.line ?? parsed.lines.length + 1));
  return { text: parsed.lines.slice(from - 1, to - 1).join("\n"), line: from };
}

// Text taken away, with its lines left.
export const emptied = (text) => text.replace(/[^\n]/g, "");
export const without_code = (text) => text.replace(/^ *```[^]*?^ *```$/gm, emptied);
export const without_targets = (text) => text.replace(/\]\([^()]*(\([^()]*\)[^()]*)*\)/g, "]");

// The words that are read: none of code, of display formulas, of what a picture is for those who do not see it.
function count_words(text) {
  const read = without_code(text)
    .replace(/^\$\$[^]*?\$\$$/gm, "")
    .replace(/^!?\[[^\]]*\]\([^)]*\)$/gm, "")
    .replace(/<[^>]*>/g, " ");
  return without_targets(read)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const minutes_of = (text) => Math.round(count_words(text) / 70) + 2;

function duration(minutes) {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours && `${hours} h`, (rest || !hours) && `${rest} min`].filter(Boolean).join(" ");
}

const minutes_in = (all) => all.reduce((sum, { minutes }) => sum + minutes, 0);

// path.md with the minutes of its sections and exercises, and the line of their sums: of reading alone; and of all, with what is
// typed.
export function timed(text = read("docs/path.md")) {
  const written = the_path(text);
  const known = exercises();
  const minutes = new Map([
    ...written.sections
      .filter(({ page }) => is_there(`docs/${page}`))
      .map((section) => [section.line, minutes_of(visible_half(section).text)]),
    ...written.exercises.map(({ line, id, minutes: now }) => [line, known.find((one) => one.id === id)?.minutes ?? now]),
  ]);
  const rows = text.split("\n").map((written, at) => {
    return minutes.has(at + 1) ? written.replace(/\) \| *\d* *\|/, `) | ${minutes.get(at + 1)} |`) : written;
  });
  const path = the_path(rows.join("\n"));
  const all = minutes_in(path.stations) + TO_TYPE * snippets(path).length;
  const sums = `The ${path.sections.length} sections take ${duration(minutes_in(path.sections))} to read; ` +
    `with programs, exercises and typing it is ${duration(all)} in all.`;
  return rows.join("\n").replace(SUMS, sums);
}
