// The form of the pages: which parts a formula's section has, and in which order.
import { derivations } from "./outputs.mjs";
import { DEPTH } from "./path.mjs";
import { read } from "./tree.mjs";

export const parts = [
  "Why",
  "Predict",
  "Symbols and shapes",
  "By hand",
  "Gradient",
  "Code",
  "Picture",
  "Laws",
  "Claims",
  "Other conventions",
  "Published mistakes",
  "Exercises",
  "Sources",
];
// A section of the path has these first, and then folds what is left.
const seen_first = ["Why", "Predict", "Code", "Picture", "In words", DEPTH];
const folded = parts.filter((name) => !seen_first.includes(name));
folded.splice(folded.indexOf("Laws"), 0, "More code");
const parts_of_path = [...seen_first, ...folded];

// In "Code" of a section of the path, lines of a program may stand for the region, which "More code" has then.
const of_program = /^\[(examples\/first\/\w+\.cpp)\]\(\.\.\/\1\)\n\n```cpp$/m;

const of_all = ["Gradient", "Code", "Laws"];
const where_there_is_something = ["More code", "Claims", "Other conventions", "Published mistakes"];

// For one section, as book/pages.mjs has read it.
export function lint_section(section, problems, on_path = false) {
  const complain = (line, message) => problems.add(section.page, line, `${section.id}: ${message}`);
  if (!section.name) complain(section.line, "the section does not begin with its **Name**");
  if (!section.formula) complain(section.line, "there is no display formula below the name");
  if (!section.notes) complain(section.line, 'there is no line "Notes 0, 1 · …" or "Beyond the notes · …"');
  const order = on_path ? parts_of_path : parts;
  lint_order(section, order, complain);
  const has = new Map(section.parts.map((part) => [part.name, part]));
  const usual = section.builds_on ? of_all : order.filter((name) => !where_there_is_something.includes(name));
  for (const name of on_path ? new Set([...seen_first, ...usual]) : usual) {
    if (!has.has(name))
      complain(
        section.line,
        `there is no part "${name}"${section.builds_on ? "" : ' (a section without "Builds on [id](…)" has all)'}`,
      );
  }
  for (const part of section.parts) {
    if (!part.text.trim() && part.name !== DEPTH) complain(part.line, `"${part.name}" is empty`);
  }
  if (on_path) lint_path(section, has, complain);
  lint_gradient(section, has.get("Gradient"), complain);
  lint_region(section, has, on_path, complain);
  lint_contents(section, has, complain);
}

function lint_order({ parts: own }, order, complain) {
  let last = -1;
  for (const { name, line } of own) {
    const at = order.indexOf(name);
    if (at < 0) complain(line, `a section ${order === parts ? "" : "of the path "}has no part "${name}"`);
    else if (at <= last) complain(line, `"${name}" comes after "${order[last]}"`);
    last = Math.max(last, at);
  }
}

// What only a section of the path has to have.
function lint_path(section, has, complain) {
  if (!section.needs) complain(section.line, 'there is no line "Needs [Name](page.md#id), …"');
  const code = has.get("Code");
  if (code && !/^```cpp\n(?:(?!```).*\n)*```\n\n```text$/m.test(code.text))
    complain(code.line, '"Code" has no ```cpp fence with its output below it in a ```text fence');
}

function lint_region({ id }, has, on_path, complain) {
  const code = has.get("Code");
  if (!code) return;
  const region = new RegExp(`^\\[[^\\]]+\\]\\([^)]*#${id}\\)$`, "m");
  const instead = on_path && of_program.test(code.text);
  const texts = [code.text, (instead && has.get("More code")?.text) || ""];
  if (!texts.some((text) => region.test(text)))
    complain(code.line, `the region ${id} is not shown${instead ? ', neither here nor in "More code"' : ""}`);
}

function lint_gradient(section, gradient, complain) {
  if (!gradient) return;
  if (/^\*\*No gradient\.\*\*/m.test(gradient.text)) return;
  const lines = gradient.text.split("\n");
  const head = lines.findIndex((line) => /^\|\s*\| line \|/.test(line));
  if (head < 0) complain(gradient.line, "the gradient has no table of lines");
  const rows = lines.slice(head + 2).findIndex((line) => !line.startsWith("|"));
  if (head >= 0 && (rows < 0 ? lines.length - head - 2 : rows) < 2)
    complain(gradient.line, "a derivation has two lines at least");
  const needs = section.builds_on ? [] : ["**Which inputs touch which outputs?**", "**Shape check.**", "**Law.**"];
  for (const words of needs)
    if (!gradient.text.includes(words)) complain(gradient.line, `the gradient does not say ${words}`);
  const derivation = derivations().get(section.id);
  if (!derivation) complain(gradient.line, "no program in docs/examples evaluates the lines");
  else if (derivation.checked.length === 0) complain(gradient.line, `${derivation.path} holds no gradient to the tape`);
}

function lint_contents(section, has, complain) {
  const holds = (name, pattern, message) => {
    const part = has.get(name);
    if (part && !pattern.test(part.text)) complain(part.line, message);
  };
  holds("Predict", /<details><summary>Answer<\/summary>\n\n[\s\S]+?\n\n<\/details>/, '"Predict" has no folded answer');
  holds("Symbols and shapes", /^\| symbol \|/m, "there is no table of symbols");
  holds("By hand", /^\|\s*\| line \|/m, "the value by hand has no table of lines");
  holds("Picture", /^!\[[\s\S]+?\]\(/m, "there is no picture");
  holds("Picture", /^\*\*.+\*\*$/m, "no sentence in bold says what to see");
  const laws = has.get("Laws");
  for (const law of laws?.text.split(/^- /m).slice(1) ?? []) {
    if (!/[^`]\]\(\.\.\/tests\/.*\.cpp\)/.test(law)) complain(laws.line, `a law names no test: ${law.slice(0, 40)}`);
  }
  if (!section.builds_on) {
    for (const kind of ["By hand", "To code", "To break"]) {
      holds("Exercises", new RegExp(`\\*\\*${kind}\\.\\*\\*`), `there is no exercise **${kind}.**`);
    }
  }
  holds("Sources", /\(\d{4}\)/, "no source has a year");
}

// Every exercise has its answer, folded.
export function lint_exercises(page, problems) {
  let inside = false;
  let open; // the line of an exercise that has had no answer so far
  const close = () => open && problems.add(page, open, "the exercise has no folded answer");
  [...read(`docs/${page}`).split("\n"), "## End"].forEach((line, at) => {
    const heading = /^##/.test(line);
    if (heading || (inside && /^\d+\. /.test(line))) {
      close();
      open = heading ? undefined : at + 1;
    }
    if (heading) inside = /^##+ Exercises$/.test(line);
    if (inside && /^[-*] /.test(line)) problems.add(page, at + 1, "an exercise has a number");
    if (line.includes("<details><summary>Answer</summary>")) open = undefined;
  });
}

// A verdict is the claims' alone: in a chapter it is a link to it, and a chapter's own program says what was "seen here".
export function lint_verdicts(page, problems) {
  read(`docs/${page}`)
    .split("\n")
    .forEach((line, at) => {
      if (/\*\*(confirmed|refuted|depends|undecided)\*\*/.test(line))
        problems.add(page, at + 1, "a verdict is a link to that in made/results/claims.json");
    });
  const results = page.match(/^(ch\d\d)\.md$/)?.[1];
  if (!results) return;
  const { numbers } = JSON.parse(read(`docs/made/results/${results}.json`));
  for (const [name, word] of Object.entries(numbers.claim ?? {})) {
    if (typeof word === "string" && !/^(seen|not seen|partly seen|undecided) here$/.test(word))
      problems.add(`made/results/${results}.json`, undefined, `claim.${name} is "${word}": a verdict is the claims' alone`);
  }
}

// A fence that must fail is written as fences.mjs reads it, and says with which words.
export function lint_fences(page, problems) {
  read(`docs/${page}`)
    .split("\n")
    .forEach((line, at) => {
      if (/^\s*(```|~~~).*fails/.test(line) && !/^```cpp fails=".{10,}"$/.test(line)) {
        problems.add(page, at + 1, 'a fence that must fail begins with ```cpp fails="the words of the error"');
      }
    });
}
