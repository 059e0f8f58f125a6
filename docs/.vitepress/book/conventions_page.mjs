// conventions.md: where sources differ in silence, collected from the sections' parts "Other conventions".
import { made_page } from "./made_by.mjs";

const rows_of = (text) => text.split("\n").filter((line) => /^\| `convention-/.test(line));

// id → { page, id of the section, what the row says after the id }.
export function convention_rows(pages) {
  const rows = new Map();
  for (const section of pages.flatMap((page) => page.sections.filter(({ is_formula }) => is_formula))) {
    for (const line of rows_of(section.parts.find(({ name }) => name === "Other conventions")?.text ?? "")) {
      const [, names, rest] = line.match(/^\| ([^|]*?) \| (.*)$/);
      for (const [, id] of names.matchAll(/`(convention-[\w-]+)`/g)) {
        rows.set(id, [...(rows.get(id) ?? []), { section, rest: rest.replaceAll("](#", `](${section.page}#`) }]);
      }
    }
  }
  return rows;
}

function section(entry, rows) {
  const of = ({ section: { page, id }, rest }) => `| [${id}](${page}#${id}) | ${rest}`;
  const tests = entry.tests.map(({ title, file }) => `- [${title}](../${file})`);
  return [
    `## ${entry.id}`,
    ["| formula | here | elsewhere | difference |", "|---|---|---|---|", ...rows.map(of)].join("\n"),
    `Held by\n\n${tests.join("\n")}`,
  ].join("\n\n");
}

export function conventions_page(registered, pages) {
  const rows = convention_rows(pages);
  const entries = registered.filter(({ id, kind }) => kind === "a convention" && rows.has(id));
  return made_page('the parts "Other conventions" of the sections', `# Conventions

Two programs with the same formula may give different numbers: ε stands elsewhere, a half is the gate, a variance is divided by
$n - 1$. Nobody is wrong, and nothing complains, until weights move from one to the other. Below are the ${entries.length} places in which
sources differ in silence, what this library does, and by how much the others differ, each held by a test.

${entries.map((entry) => section(entry, rows.get(entry.id))).join("\n\n")}
`);
}
