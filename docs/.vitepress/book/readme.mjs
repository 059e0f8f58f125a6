// README.md: its links, its counts, its chapters' numbers and its commands are so, and it fits a terminal. On the pages about the
// source the house has every folder, and the files that it and the recipes name are there.
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { chapters } from "./chapters.mjs";
import { files, read, root } from "./tree.mjs";

const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .trim()
    .replace(/\s/g, "-");

const folders = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "cmake")
    .map(({ name }) => name);

// { message, line } for all that is wrong. `formulas` is how many have a section.
export function readme_faults(formulas) {
  const text = read("README.md");
  const found = [];
  const complain = (at, message) => found.push({ line: text.slice(0, at).split("\n").length, message });
  for (const { 0: line, index } of text.matchAll(/^(?!\|).*$/gm)) {
    if ([...line].length > 80) complain(index, `is ${[...line].length} columns wide, not 80`);
  }
  const anchors = new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading)));
  for (const { 1: href, index } of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(href)) continue;
    const [path, anchor] = href.split("#");
    if (path && !existsSync(join(root, path))) complain(index, `there is no ${path}`);
    else if (anchor && !path && !anchors.has(anchor)) complain(index, `there is no heading #${anchor}`);
  }
  for (const { 1: count, index } of text.matchAll(/(\d+) formulas/g)) {
    if (Number(count) !== formulas) complain(index, `there are ${formulas} formulas, not ${count}`);
  }
  for (const { number, title, pages } of chapters) {
    const row = text.match(new RegExp(`^\\| \\[${number} .*?\\]\\((.*?)\\) \\| (.*) \\|$`, "m"));
    const { one_number: one } = JSON.parse(read(`docs/made/results/ch${number}.json`));
    if (!row) complain(0, `there is no row for chapter ${number}, ${title}`);
    else if (row[1] !== `docs/${pages[0]}`) complain(row.index, `chapter ${number} is docs/${pages[0]}`);
    else if (!`ch${number}: ${row[2]}`.startsWith(one)) complain(row.index, `chapter ${number}'s one number is "${one}"`);
  }
  const programs = [...files("examples/first", /\.cpp$/).map((path) => basename(path, ".cpp")), ...folders("examples")];
  for (const { 1: name, index } of text.matchAll(/\.\/examples\/run (\w+)/g)) {
    const there = programs.some((program) => program === name || program.startsWith(`${name}_`));
    const told_to_save = text.includes(`\`examples/${name}.cpp\``);
    if (!there && !told_to_save) complain(index, `there is no example ${name}`);
  }
  return found;
}

// A section of a page, and the line on which it begins.
function section(page, heading) {
  const text = read(`docs/${page}`);
  const from = text.indexOf(`\n${heading}\n`) + 1;
  const to = text.indexOf("\n## ", from);
  return { page, text: text.slice(from, to < 0 ? undefined : to), first: text.slice(0, from).split("\n").length };
}

// { page, line, message } for all that is wrong.
export function house_faults() {
  const house = section("inside.md", "## The house");
  const found = [];
  for (const floor of ["core", "nn"]) {
    for (const folder of folders(floor)) {
      if (!house.text.includes(`\`${floor}/${folder}/\``) && !house.text.includes(`\`${folder}/\``))
        found.push({ page: house.page, line: house.first, message: `the house does not have ${floor}/${folder}/` });
    }
  }
  for (const { page, text, first } of [house, section("how-to-add.md", "## What to touch")]) {
    for (const { 1: path, index } of text.matchAll(/`((?:core|nn|optim|tests|docs|examples)\/[\w/.-]*)`/g)) {
      const line = first - 1 + text.slice(0, index).split("\n").length;
      if (!existsSync(join(root, path))) found.push({ page, line, message: `there is no ${path}` });
    }
  }
  return found;
}
