// All that is known of each id, from where it is at home: the section, the region, the tests, the chapter.
import { chapter_of, chapters, listed_ids, other_pages } from "./chapters.mjs";
import { derivations } from "./outputs.mjs";
import { parse_all } from "./pages.mjs";
import { regions, tags, tests } from "./sources.mjs";

export function registry(pages = parse_all()) {
  const sections = new Map(pages.flatMap((page) => page.sections).map((section) => [section.id, section]));
  const by_tag = tests_by_tag();
  return listed_ids().map(({ id, kind }) => {
    const section = sections.get(id);
    const [place] = regions().get(id) ?? [];
    return {
      id,
      kind,
      name: section?.name,
      formula: section?.formula,
      notes: section?.notes,
      builds_on: section?.builds_on,
      section: section && `${section.page}#${id}`,
      region: place && { file: place.path, first: place.first, last: place.last },
      tests: by_tag.get(id) ?? [],
      derivation: derivations().get(id)?.path,
      chapter: chapter_of(id)?.number,
      program: chapter_of(id)?.program,
      mentioned: kind === "a formula" ? undefined : mentions(id, pages),
    };
  });
}

// The sections of formulas that name an id.
function mentions(id, pages) {
  const named = new RegExp(`\\b${id}(?![-\\w])`);
  const in_section = ({ lines }, { line, to }) => named.test(lines.slice(line - 1, to).join("\n"));
  return pages.flatMap((page) =>
    page.sections
      .filter((section) => section.is_formula && in_section(page, section))
      .map((section) => `${page.page}#${section.id}`)
  );
}

function tests_by_tag() {
  const groups = new Map();
  for (const [title, { path, line }] of tests()) {
    for (const tag of tags(title)) groups.set(tag, [...(groups.get(tag) ?? []), { title, file: path, line }]);
  }
  return groups;
}

// What the book shows and nothing needs, or the reverse: a section of an id that is not listed, the fast path of a formula that
// no page shows, a page or a picture that nothing leads to.
export function check_strays(pages, figures, problems) {
  const text = pages.map(({ lines }) => lines.join("\n")).join("\n");
  const known = new Set(["README.md", ...chapters.flatMap((chapter) => chapter.pages), ...other_pages]);
  for (const { page, sections } of pages) {
    if (!known.has(page)) problems.add(page, undefined, "the page is in no list of book/chapters.mjs: nothing leads to it");
    for (const { id, line, is_formula } of sections) {
      if (!is_formula && /^(op|act|ffn|norm|pos|attn|block|model|loss|init|optim|schedule|regular|dist)-[a-z0-9-]+$/.test(id)) {
        problems.add(page, line, `${id} is not in tests/formula_ids.txt`);
      }
    }
  }
  for (const [name, [{ path }]] of regions()) {
    const id = name.replace(/\.kernel.*/, "");
    if (name !== id && chapter_of(id) && !text.includes(`${path}#${name})`)) {
      problems.add(chapter_of(id).pages[0], undefined, `no page shows the region ${name} of ${path}`);
    }
  }
  for (const name of figures.filter((one) => !text.includes(`(made/figures/${one}.svg)`))) {
    problems.add(`figures/${name}.mjs`, undefined, "no page shows this picture");
  }
}

// Every convention, erratum and claim is discussed in the section of a formula, and is in a table or was measured. How many are.
export function check_sentences(entries, rows, told, problems) {
  const count = { "a convention": 0, "an erratum": 0, "a claim": 0 };
  for (const { id, kind, mentioned } of entries.filter((entry) => entry.kind in count)) {
    const lacks = [
      mentioned.length === 0 && "no section names it",
      kind === "a convention" && !rows.has(id) && 'no table of "Other conventions" has it',
      kind !== "a convention" && !told.has(id) && "made/results/claims.json does not have it",
      rows.get(id)?.some(({ rest }) => /\|\s*\|/.test(rest)) && "a cell of its row is empty",
    ].filter(Boolean);
    for (const what of lacks) problems.add("formulas.md", undefined, `${id}: ${what}`);
    if (lacks.length === 0) ++count[kind];
  }
  return count;
}

// An id that a page or the results name is in the list.
export function check_known(entries, pages, told, problems) {
  const known = new Set(entries.map(({ id }) => id));
  for (const id of told.keys())
    if (!known.has(id)) problems.add("made/results/claims.json", undefined, `${id} is not in tests/formula_ids.txt`);
  for (const { page, lines } of pages) {
    lines.forEach((line, at) => {
      for (const [, id] of line.matchAll(/`((?:claim|convention|erratum)-[a-z0-9-]+)`/g)) {
        if (!known.has(id)) problems.add(page, at + 1, `${id} is not in tests/formula_ids.txt`);
      }
    });
  }
}

// Every id of the chapters in the list has its section, on a page of its chapter, once. That it is a region and has a test,
// tests/core/test_formula_ids.cpp holds.
export function check_registry(entries, pages, problems) {
  const seen = new Map();
  for (const { page, sections } of pages) {
    for (const section of sections.filter(({ is_formula }) => is_formula)) {
      if (seen.has(section.id))
        problems.add(page, section.line, `${section.id} has another section, in ${seen.get(section.id)}`);
      seen.set(section.id, page);
      if (!chapter_of(section.id)?.pages.includes(page))
        problems.add(page, section.line, `${section.id} is not of this chapter`);
    }
  }
  let complete = 0;
  for (const { id, kind, section } of entries) {
    if (kind !== "a formula" && kind !== "an op that the book shows") continue;
    if (!chapter_of(id)) continue;
    if (section) ++complete;
    else problems.add(chapter_of(id).pages[0], undefined, `${id} has no section`);
  }
  return complete;
}
