// README.md: its links, its counts, its chapters' numbers, its map and its commands are so.
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
    const { one_number: one } = JSON.parse(read(`docs/results/ch${number}.json`));
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
  const map = text.slice(text.indexOf("## The house"));
  for (const floor of ["core", "nn"]) {
    for (const folder of folders(floor)) {
      if (!map.includes(`\`${floor}/${folder}/\``) && !map.includes(`\`${folder}/\``))
        complain(text.indexOf("## The house"), `the map does not have ${floor}/${folder}/`);
    }
  }
  for (const { 1: path, index } of map.matchAll(/`((?:core|nn|optim|tests|docs|examples)\/[\w/.-]*)`/g)) {
    if (!existsSync(join(root, path))) complain(text.indexOf("## The house") + index, `there is no ${path}`);
  }
  return found;
}
