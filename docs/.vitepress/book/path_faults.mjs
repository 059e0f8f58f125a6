// Whether each section of the path uses only what came before it.
import { emptied, visible_half, without_code, without_targets } from "./path.mjs";

// The section that a link of a page leads to, as a key: of a part its section; undefined where it leads out of the chapters.
export function key_of(href, page, ids) {
  const [, path, anchor] = href.match(/^(?:(ch[\w-]+)\.md)?(?:#(.*))?$/) ?? [];
  if (path === undefined && anchor === undefined) return undefined;
  if (path === undefined && !/^ch/.test(page)) return undefined;
  if (anchor === undefined) return path;
  const pieces = anchor.split("-");
  const heads = pieces.map((_, at) => pieces.slice(0, pieces.length - at).join("-"));
  return heads.find((head) => ids.has(head)) ?? anchor;
}

// Each link of a text, but for pictures: { href, at }.
const links_in = (text) =>
  [...without_code(text).matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)].map(({ 1: href, index }) => ({ href, at: index }));

const line_of = (half, at) => half.line + half.text.slice(0, at).split("\n").length - 1;

// What a section of the book is said to stand on: the links of "Needs …" and, unless `needs_alone`, of "Builds on …".
function edges_of(section, ids, needs_alone = false) {
  const said = needs_alone ? [section.needs] : [section.needs, section.stands_on];
  return said.flatMap((text) => links_in(text ?? "")).flatMap(({ href }) => key_of(href, section.page, ids) ?? []);
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
  for (const line of path.unread) complain("path.md", line, "this is neither a program nor a section of the path");
  for (const { number, command, minutes, sections, line, file } of path.programs) {
    if (path.programs[number - 1]?.file !== file) complain("path.md", line, `${file} is not program ${number}`);
    if (`${command}.cpp` !== file) complain("path.md", line, `the section does not say how ${file} is run`);
    else if (!minutes) complain("path.md", line, `behind its command there is no "· 20 min": how long ${file} takes`);
    if (sections.length === 0) complain("path.md", line, `${file} has no table of sections`);
  }
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
  needs_faults(halves, of_book, ids, complain);
  link_faults(halves, ids, complain);
  term_faults(halves, complain);
  return found;
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

function needs_faults(halves, of_book, ids, complain) {
  const earlier = new Set();
  for (const { key, id, page } of halves) {
    for (const needed of id ? edges_of(of_book.get(id), ids, true) : []) {
      if (!earlier.has(needed))
        complain(page, of_book.get(id).line, `${key}: needs ${needed}, which is not earlier on the path`);
    }
    earlier.add(key);
  }
}

function link_faults(halves, ids, complain) {
  const earlier = new Set();
  for (const { key, page, half } of halves) {
    earlier.add(key);
    const text = half.text.replace(/^Needs \[(.+\n?)+/m, emptied); // those are said above
    for (const { href, at } of links_in(text)) {
      const to = key_of(href, page, ids);
      if (to && !earlier.has(to))
        complain(page, line_of(half, at), `${key}: links to ${href}, which is not earlier on the path`);
    }
  }
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const whole = (term) => {
  const words = escaped(term).replace(/\s+/g, "\\s+");
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${words}s?(?![\\p{L}\\p{N}_-])`, "iu");
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
