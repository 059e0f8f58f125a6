// The mutants of a file: the file with one small fault each. A mutant's key is made of its content alone, that is the file, the
// function around the fault, what is changed and how, so it stays the same when other things change.
import { name_of, parse } from "../../docs/.vitepress/reference/parse.mjs";
import { faults_of } from "./operators.mjs";
import { is_in_tests_too, left_alone, runs } from "./scope.mjs";
import { hash, read } from "./tree.mjs";

// `#pragma omp simd` changes speed alone, and loops with switches in them cannot obey it: blanks, so that positions stay.
export const without_pragmas = (source) => source.replace(/^#pragma omp simd.*$/gm, (line) => " ".repeat(line.length));

const plain = (text) =>
  text
    .replace(/\/\/.*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();

// The outermost function or variable around a node.
function home_of(node) {
  let home;
  for (let at = node; at; at = at.parent) {
    if (at.type === "function_definition") home = at;
    else if (
      at.type === "declaration" &&
      at.parent?.type !== "compound_statement" &&
      at.parent?.type !== "for_statement"
    )
      home = at;
  }
  return home ?? node;
}

// The conditions of the preprocessor under which a node is compiled: `X` and `!X` of #if X, #if !X, #ifdef X and their #else.
function conditions_of(node) {
  const found = [];
  for (let at = node, from; at; from = at, at = at.parent) {
    const condition = at.type === "preproc_if" ? "condition" : at.type === "preproc_ifdef" ? "name" : undefined;
    if (!condition) continue;
    const { text } = at.childForFieldName(condition);
    const otherwise = at.childForFieldName("alternative")?.id === from?.id;
    if (/^!?\w+$/.test(text)) found.push(otherwise ? `!${text}`.replace("!!", "") : text);
  }
  return found;
}

function walk(path, node, visit) {
  if (left_alone(node) || is_in_tests_too(path, node)) return;
  visit(node);
  for (const child of node.namedChildren) walk(path, child, visit);
}

// The line of the source as it is, and as it is with the fault.
function shown(source, { start, end, text }) {
  const first = source.lastIndexOf("\n", start - 1) + 1;
  const last = source.indexOf("\n", end);
  const line = plain(source.slice(first, last));
  return { old: line, new: plain(source.slice(first, start) + text + source.slice(end, last)) || "(nothing)" };
}

const all = new Map();

export function mutants_of(path) {
  if (all.has(path)) return all.get(path);
  const source = without_pragmas(read(path));
  const found = [];
  const seen = new Map();
  const visit = (node) => {
    const faults = faults_of(node);
    if (faults.length === 0 || !runs(node) || /^\s*#/m.test(node.text)) return;
    const home = home_of(node);
    for (const { fault, text } of faults) {
      const content = [path, plain(home.text), fault, plain(node.text), plain(text)].join("\n");
      const ordinal = seen.get(content) ?? 0;
      seen.set(content, ordinal + 1);
      const mutant = { start: node.startIndex, end: node.endIndex, text: plain(text), statement: fault === "step" };
      const where = { path, line: node.startPosition.row + 1, home: name_of(home) ?? "", conditions: conditions_of(node) };
      found.push({ key: hash(content, `${ordinal}`), fault, ...where, ...mutant, ...shown(source, mutant) });
    }
  };
  for (const node of parse(source).namedChildren) walk(path, node, visit);
  all.set(path, found);
  return found;
}
