// Whether each section of the path uses only what came before it, and whether path.md says of the path what is so.
import { exercises as of_tutor } from "./exercise_links.mjs";
import { emptied, href_of, READING, TOTAL, visible_half, without_code, without_targets } from "./path.mjs";
import { region, shown_lines } from "./sources.mjs";
import { linked } from "./tree.mjs";

// What path.md calls a section whose own name is longer, or begins otherwise.
const short_names = {
  "attn-multi-head": "Heads",
  "block-residual": "The residual connection",
  "ffn-swiglu": "SwiGLU",
  "schedule-cosine": "Warm-up and cosine",
};

// The section that a link of a page leads to, as a key: of a part its section; undefined where it leads out of the chapters.
// `anchors` are the keys of the sections that are a page's head, by their place.
export function key_of(href, page, ids, anchors = new Map()) {
  const [, path, anchor] = href.replace(/^(\.\/)+/, "").match(/^(?:(ch\d[\w-]*)\.md)?(?:#(.*))?$/) ?? [];
  if (path === undefined && anchor === undefined) return undefined;
  if (path === undefined && !/^ch\d/.test(page)) return undefined;
  if (!anchor) return path;
  const of_head = anchors.get(`${path ?? page.replace(/\.md$/, "")}#${anchor}`);
  if (of_head) return of_head;
  const pieces = anchor.split("-");
  const heads = pieces.map((_, at) => pieces.slice(0, pieces.length - at).join("-"));
  return heads.find((head) => ids.has(head)) ?? anchor;
}

const without_spans = (text) => text.replace(/(`+)(?!`)(?:(?!\n\n)[^])*?(?<!`)\1(?!`)/g, (code) => code.replace(/[^\n]/g, " "));

// Where a link or a picture leads, whatever stands in its brackets: "](href)", "](<href> "title")", "[id]: href".
const TARGET =
  /\]\(\s*(?:<([^>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)|^ {0,3}\[[^\]\n]+\]: *<?([^\s>]+)/gm;

// Each link of a text that begins in a line: { href, line }.
function links_in(text = "", line = 1) {
  const plain = without_spans(without_code(text));
  return [...plain.matchAll(TARGET)].map(({ index, ...found }) => ({
    href: unescaped(found[1] ?? found[2] ?? found[3]),
    line: line_of({ text: plain, line }, index),
  }));
}

function line_of({ text, line }, at) {
  return line + text.slice(0, at).split("\n").length - 1;
}

function unescaped(href) {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

// What a section of the book is said to stand on: the links of "Needs …" and of "Builds on …".
function edges_of(section, ids) {
  return [section.needs, section.stands_on]
    .flatMap((text) => links_in(text))
    .flatMap(({ href }) => key_of(href, section.page, ids) ?? []);
}

// A message for each fault of the path, as { page, line, message }.
export function path_faults(path, pages) {
  const by_page = new Map(pages.map((parsed) => [parsed.page, parsed]));
  const of_book = new Map(
    pages.flatMap(({ sections }) => sections.filter(({ is_formula }) => is_formula).map((one) => [one.id, one])),
  );
  const ids = new Set(of_book.keys());
  const found = [];
  const complain = (page, line, message) => found.push({ page, line, message });
  page_faults(path, by_page, complain);
  for (const line of path.unread) complain("path.md", line, "this is neither a program nor a section of the path");
  for (const program of path.programs) program_faults(program, path, (line, message) => complain("path.md", line, message));
  const halves = path.sections
    .filter(({ id, page, line, name }) => {
      const there = id ? of_book.get(id)?.page === page : by_page.has(page);
      if (!there) complain("path.md", line, `${name} has no section ${id ?? ""} in ${page}`);
      return there;
    })
    .map((section) => ({ ...section, half: visible_half(section, by_page.get(section.page)) }));
  for (const circle of circles(new Map([...of_book].map(([id, section]) => [id, edges_of(section, ids)])))) {
    const { page, line } = of_book.get(circle[0]);
    complain(page, line, `needs itself: ${[...circle, circle[0]].join(" → ")}`);
  }
  const anchors = new Map(
    path.sections.filter(({ id }) => !id).map(({ key, anchor }) => [`${key}#${anchor}`, key]),
  );
  const to_section = (href, page) => key_of(href, page, ids, anchors);
  needs_faults(halves, of_book, to_section, complain);
  link_faults(halves, to_section, complain);
  name_faults(halves, by_page, of_book, complain);
  for (const one of halves) {
    fence_faults(one, complain);
    if (!one.id) to_do(one.page, one.half.text, one.half.line, complain); // of the others the lint says it
  }
  term_faults(halves, complain);
  return found;
}

// The table of a part: its sections, then its program, then the exercises that the tutor has there, in the tutor's order.
function program_faults({ number, name, file, line, sections, runs, exercises }, path, complain) {
  if (path.programs[number - 1]?.file !== file) complain(line, `${file} is not program ${number}`);
  if (sections.length === 0) complain(line, `${file} has no table of sections`);
  const [run] = runs;
  if (!run) return complain(line, `${file} has no row [${file}: run, read, change](thread.md#${name})`);
  if (run.id !== name || run.command !== name) complain(run.line, `the row does not say how ${file} is run`);
  if (!run.minutes) complain(run.line, `the row does not say how long ${file} takes`);
  const ordered = [...sections, ...runs, ...exercises];
  if (ordered.some((one, at) => one.at !== ordered[0].at + at))
    complain(run.line, `${file} comes after its sections and before its exercises`);
  for (const one of exercises.filter(({ id, command }) => id !== command))
    complain(one.line, `the row leads to ${one.id} and says how ${one.command} is begun`);
  const [here, there] = [exercises.map(({ id }) => id), of_tutor().filter(({ program }) => program === name).map(({ id }) => id)];
  if (here.join() !== there.join())
    complain(run.line, `${file} is followed by the exercises ${here.join(", ") || "none"}; the tutor has ${there.join(", ") || "none"}`);
}

// The circles that a walk along the edges comes upon, each as its keys in order.
function circles(edges) {
  const found = [];
  const done = new Set();
  const walk = (key, way) => {
    if (way.includes(key)) return found.push(way.slice(way.indexOf(key)));
    if (done.has(key)) return;
    for (const next of edges.get(key) ?? []) walk(next, [...way, key]);
    done.add(key);
  };
  for (const key of edges.keys()) walk(key, []);
  return found;
}

// "Needs [Name](page.md#id), …." and nothing else, each an earlier section of the path.
function needs_faults(halves, of_book, to_section, complain) {
  const earlier = new Set();
  for (const { key, id, page } of halves) {
    const { needs, line } = (id && of_book.get(id)) || {};
    for (const { href } of links_in(needs)) {
      const needed = to_section(href, page);
      if (!earlier.has(needed)) complain(page, line, `${key}: needs ${needed ?? `"${href}"`}, which is not earlier on the path`);
    }
    if (needs && !/^Needs \[[^[\]]+\]\([^()]+\)(,\s+\[[^[\]]+\]\([^()]+\))*\.\s*$/.test(needs))
      complain(page, line, `${key}: "Needs" is followed by more than links: "Needs [Name](page.md#id), …."`);
    earlier.add(key);
  }
}

// What a visible half may lead to, beside what came earlier on the path.
const ALLOWED =
  /^(made\/\w+\/[\w-]+\.(json|svg|output)|(glossary|path|thread)\.md|examples\/[\w-]+\.cpp|\.\.\/(tests|core|nn|optim|examples)\/.+)(#|$)/;
const OF_FIRST = /^inside\.md(#|$)/;

function link_faults(halves, to_section, complain) {
  const earlier = new Set();
  for (const { key, page, at: place, half } of halves) {
    earlier.add(key);
    const text = half.text.replace(/^Needs \[(.+\n?)+/m, emptied); // those are said above
    for (const { href: written, line } of links_in(text, half.line)) {
      const href = written.replace(/^(\.\/)+/, "");
      const to = to_section(href, page);
      if (/#widget-\w+$/.test(href)) continue; // a picture to move
      if (to ? earlier.has(to) : ALLOWED.test(href) || (place === 1 && OF_FIRST.test(href))) continue;
      const what = to ? "is not earlier on the path" : "is nothing that the path leads to";
      complain(page, line, `${key}: links to ${href || '""'}, which ${what}`);
    }
  }
}

function name_faults(halves, by_page, of_book, complain) {
  for (const { key, id, page, name, line } of halves) {
    const own = id ? of_book.get(id).name : by_page.get(page).title;
    if (name !== own && name !== short_names[key])
      complain("path.md", line, `${key} is called "${own}", not "${name}" (short_names in book/path_faults.mjs has others)`);
  }
}

// The code that a visible half shows is checked: lines of the source, what prints what stands below it, what must fail.
function fence_faults({ key, page, half }, complain) {
  const lines = half.text.split("\n");
  for (let at = 0; at < lines.length; ++at) {
    const [, mark, info] = lines[at].match(/^ *(`{3,}|~{3,})(.*)$/) ?? [];
    if (!mark) continue;
    let end = at + 1;
    while (end < lines.length && lines[end].trim() !== mark) ++end;
    const wrong = wrong_fence(lines, at, end, info, page);
    if (wrong) complain(page, half.line + at, `${key}: ${wrong}`);
    at = end;
  }
}

const next_said = (lines, at, step) => {
  while (lines[at] !== undefined && !lines[at].trim()) at += step;
  return lines[at] ?? "";
};

function wrong_fence(lines, at, end, info, page) {
  if (["text", "sh"].includes(info) || /^cpp fails="/.test(info)) return undefined;
  if (info !== "cpp" || !lines[at].startsWith("```"))
    return 'code is in a ```cpp fence, what is printed in a ```text fence, "```sh" is a command';
  if (next_said(lines, end + 1, 1) === "```text") return undefined;
  const [, path, name] = next_said(lines, at - 1, -1).match(/^\[[^\]]+\]\(([\w./-]+\.(?:h|cpp))(?:#([\w.-]+))?\)$/) ?? [];
  if (path && !name && /^\.\.\/examples\/first\/\w+\.cpp$/.test(path)) return undefined; // compared where the page is rendered
  if (path && name && is_region(linked(page, path), name, lines.slice(at + 1, end))) return undefined;
  return "this code is neither a region's nor a program's lines, and no ```text fence below it says what it prints";
}

function is_region(path, name, lines) {
  try {
    return shown_lines(region(path, name)).join("\n") === lines.join("\n");
  } catch {
    return true; // what is wrong with the region is said where the page is rendered
  }
}

const COUNTED = "one two three four five six seven eight nine ten eleven twelve".split(" ");

// What path.md says of the path as a whole; and what is still to do.
function page_faults({ programs, sections }, by_page, complain) {
  const text = by_page.get("path.md")?.lines.join("\n");
  if (text === undefined) return complain("path.md", undefined, "there is no such page");
  if (sections.length === 0) return complain("path.md", 1, "the page has no sections of the path");
  const line_at = (at) => text.slice(0, at).split("\n").length;
  const number = `\\b(\\d+|${COUNTED.join("|")})`;
  for (const [what, pattern, n] of [
    ["short sections", "short\\s+sections", sections.length],
    ["programs", "programs", programs.length],
  ]) {
    const said = [...text.matchAll(new RegExp(`${number}\\s+${pattern}\\b`, "gi"))];
    if (said.length === 0) complain("path.md", 1, `the page does not say how many ${what} the path has`);
    for (const { 1: word, 0: words, index } of said) {
      if ((COUNTED.indexOf(word.toLowerCase()) + 1 || Number(word)) !== n)
        complain("path.md", line_at(index), `says "${words.replace(/\s+/g, " ")}", and there are ${n}`);
    }
  }
  if (!text.match(TOTAL)) complain("path.md", 1, 'the page does not say "In all 7 h 25 min, programs, exercises and typing included"');
  if (!text.match(READING)) complain("path.md", 1, 'the page does not say "3 h 20 min of reading"');
  for (const page of ["path.md", "README.md"]) {
    const lines = by_page.get(page)?.lines ?? [];
    const at = lines.findIndex((line) => /^\[Begin\]/.test(line));
    if (at < 0 || lines[at] !== `[Begin](${href_of(sections[0])})`)
      complain(page, at + 1 || 1, `there is no paragraph [Begin](${href_of(sections[0])}), to the first section`);
  }
  for (const page of ["path.md", "thread.md"])
    to_do(page, by_page.get(page)?.lines.join("\n") ?? "", 1, complain);
}

function to_do(page, text, line, complain) {
  for (const { index } of text.matchAll(/\bTODO\b/g)) complain(page, line_of({ text, line }, index), "this is still TODO");
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
// English plurals: y → ies, x → ces.
const several = [
  [/y$/, "(?:y|ies)"],
  [/[ei]x$/, "(?:[ei]x|[ei]xes|ices)"],
  [/is$/, "[ie]s"],
  [/f$/, "(?:f|ves)"],
  [/(?<=s|x|z|ch|sh)$/, "(?:es)?"],
];
const whole = (term) => {
  const words = escaped(term).replace(/\s+/g, "\\s+");
  const [end, ends] = several.find(([one]) => one.test(words)) ?? [/$/, ""];
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${words.replace(end, ends)}s?(?![\\p{L}\\p{N}_-])`, "iu");
};

function term_faults(halves, complain) {
  const texts = halves.map(({ half }) => without_targets(without_code(half.text)));
  halves.forEach(({ key, terms, line }, at) => {
    for (const term of terms) {
      const word = whole(term);
      if (!word.test(texts[at]))
        complain("path.md", line, `${key}: its visible half does not have the new word "${term}"`);
      halves.slice(0, at).forEach((other, before) => {
        const match = word.exec(texts[before]);
        if (!match) return;
        const there = line_of({ ...other.half, text: texts[before] }, match.index);
        complain(other.page, there, `${other.key}: says "${term}", which ${key} introduces, later on the path`);
      });
    }
  });
}
