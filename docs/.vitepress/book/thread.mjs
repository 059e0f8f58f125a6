// The page of the thread: what is new in each of its programs, as a difference from the one before, and the sections that explain
// its lines. A program says them itself: `// [op-mul]` at the end of a line, or of the comment above it.
import { longest_common } from "../../kit/common.mjs";
import { chapter_of } from "./chapters.mjs";
import { parse_page } from "./pages.mjs";
import { href_of } from "./path.mjs";
import { is_there, read } from "./tree.mjs";

const source_of = (name) => `examples/first/${name}.cpp`;
const source = (name) => read(source_of(name)).trimEnd().split("\n");
const thread_md = () => read("docs/thread.md");

// The lines of `after`, with those of `before` that are gone: " same", "-gone", "+new". A longest common subsequence, in which a
// bare brace or an empty line between changes is no match.
export function difference(before, after) {
  const lines = [];
  let i = 0, j = 0;
  for (const [same_i, same_j] of [...longest_common(before, after), [before.length, after.length]]) {
    while (i < same_i) lines.push({ gone: before[i++] });
    while (j < same_j) lines.push({ fresh: after[j++] });
    if (i < before.length) lines.push({ both: before[i++], at: j++ });
  }
  return grouped(lines.map((line, at) => (alone(lines, at) ? { gone: line.both, fresh: line.both } : line)));
}

const trivial = (text) => /^[\s{}();]*$/.test(text);

// A line that says nothing, between changes: of the lines that say something, neither the one before nor the one after stays.
function alone(lines, at) {
  if (lines[at].both === undefined || !trivial(lines[at].both)) return false;
  return [-1, 1].every((step) => {
    let next = at + step;
    while (lines[next]?.both !== undefined && trivial(lines[next].both)) next += step;
    return lines[next]?.both === undefined;
  });
}

// What is gone stands before what is new, from one line that stays to the next.
function grouped(lines) {
  const result = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && lines[end].both === undefined) ++end;
    const changed = lines.slice(at, end);
    result.push(...changed.flatMap(({ gone }) => (gone === undefined ? [] : [`-${gone}`])));
    result.push(...changed.flatMap(({ fresh }) => (fresh === undefined ? [] : [`+${fresh}`])));
    if (end < lines.length) result.push(` ${lines[end].both}`);
    at = end + 1;
  }
  return result;
}

// Long runs of lines that stay, or are gone, become one line that counts them.
function shortened(lines) {
  const result = [];
  for (let at = 0; at < lines.length;) {
    const [mark] = lines[at];
    let end = at;
    while (end < lines.length && lines[end][0] === mark) ++end;
    const most = { " ": 6, "-": 16 }[mark] ?? Infinity;
    if (end - at > most) result.push(`@@ ${end - at} lines ${mark === "-" ? "are gone" : "as before"} @@`);
    else result.push(...lines.slice(at, end));
    at = end;
  }
  return result;
}

// The name and place of the section that an id names; undefined where there is none. On the path it is called as path.md calls it.
function title_of(id, path) {
  const on_path = path.sections.find(({ key }) => key === id);
  if (on_path) return { name: on_path.name, href: href_of(on_path) };
  for (const page of (chapter_of(id)?.pages ?? []).filter((one) => is_there(`docs/${one}`))) {
    const section = parse_page(page).sections.find((one) => one.id === id);
    if (section) return { name: section.name ?? id, href: `${page}#${id}` };
  }
  return undefined;
}

// The lines of a program that name sections, as { line, code, ids }. What a comment above a line names is the line's.
function tagged(lines) {
  return lines.flatMap((text, at) => {
    const comment = text.match(/\/\/.*/)?.[0] ?? "";
    const ids = [...comment.matchAll(/\[([a-z]+(?:-[a-z0-9]+)+|ch00)\]/g)].map(([, id]) => id);
    const below = text.trim() === comment ? 1 : 0;
    const code = lines[at + below]?.replace(/\s*\/\/.*/, "").trim();
    return ids.length === 0 ? [] : [{ line: at + below + 1, code, ids }];
  });
}

// `complain` gets the line of an id that has no section.
function table(name, before, path, complain) {
  const known = new Set(before ? tagged(source(before)).flatMap(({ ids }) => ids) : []);
  const rows = tagged(source(name))
    .map(({ ids, ...row }) => ({ ...row, ids: ids.filter((id) => !known.has(id)) }))
    .map(({ ids, ...row }) => ({ ...row, titles: ids.flatMap((id) => title_of(id, path) ?? complain(row.line, id) ?? []) }))
    .filter(({ titles }) => titles.length > 0);
  if (rows.length === 0) return [];
  const cell = (code) => (code.length > 70 ? `${code.slice(0, 67)} …` : code).replaceAll("|", "\\|");
  const links = (titles) => titles.map(({ name: title, href }) => `[${title}](${href})`);
  return [
    "| line | what stands there | its section |",
    "|---|---|---|",
    ...rows.map(({ line, code, titles }) => `| ${line} | \`${cell(code)}\` | ${links(titles).join(", ")} |`),
    "",
  ];
}

// Where the part of a program begins on the page, and its text.
function part_of(name, page) {
  const match = page.match(new RegExp(`^## \\d+ · ${name}\\.cpp[^]*?(?=\\n## |$(?![^]))`, "m"));
  return { text: match?.[0] ?? "", line: match ? page.slice(0, match.index).split("\n").length : 1 };
}

// { text, faults }: thread.md with the difference and the table of each program below the link to it, and what is wrong where that
// cannot be made; it stays there as it is.
export function thread_page(path, text = thread_md()) {
  const faults = [];
  const made = path.programs.reduce((page, { name }, at) => {
    const before = path.programs[at - 1]?.name;
    if ([name, before].some((one) => one && !is_there(source_of(one)))) return page; // thread_faults says so
    const unknown = [];
    const lines = before ? shortened(difference(source(before), source(name))) : source(name);
    const rows = table(name, before, path, (line, id) => void unknown.push({ line, id }));
    for (const { line, id } of unknown)
      faults.push({ page: `../${source_of(name)}`, line, message: `the line names ${id}, which has no section` });
    const link = `[${source_of(name)}](../${source_of(name)})`;
    const below = [link, "", `\`\`\`${before ? "diff" : "cpp"}`, ...lines, "```", "", ...rows].join("\n");
    const place = new RegExp(
      `^\\[${source_of(name)}\\]\\(.*\\)\\n(?:\\n\`\`\`(?:diff|cpp)\\n[^]*?^\`\`\`\\n)?(?:\\n\\| line (?:.*\\n)*?(?=\\n))?`,
      "m",
    );
    if (!place.test(page))
      faults.push({ page: "thread.md", line: part_of(name, page).line, message: `there is no paragraph ${link}` });
    return unknown.length > 0 ? page : page.replace(place, () => below);
  }, text);
  return { text: made, faults };
}

// What the page has to have of each program, as { page, line, message }: a part, and in it what the program prints.
export function thread_faults(path, page = thread_md()) {
  return path.programs.flatMap(({ name, file, line: row }) => {
    const { text, line } = part_of(name, page);
    const prints = `\`./examples/run ${name}\` prints`;
    const output = text.match(new RegExp(`^${prints}\\n\\n+\`\`\`text\\n((?:(?!\`\`\`).*\\n)*)\`\`\`$`, "m"))?.[1];
    return [
      !is_there(source_of(name)) && { page: "path.md", line: row, message: `there is no ${source_of(name)}` },
      !text && { page: "thread.md", line, message: `${file} has no part "## 1 · ${file}: …"` },
      text &&
      !output?.trim() && {
        page: "thread.md",
        line,
        message: `${file} has no line "${prints}" with the output in a \`\`\`text fence below it`,
      },
    ].filter(Boolean);
  });
}

// { numbers, faults }: what the programs print, for figures/thread-steps.mjs; no numbers where one is not found.
export function thread_numbers(page = thread_md()) {
  try {
    return { numbers: numbers_on(page), faults: [] };
  } catch ({ message, line = 1 }) {
    return { faults: [{ page: "thread.md", line, message: `for figures/thread-steps.mjs: ${message}` }] };
  }
}

function numbers_on(page) {
  const fail = (name, message) => {
    throw Object.assign(new Error(message), { line: part_of(name, page).line });
  };
  const found = (name, text, pattern, where) => text.match(pattern) ?? fail(name, `${pattern} is not in ${where}`);
  const printed = (name) => found(name, part_of(name, page).text, /\n```text\n([^]*?)\n```/, `the part of ${name}.cpp`)[1];
  const last = (name, pattern) =>
    ([...printed(name).matchAll(pattern)].at(-1) ?? fail(name, `${name}.cpp does not print ${pattern}`)).slice(1).map(Number);
  const loss = (name, pattern = /^step +\d+: ([\d.]+)$/gm) => last(name, pattern)[0].toFixed(2);
  const written = (name, pattern) => found(name, source(name).join("\n"), pattern, source_of(name))[1];
  const given = (name) => JSON.parse(`[${written("line", new RegExp(`Tensor ${name} = tensor\\(\\{(.*?)\\}`))}]`);
  const [slope, offset] = last("line", /y = ([\d.]+) x \+ ([\d.]+)/g).map((value) => Number(value.toFixed(4)));
  const points = Number(written("spiral", /randint\(0, 3, \{(\d+)\}\)/));
  const [, first, share] = found("bytes", printed("bytes"), /after 't' a '(.)': counted ([\d.]+)/, "what bytes.cpp prints");
  const shares = followers("t");
  if (shares[0][0] !== first || shares[0][1].toFixed(3) !== share)
    fail("bytes", `bytes.cpp counts ${share} of '${first}' after 't', and the text has ${shares[0][1].toFixed(3)} of '${shares[0][0]}'`);
  return {
    tape: { at_once: last("tape", /at once: +(\d+)/g)[0], in_order: last("tape", /to oldest: +(\d+)/g)[0] },
    line: { slope, offset, points: given("x").map((x, at) => [x, given("y")[at]]) },
    spiral: { points, right: Math.round(points * last("spiral", /right arm ([\d.]+)/g)[0]) },
    bytes: { loss: loss("bytes"), after: "t", followers: shares.slice(0, 6) },
    attention: { loss: loss("attention") },
    block: { loss: loss("block") },
    gpt: { loss: loss("gpt", /held-out text ([\d.]+)/g), written: printed("gpt").split("\n\n").slice(1).join("\n\n") },
  };
}

// The shares of the bytes that follow a byte in the text that the programs learn from, the largest first.
function followers(byte) {
  const text = read("examples/data/shakespeare.txt");
  const counts = new Map();
  for (let at = text.indexOf(byte); at >= 0 && at + 1 < text.length; at = text.indexOf(byte, at + 1)) {
    counts.set(text[at + 1], (counts.get(text[at + 1]) ?? 0) + 1);
  }
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0);
  return [...counts].map(([next, n]) => [next, n / all]).sort((a, b) => b[1] - a[1]);
}
