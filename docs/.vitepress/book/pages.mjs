// The pages as written: their sections, and the parts of each.
import { formula_ids } from "./chapters.mjs";
import { pages, read } from "./tree.mjs";

// The headings of a page outside of fences: { level, text, line }, lines counted from 1.
function headings(lines) {
  const found = [];
  let fence = "";
  lines.forEach((line, at) => {
    const mark = line.match(/^\s*(`{3,}|~{3,})/)?.[1];
    if (mark && !fence) fence = mark;
    else if (mark && line.trim() === fence) fence = "";
    else if (!fence && /^#{1,4} /.test(line)) {
      found.push({ level: line.indexOf(" "), text: line.replace(/^#+ /, ""), line: at + 1 });
    }
  });
  return found;
}

// The pieces that headings of a level cut lines from..to into: { name, line, from, to }.
function pieces(heads, level, from, to) {
  const starts = heads.filter((head) => head.line >= from && head.line <= to && head.level <= level);
  return starts
    .map((head, i) => ({ ...head, name: head.text, to: (starts[i + 1]?.line ?? to + 1) - 1 }))
    .filter((head) => head.level === level);
}

const text_of = (lines, from, to) => lines.slice(from - 1, to).join("\n");

export function parse_page(page, text = read(`docs/${page}`)) {
  const lines = text.split("\n");
  const heads = headings(lines);
  const ids = new Set(formula_ids());
  const sections = pieces(heads, 2, 1, lines.length).map(({ name, line, to }) => {
    const parts = pieces(heads, 3, line + 1, to).map((part) => ({ ...part, text: text_of(lines, part.line + 1, part.to) }));
    const head = text_of(lines, line + 1, (parts[0]?.line ?? to + 1) - 1);
    const depth = parts.find((part) => part.name === "In depth")?.text ?? "";
    return { page, id: name, is_formula: ids.has(name), line, to, head, parts, ...of_head(head, `${head}\n\n${depth}`) };
  });
  return { page, title: heads.find(({ level }) => level === 1)?.text, heads, lines, sections };
}

// What stands before the parts: the name, the formula, the notes, what it needs; and, here or at the head of what is folded, the
// section that it builds on, with all that it names before it says why.
function of_head(head, with_depth) {
  const link = "\\[[^\\]]*?\\]\\([^)]*\\)";
  return {
    needs: head.match(/^Needs \[(.+\n?)+/m)?.[0],
    stands_on: with_depth.match(new RegExp(`^Builds on ${link}((, | and |, and )(on )?${link})*`, "m"))?.[0],
    name: head.match(/^\*\*(.+?)\*\*/m)?.[1],
    formula: head.match(/^\$\$\n?([\s\S]*?)\n?\$\$$/m)?.[1]?.trim(),
    notes: head.match(/^(Notes? [0-4](?:, [0-4])* · .*|Beyond the notes · .*)$/m)?.[1],
    builds_on: with_depth.match(/^Builds on \[.*?\]\(([\w.-]*)#([\w-]+)\)/m)?.[2],
  };
}

export const parse_all = () => pages().map((page) => parse_page(page));
