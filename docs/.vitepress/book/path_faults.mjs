// Whether each section of the path uses only what came before it, and whether path.md says of the path what is so.
import { createMarkdownRenderer, disposeMdItInstance } from "vitepress";
import { exercises as of_tutor } from "./exercise_links.mjs";
import { emptied, href_of, SUMS, visible_half, without_code, without_targets } from "./path.mjs";
import { region, shown_lines } from "./sources.mjs";
import { docs, linked } from "./tree.mjs";

// Markdown without the rules of the book.
const md = await createMarkdownRenderer(docs, { highlight: (code) => code, anchor: { permalink: false } });
disposeMdItInstance(); // or VitePress would give this one to whoever asks next

// What path.md calls a section whose own name is longer, or begins otherwise.
const short_names = {
  "attn-multi-head": "Heads",
  "block-residual": "The residual connection",
  "ffn-swiglu": "SwiGLU",
  "schedule-cosine": "Warm-up and cosine",
};

// The section that a link of a page leads to, as a key: of a part its section; undefined where it leads out of the chapters.
// `anchors` are the keys of the sections that are a page's head, by their place.
function key_of(href, page, ids, anchors = new Map()) {
  const [, path, anchor] = href.match(/^(?:(ch\d[\w-]*)\.md)?(?:#(.*))?$/) ?? [];
  if (path === undefined && anchor === undefined) return undefined;
  if (path === undefined && !/^ch\d/.test(page)) return undefined;
  if (!anchor) return path;
  const of_head = anchors.get(`${path ?? page.replace(/\.md$/, "")}#${anchor}`);
  if (of_head) return of_head;
  const pieces = anchor.split("-");
  const heads = pieces.map((_, at) => pieces.slice(0, pieces.length - at).join("-"));
  return heads.find((head) => ids.has(head)) ?? anchor;
}

// Each link and picture of a text that begins in a line: { href, line }.
function links_in(text = "", first = 1) {
  let line = first;
  return md.parse(text, {}).flatMap(({ map, children }) => {
    if (map) line = first + map[0];
    let at = line;
    return (children ?? []).flatMap((token) => {
      if (token.type === "softbreak") ++at;
      const href = token.attrGet("href") ?? token.attrGet("src");
      return href === null ? [] : [{ href: decodeURIComponent(href), line: at }];
    });
  });
}

const line_of = ({ text, line }, at) => line + text.slice(0, at).split("\n").length - 1;

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
  for (const one of halves) fence_faults(one, complain);
  term_faults(halves, complain);
  return found;
}

// The table of a part: its sections, then its program, then the exercises that the tutor has there, in the tutor's order.
function program_faults({ number, name, file, line, sections, runs, exercises }, path, complain) {
  if (path.programs[number - 1]?.file !== file) complain(line, `${file} is not program ${number}`);
  if (sections.length === 0) complain(line, `${file} has no table of sections`);
  const [run] = runs;
  if (!run) return complain(line, `${file} has no row [${file}: run, read, change](thread.md#${name})`);
  if (run.id !== name) complain(run.line, `the row is not that of ${file}`);
  const ordered = [...sections, ...runs, ...exercises];
  if (ordered.some((one, at) => one.at !== ordered[0].at + at))
    complain(run.line, `${file} comes after its sections and before its exercises`);
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
    for (const { href, line } of links_in(text, half.line)) {
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
  const tokens = md.parse(half.text, {});
  tokens.forEach((token, at) => {
    const wrong = token.type === "fence" && wrong_fence(token, tokens[at - 2], tokens[at + 1], page);
    if (wrong) complain(page, half.line + token.map[0], `${key}: ${wrong}`);
  });
}

// `before` is what the paragraph above the fence has, if there is one.
function wrong_fence({ info, markup, content }, before, after, page) {
  if (["text", "sh"].includes(info) || /^cpp fails="/.test(info)) return undefined;
  if (info !== "cpp" || markup !== "```")
    return 'code is in a ```cpp fence, what is printed in a ```text fence, "```sh" is a command';
  if (after?.info === "text") return undefined;
  const link = /^\[[^\]]+\]\([^)]+\)$/.test(before?.content) && before.children[0].attrGet("href");
  const [path, name] = (link || "").split("#");
  if (/^\.\.\/examples\/first\/\w+\.cpp$/.test(link)) return undefined; // compared where the page is rendered
  if (name && is_region(linked(page, path), name, content)) return undefined;
  return "this code is neither a region's nor a program's lines, and no ```text fence below it says what it prints";
}

function is_region(path, name, text) {
  try {
    return `${shown_lines(region(path, name)).join("\n")}\n` === text;
  } catch {
    return true; // what is wrong with the region is said where the page is rendered
  }
}

// What path.md says of the path as a whole.
function page_faults({ sections }, by_page, complain) {
  const text = by_page.get("path.md").lines.join("\n");
  if (sections.length === 0) return complain("path.md", 1, "the page has no sections of the path");
  if (!SUMS.test(text)) complain("path.md", 1, 'there is no line "The 25 sections take …"');
  for (const page of ["path.md", "README.md"]) {
    const lines = by_page.get(page)?.lines ?? [];
    const at = lines.findIndex((line) => /^\[Begin\]/.test(line));
    if (at < 0 || lines[at] !== `[Begin](${href_of(sections[0])})`)
      complain(page, at + 1 || 1, `there is no paragraph [Begin](${href_of(sections[0])}), to the first section`);
  }
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
// A term, or several; where these have another form, path.md has both.
const whole = (term) => {
  const words = escaped(term).replace(/\s+/g, "\\s+");
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${words}(?:e?s)?(?![\\p{L}\\p{N}_-])`, "iu");
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
