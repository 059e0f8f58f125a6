// formulas.md: every id with its formula, code, tests and program, made from the registry.
import { chapters } from "./chapters.mjs";
import { made_page } from "./made_by.mjs";
import { program_of } from "./outputs.mjs";

const cell = (text) => (text ?? "").replace(/\s+/g, " ").replace(/\|/g, "\\|");

// Where a formula is besides its section: its code, its tests, its derivation's program.
function places({ id, region, tests, derivation }) {
  const program = derivation && program_of(derivation).replace("docs/", "");
  return [
    region && `[\`${region.file.split("/").at(-1)}\`](../${region.file}#${id})`,
    tests[0] && `[\`${tests.length} ${tests.length === 1 ? "test" : "tests"}\`](../${tests[0].file})`,
    program && `[\`line by line\`](${program})`,
  ]
    .filter(Boolean)
    .join(" · ");
}

const row = (entry) => `| [${cell(entry.name)}](${entry.section})<br>\`${entry.id}\` | $${cell(entry.formula)}$ | ${places(entry)} |`;

export function formulas_page(entries) {
  const written = entries.filter(({ section }) => section);
  const tables = chapters
    .map((chapter) => ({ ...chapter, rows: written.filter((entry) => entry.chapter === chapter.number) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ number, title, program, rows }) =>
      [
        `## ${number} ${title}`,
        "",
        `Program: \`./examples/run ch${number}\`, [\`${program}\`](../${program})`,
        "",
        "| formula | value | where |",
        "|---|---|---|",
        ...rows.map(row),
      ].join("\n")
    );
  return made_page("the sections, the source and the tests", `# All formulas

An id names one formula everywhere: its section here, the region of the source that is the formula, the title of each test of
it. Below: where the code, the tests and the derivation of each are. This page is made from the sections, the source and the tests by \`./docs/run --write\`.

${tables.join("\n\n")}
`);
}
