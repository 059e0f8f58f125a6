// What the book takes from the source: the regions, and the titles of the tests.
import { files, read } from "./tree.mjs";

const once = (make) => {
  let value;
  return () => (value ??= make());
};

const all_sources = once(() => {
  const sources = ["core", "nn", "optim", "examples", "tests/bench"].flatMap((floor) => files(floor, /\.(h|cpp)$/));
  return new Map(sources.map((path) => [path, read(path).split("\n")]));
});

// name → the places { path, first, last } of that name: first and last are the numbers of its first and last line.
export const regions = once(() => {
  const found = new Map();
  for (const [path, lines] of all_sources()) {
    lines.forEach((line, at) => {
      const name = line.match(/^\s*\/\/ #region (\S+)$/)?.[1];
      if (!name) return;
      const end = lines.findIndex((other, i) => i > at && other.trim() === `// #endregion ${name}`);
      found.set(name, [...(found.get(name) ?? []), { path, first: at + 2, last: end }]);
    });
  }
  return found;
});

const is_marker = (line) => /^\s*\/\/ #(end)?region /.test(line);

// The region { path, first, last, lines }. Throws what is wrong with it: that it is missing, empty, twice there, does not end, or
// is in another file.
export function region(path, name) {
  const places = regions().get(name) ?? [];
  if (places.length === 0) throw new Error(`there is no region ${name}`);
  if (places.length > 1) throw new Error(`the region ${name} is there twice: ${places.map((p) => p.path).join(", ")}`);
  const [{ path: where, first, last }] = places;
  if (where !== path) throw new Error(`the region ${name} is in ${where}, not in ${path}`);
  if (last < 0) throw new Error(`the region ${name} does not end`);
  const lines = all_sources()
    .get(path)
    .slice(first - 1, last)
    .filter((text) => !is_marker(text));
  if (!lines.some((text) => text.trim())) throw new Error(`the region ${name} is empty`);
  return { path, first, last, lines };
}

// The lines of a region as they are shown: a #pragma stands at the margin, the others as far to the left as they go.
export function shown_lines({ lines }) {
  const code = lines.filter((text) => text.trim() && !text.startsWith("#"));
  const indent = Math.min(...code.map((text) => text.search(/\S/)));
  return lines.map((text) => (text.startsWith("#") ? text : text.slice(indent)));
}

const indent_of = (line) => line.search(/\S|$/);

// Where the lines that a page shows stand in a source, in a row and all as much further in: { path, first, last, lines }.
// `differs` is the first that does not, at the place where the most do: its number `at` among them, from 0, and what is wrong.
export function excerpt(path, lines) {
  const source = all_sources().get(path);
  if (!source) throw new Error(`there is no ${path}`);
  if (!lines.some((line) => line.trim())) throw new Error(`no lines of ${path} stand below the link to it`);
  const places = source.map((_, start) => {
    const further = " ".repeat(Math.max(0, indent_of(source[start]) - indent_of(lines[0])));
    const there = source
      .slice(start, start + lines.length)
      .map((line) => (line.startsWith(further) ? line.slice(further.length) : line));
    const equal = lines.map((line, at) => line === there[at]);
    const same = equal.indexOf(false) < 0 ? lines.length : equal.indexOf(false);
    return { first: start + 1, there, same, alike: lines.filter((line, at) => equal[at] && /\w/.test(line)).length };
  });
  const { first, there, same, alike } = places.sort((a, b) => b.same - a.same || b.alike - a.alike)[0];
  const found = { path, first, last: first + lines.length - 1, lines };
  if (same === lines.length) return found;
  const { at, is, not } = { at: first + same, is: there[same], not: lines[same] };
  const differs = (message) => ({ ...found, differs: { at: same, message } });
  if (alike === 0 || is === undefined) return differs(`${path} has no line "${not.trim()}" there`);
  if (is.trim() === not.trim()) return differs(`${path}:${at} does not begin as far in: "${not.trim()}"`);
  return differs(`${path}:${at} is "${is.trim()}", not "${not.trim()}"`);
}

// The title of each test → { path, line }. A title may be several literals, one after the other.
export const tests = once(() => {
  const found = new Map();
  for (const path of files("tests", /\.cpp$/)) {
    const text = read(path).replace(/^ *\/\/.*$/gm, "");
    for (const match of text.matchAll(/TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)/g)) {
      const title = [...match[1].matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => part).join("");
      found.set(title, { path, line: text.slice(0, match.index).split("\n").length });
    }
  }
  return found;
});

// The ids at the head of a test's title: "norm-rms, norm-layer: what is asserted".
export const tags = (title) => (title.includes(": ") ? title.split(": ")[0].split(", ") : []);
