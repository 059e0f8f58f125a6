// What ./docs/run --check asks of the pages before they are built; with --write, what is made of other things is written first:
// whole pages, and of the path the lines of code and the minutes.
//   node check.mjs [--write] [PAGE.md...]     these pages are rendered, too, as all are when the site is built
import { join } from "node:path";
import { createMarkdownRenderer } from "vitepress";
import { names } from "../figures/kit/render.mjs";
import { ablation_faults } from "./book/ablations.mjs";
import { convention_rows, conventions_page } from "./book/conventions_page.mjs";
import { exercise_faults } from "./book/exercise_links.mjs";
import { exercises_page } from "./book/exercises_page.mjs";
import { draw_all } from "./book/figures.mjs";
import { formulas_page } from "./book/formulas_page.mjs";
import { lint_exercises, lint_fences, lint_section, lint_verdicts } from "./book/lint.mjs";
import { notes_faults, notes_page } from "./book/notes_page.mjs";
import { derivations } from "./book/outputs.mjs";
import { parse_all } from "./book/pages.mjs";
import { the_path } from "./book/path.mjs";
import { partly_made } from "./book/path_code.mjs";
import { path_faults } from "./book/path_faults.mjs";
import { house_faults, readme_faults } from "./book/readme.mjs";
import { check_known, check_registry, check_sentences, check_strays, registry } from "./book/registry.mjs";
import { uncommitted_results } from "./book/results.mjs";
import { stepping_faults } from "./book/stepping.mjs";
import { thread_faults } from "./book/thread.mjs";
import { claims_page, errata_page, told } from "./book/told_pages.mjs";
import { docs, files, is_there, Problems, read, replace_file } from "./book/tree.mjs";
import { Links } from "./markdown/links.mjs";
import { markdown_options } from "./markdown/options.mjs";
import { headers } from "./reference/headers.mjs";

const problems = new Problems();

const named = process.argv.slice(2).filter((argument) => argument.endsWith(".md"));

// The names of the pictures that some pages show.
const shown = (pages) =>
  new Set(
    pages.flatMap(({ lines }) => [...lines.join("\n").matchAll(/\(made\/figures\/([\w-]+)\.svg\)/g)].map(([, name]) => name)),
  );

// Renders the pages that are named; what the Markdown finds wrong is in `problems`.
async function check_rendered(all) {
  const pages = all.filter(({ page }) => named.includes(page));
  const figures = await draw_all(problems, shown(pages));
  const links = new Links();
  const md = await createMarkdownRenderer(docs, markdown_options({ figures, problems, links }), "/");
  for (const { page, lines } of pages) await md.render(lines.join("\n"), { path: join(docs, page), relativePath: page });
  links.check(new Set(all.map(({ page }) => page)), problems);
}

// The pages that are made from the sections and the results.
const made = (entries, pages) => ({
  "formulas.md": formulas_page(entries),
  "conventions.md": conventions_page(entries, pages),
  "errata.md": errata_page(entries),
  "claims.md": claims_page(entries),
  "notes.md": notes_page(entries),
  "exercises.md": exercises_page(pages),
});
function write(page, text) {
  const is_so = is_there(`docs/${page}`) && read(`docs/${page}`) === text; // what has not changed is not built again
  if (!is_so) replace_file(`docs/${page}`, text);
}
if (process.argv.includes("--write")) {
  for (const [page, text] of partly_made(the_path()).texts) write(page, text);
  const pages = parse_all();
  for (const [page, text] of Object.entries(made(registry(pages), pages))) write(page, text);
}

const pages = parse_all();
const entries = registry(pages);
const made_pages = made(entries, pages);
const path = the_path();
const on_path = new Set(path.sections.map(({ key }) => key));
for (const { page, title, sections } of pages) {
  if (!title) problems.add(page, 1, "the page has no title");
  for (const section of sections.filter(({ is_formula }) => is_formula))
    lint_section(section, problems, on_path.has(section.id));
  lint_fences(page, problems);
  lint_exercises(page, problems);
  lint_verdicts(page, problems);
}
const complete = check_registry(entries, pages, problems);
const sentences = check_sentences(entries, convention_rows(pages), told, problems);
check_known(entries, pages, told, problems);
for (const { name, commit } of uncommitted_results(files("docs/made/results", /\.json$/).map((path) => path.match(/([\w-]+)\.json$/)[1])))
  problems.add(`made/results/${name}.json`, undefined, `was measured at ${commit || "no commit"}: commit first, then measure`);
check_strays(pages, names(), problems);
for (const path of files("docs", /\.md$/)) {
  if (!/^docs\/([\w-]+\.md|(made|reference)\/[\w-]+\.md)$/.test(path))
    problems.add(path.replace("docs/", ""), undefined, "a page is in docs/ itself");
}
for (const { path } of headers.filter(({ head }) => head.length === 0))
  problems.add(`../${path}`, 1, "the header does not begin with a comment that says what it has");
const { texts, faults } = partly_made(path);
for (const { page, line, message } of [...path_faults(path, pages), ...thread_faults(path), ...faults])
  problems.add(page, line, message);
for (const [page, text] of texts) {
  const there = is_there(`docs/${page}`) ? read(`docs/${page}`) : "";
  const [longer, other] = [there, text].map((all) => all.split("\n")).sort((a, b) => b.length - a.length);
  const line = longer.findIndex((one, at) => one !== other[at]);
  if (line >= 0) problems.add(page, line + 1, "is not what the source and the sections say: ./docs/run --write");
}
for (const { line, message } of ablation_faults()) problems.add("ablations.md", line, message);
for (const message of notes_faults(entries)) problems.add("notes.md", undefined, message);
for (const { line, message } of readme_faults(complete)) problems.add("../README.md", line, message);
for (const { page, line, message } of [...house_faults(), ...stepping_faults(), ...exercise_faults(pages)])
  problems.add(page, line, message);
for (const { path, what } of derivations().faults) problems.add(path.replace("docs/", ""), undefined, what);
for (const [page, text] of Object.entries(made_pages)) {
  if (!pages.some((one) => one.page === page) || read(`docs/${page}`) !== text)
    problems.add(page, undefined, "is not what the sections and results say: ./docs/run --write");
}
await check_rendered(pages);

const all = [...new Set(problems.all)];
for (const problem of all) console.error(problem);
const counted = Object.entries({
  formulas: complete,
  conventions: sentences["a convention"],
  errata: sentences["an erratum"],
  claims: sentences["a claim"],
});
console.log(
  `${pages.length} pages; complete: ${counted.map(([what, n]) => `${n} ${what}`).join(", ")}; ${all.length} problems`,
);

replace_file("build/docs/registry.json", `${JSON.stringify(entries, null, 1)}\n`);
process.exit(all.length === 0 ? 0 : 1);
