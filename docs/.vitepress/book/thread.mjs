// The page of the thread: what is new in each of its programs, as a difference from the one before, and the sections that explain
// its lines. A program says them itself: `// [op-mul]` at the end of a line, or of the comment above it.
import { parse_page } from "./pages.mjs";
import { chapter_of } from "./chapters.mjs";
import { read } from "./tree.mjs";

export const programs = ["tape", "line", "spiral", "bytes", "attention", "block", "gpt"];

const source = (name) => read(`examples/first/${name}.cpp`).trimEnd().split("\n");

// The lines of `after`, with those of `before` that are gone: " same", "-gone", "+new". A longest common subsequence, in which a
// bare brace or an empty line between changes is no match.
export function difference(before, after) {
  const common = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; --i) {
    for (let j = after.length - 1; j >= 0; --j) {
      common[i][j] = before[i] === after[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    if (i < before.length && j < after.length && before[i] === after[j]) lines.push({ both: before[i++], at: j++ });
    else if (j === after.length || (i < before.length && common[i + 1][j] >= common[i][j + 1]))
      lines.push({ gone: before[i++] });
    else lines.push({ fresh: after[j++] });
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
  for (let at = 0; at < lines.length; ) {
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
  for (let at = 0; at < lines.length; ) {
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

const title_of = (id) => {
  if (id === "ch00") return { name: "The tape", href: "ch00.md" };
  for (const page of chapter_of(id)?.pages ?? []) {
    const section = parse_page(page).sections.find((one) => one.id === id);
    if (section) return { name: section.name, href: `${page}#${id}` };
  }
  throw new Error(`examples/first names ${id}, which has no section`);
};

// The lines of a program that name sections, as { line, code, ids }. What a comment above a line names is the line's.
export function tagged(lines) {
  return lines.flatMap((text, at) => {
    const comment = text.match(/\/\/.*/)?.[0] ?? "";
    const ids = [...comment.matchAll(/\[([a-z]+(?:-[a-z0-9]+)+|ch00)\]/g)].map(([, id]) => id);
    const below = text.trim() === comment ? 1 : 0;
    const code = lines[at + below]?.replace(/\s*\/\/.*/, "").trim();
    return ids.length === 0 ? [] : [{ line: at + below + 1, code, ids }];
  });
}

function table(name, before) {
  const known = new Set(before ? tagged(source(before)).flatMap(({ ids }) => ids) : []);
  const rows = tagged(source(name))
    .map((row) => ({ ...row, ids: row.ids.filter((id) => !known.has(id)) }))
    .filter(({ ids }) => ids.length > 0);
  if (rows.length === 0) return [];
  const cell = (code) => (code.length > 70 ? `${code.slice(0, 67)} …` : code).replaceAll("|", "\\|");
  const links = (ids) => ids.map(title_of).map(({ name: title, href }) => `[${title}](${href})`);
  return [
    "| line | what stands there | its section |",
    "|---|---|---|",
    ...rows.map(({ line, code, ids }) => `| ${line} | \`${cell(code)}\` | ${links(ids).join(", ")} |`),
    "",
  ];
}

// The text of thread.md with the difference and the table of each program below the link to it.
export function thread_page(text = read("docs/thread.md")) {
  return programs.reduce((page, name, at) => {
    const before = programs[at - 1];
    const lines = before ? shortened(difference(source(before), source(name))) : source(name);
    const link = `[examples/first/${name}.cpp](../examples/first/${name}.cpp)`;
    const made = [link, "", `\`\`\`${before ? "diff" : "cpp"}`, ...lines, "```", "", ...table(name, before)].join("\n");
    const place = new RegExp(`^\\[examples/first/${name}\\.cpp\\]\\(.*\\)\\n(?:\\n\`\`\`(?:diff|cpp)\\n[\\s\\S]*?^\`\`\`\\n)?(?:\\n\\| line (?:.*\\n)*?(?=\\n))?`, "m");
    if (!place.test(page)) throw new Error(`docs/thread.md has no paragraph ${link}`);
    return page.replace(place, () => made);
  }, text);
}

// What the programs print, for figures/thread-steps.mjs.
export function thread_numbers(page = read("docs/thread.md")) {
  const section = (name) => page.match(new RegExp(`\\n## \\d · ${name}\\.cpp[^]*?(?=\\n## |$)`))[0];
  const printed = (name) => section(name).match(/\n```text\n([^]*?)\n```/)[1];
  const last = (name, pattern) => [...printed(name).matchAll(pattern)].at(-1).slice(1).map(Number);
  const loss = (name, pattern = /^step +\d+: ([\d.]+)$/gm) => last(name, pattern)[0].toFixed(2);
  const given = (name) => JSON.parse(`[${source("line").join("\n").match(new RegExp(`Tensor ${name} = tensor\\(\\{(.*?)\\}`))[1]}]`);
  const [slope, offset] = last("line", /y = ([\d.]+) x \+ ([\d.]+)/g).map((value) => Number(value.toFixed(4)));
  const points = Number(source("spiral").join("\n").match(/randint\(0, 3, \{(\d+)\}\)/)[1]);
  const [, first, share] = printed("bytes").match(/after 't' a '(.)': counted ([\d.]+)/);
  const shares = followers("t");
  if (shares[0][0] !== first || shares[0][1].toFixed(3) !== share) throw new Error(`bytes.cpp counts ${share} of '${first}' after 't'`);
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
