// formulas.md: every id with its formula, notes, code, tests and program, made from the registry.
import { chapters } from "./chapters.mjs";

const cell = (text) => (text ?? "").replace(/\s+/g, " ").replace(/\|/g, "\\|");

const notes = (text) => cell(text?.split(" · ")[0].replace(/^Notes? /, "").replace(/^Beyond the notes$/, "+"));

function row({ id, name, formula, notes: from, section, region, tests, derivation }) {
  const code = region ? `[\`${region.file.split("/").at(-1)}\`](../${region.file}#${id})` : "";
  const held = tests[0] ? `[\`${tests.length}\`](../${tests[0].file})` : "";
  const lines = derivation ? `[\`${derivation.split("/").at(-1).replace(".output", "")}\`](${derivation.replace("docs/", "").replace(".output", ".cpp")})` : "";
  return `| [${cell(name)}](${section}) | \`${id}\` | $${cell(formula)}$ | ${notes(from)} | ${code} | ${held} | ${lines} |`;
}

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
        "| formula | id | | notes | code | tests | line by line |",
        "|---|---|---|---|---|---|---|",
        ...rows.map(row),
      ].join("\n"),
    );
  return `# All formulas

An id names one formula everywhere: its section here, the region of the source that is the formula, the title of each test of
it. Below: where each is. The column of notes says which of the five notes have it; + is beyond them. This page is made from
the sections, the source and the tests by \`./docs/run --write\`.

${tables.join("\n\n")}
`;
}
