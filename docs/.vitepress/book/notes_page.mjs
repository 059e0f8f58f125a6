// notes.md, made from notes.json: every formula, claim, code sample and picture of the five notes, with the sections that have it.
import { made_page } from "./made_by.mjs";
import { read } from "./tree.mjs";

const items = JSON.parse(read("docs/.vitepress/book/notes.json"));

const about = [
  "Today's Transformer beside that of 2017: pre-norm, RMSNorm, SwiGLU, RoPE, a stable softmax, tied weights",
  "The same in formulas, with widths, schedules and the z-loss",
  "Feed-forward layers, norms and their places, activations and position encodings, each with what speaks for and against it",
  "An overview of the parts of LLaMA and GLM: norms, their places, activations, positions",
  "A Transformer written out in Python: feed-forward layer, layer norm, encoder, decoder, embedding, positions",
];

const pages = { "a convention": "conventions.md", "an erratum": "errata.md", "a claim": "claims.md" };

// id → the section that has it.
const targets = (entries) => new Map(entries.map(({ id, kind, section }) => [id, pages[kind] ? `${pages[kind]}#${id}` : section]));

export function notes_page(entries) {
  const target = targets(entries);
  const of = (note) => items.filter((item) => item.note === note);
  const link = (id) => (target.get(id) ? `[${id}](${target.get(id)})` : id);
  const row = ({ lines, begins, says, ids }) => `| ${lines} | ${begins} | ${says} | ${ids.map(link).join(" · ")} |`;
  const table = (note) => ["| line | begins | what it is | in the book |", "|---|---|---|---|", ...of(note).map(row)].join("\n");
  const tables = about.map((what, note) => [`## Note ${note}`, `${what}.`, table(note)].join("\n\n"));
  const links = items.reduce((sum, { ids }) => sum + ids.length, 0);
  return made_page("docs/.vitepress/book/notes.json", `# The notes

Five [study notes](glossary.md#note), in Chinese, were the beginning of this project. Their author may publish them; this book does not
contain them. Whoever has them finds here, line by line, where the book takes up what a line says: ${items.length} formulas, claims,
code samples and pictures, with ${links} links. An item without first words is a formula or a picture.

| note | about | items |
|---|---|---|
${about.map((what, note) => `| [${note}](#note-${note}) | ${what} | ${of(note).length} |`).join("\n")}

${tables.join("\n\n")}
`);
}

const all_items = 238; // that were counted in the notes

// An item that leads nowhere, or that is gone.
export function notes_faults(entries) {
  const target = targets(entries);
  const gone = items.length < all_items ? [`notes.json has ${items.length} items, and the notes have ${all_items}`] : [];
  const lost = items.flatMap(({ note, lines, ids }) => {
    const where = `note ${note}, line ${lines}`;
    if (ids.length === 0) return [`${where}: no section has it`];
    return ids.filter((id) => !target.get(id)).map((id) => `${where}: ${id} has no section`);
  });
  return [...gone, ...lost];
}
