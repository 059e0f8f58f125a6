// The reference: a page for each folder of headers, made before the book is built, and where in it a name is.
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { regions } from "../book/sources.mjs";
import { docs, read, replace_file } from "../book/tree.mjs";
import { source_link } from "../markdown/html.mjs";
import { headers, name_of, parse } from "./headers.mjs";
import { prose } from "./prose.mjs";

export const page_of = (folder) => folder.replaceAll("/", "-");
const anchor_of = (name) => name.replaceAll("::", "-").replace(/[^\w-]/g, (c) => `_${c.charCodeAt(0).toString(16)}`);

export const folders = [...new Set(headers.map(({ folder }) => folder))];

// Every declared name → { page, anchor } of its first place; members lead to their class.
const places = new Map();
for (const { path, folder, groups } of headers) {
  const page = page_of(folder);
  const note = (name, anchor) => !places.has(name) && places.set(name, { page, anchor, path });
  for (const { entries = [] } of groups) {
    for (const { names, members = [] } of entries) {
      names.forEach((name) => note(name, anchor_of(name)));
      for (const member of members.flatMap((group) => group.entries ?? [])) {
        member.names.forEach((name) => note(name, anchor_of(names[0])));
      }
    }
  }
}

const ambiguous = Symbol();
const by_last_name = new Map();
for (const name of places.keys()) {
  const last = name.split("::").at(-1);
  by_last_name.set(last, by_last_name.has(last) ? ambiguous : name);
}

// The name as declared that is meant by `name`, perhaps without its namespaces.
function declared(name) {
  if (places.has(name)) return name;
  for (const space of ["nn", "nn::formula", "optim"]) if (places.has(`${space}::${name}`)) return `${space}::${name}`;
  const only = by_last_name.get(name);
  return only === ambiguous ? undefined : only;
}

const link_to = ({ page, anchor }, from) => (page === from ? `#${anchor}` : `${page}#${anchor}`);

const is_class = ({ type }) => type === "class_specifier" || type === "struct_specifier";

// The declarations that a region defines: their names.
function defined_in({ path, first, last }) {
  const text = read(path)
    .split("\n")
    .slice(first - 1, last)
    .join("\n");
  const names = parse(text).namedChildren.map((node) => {
    if (is_class(node)) return node.childForFieldName("name")?.text;
    return node.type === "function_definition" ? name_of(node) : undefined;
  });
  return names.filter(Boolean).map((name) => declared(name) ?? declared(name.split("::")[0]));
}

// What a formula's function is called where it is documented: `rms_norm`, not `formula::rms_norm`.
const documented = (name) => [name?.replace("formula::", ""), name].find((one) => places.has(one));

// Where the reference has what a region is about: its first declaration, the op of its name, or the header beside the source.
export function reference_of(region) {
  const [place] = regions().get(region) ?? [];
  if (!place) return undefined;
  const names = defined_in(place).map(documented).filter(Boolean);
  const name = names[0] ?? documented(declared(region.replace(/^[a-z]+-/, "").replaceAll("-", "_")));
  if (name) return { name: name.replace(/^(nn|optim)::/, ""), ...places.get(name) };
  const header = headers.find(({ path }) => path === place.path.replace(/\.cpp$/, ".h"));
  return header && { name: basename(header.path), page: page_of(header.folder), anchor: anchor_of(basename(header.path)) };
}

class Page {
  constructor(folder, sections) {
    this.name = page_of(folder);
    this.folder = folder;
    this.sections = sections; // of a link into the reference: the ids whose formulas are there
    this.anchors = new Set();
  }

  anchor(name) {
    const id = anchor_of(name);
    if (this.anchors.has(id)) return "";
    this.anchors.add(id);
    return ` {#${id}}`;
  }

  prose(lines) {
    return prose(lines, (name) => {
      const whole = declared(name);
      return whole && link_to(places.get(whole), this.name);
    });
  }

  walked(anchors) {
    const ids = anchors.flatMap((anchor) => this.sections.get(`${this.name}#${anchor}`) ?? []);
    return ids.length === 0 ? [] : [`In the book: ${ids.map(({ id, section }) => `[${id}](../${section})`).join(" · ")}`];
  }

  code(entries) {
    const lines = entries.map(({ code, trail }) => (trail.length > 0 && entries.length > 1 ? beside(code, trail) : code));
    return `\`\`\`cpp\n${lines.join("\n")}\n\`\`\``;
  }

  // What stands together, with the comments above and beside it.
  body(entries) {
    const [{ lead, trail }] = entries;
    const beside_it = entries.length === 1 && trail.length > 0 ? [this.prose(trail)] : [];
    const members = entries.flatMap((entry) => (entry.members ?? []).flatMap((group) => this.member(group)));
    return [this.code(entries), this.prose(lead), ...beside_it, ...members, ...this.twin(entries)].filter(Boolean);
  }

  // A formula and its fast path are documented where the function is that chooses between them.
  twin([{ names, lead }]) {
    const [, space] = names[0]?.match(/^nn::(formula|fast)::/) ?? [];
    const name = names[0]?.replace(/(formula|fast)::/, "");
    if (!space || lead.length > 0 || !places.has(name)) return [];
    return [
      `The ${space === "formula" ? "formula, op by op," : "fast path"} of [\`${name.replace("nn::", "")}\`](${link_to(places.get(name), this.name)}).`,
    ];
  }

  member(group) {
    if (group.heading) return [`**${group.heading}**`];
    if (group.text) return [this.prose(group.text)];
    return this.body(group.entries.filter(({ access }) => access !== "private"));
  }

  group(group, path) {
    if (group.heading) return [];
    if (group.text) return [this.prose(group.text)];
    const names = [...new Set(group.entries.flatMap((entry) => entry.names))];
    const [first, ...others] = names;
    const anchors = others.map((name) => this.anchor(name).match(/#(.*)\}/)?.[1]).filter(Boolean);
    const shown = names.map((name) => name.replace(/^(nn|optim|kernels)::/, "")).join(", ");
    const id = this.anchor(first);
    return [
      `### ${md(shown)}${id}`,
      anchors.map((name) => `<a id="${name}"></a>`).join(""),
      ...this.body(group.entries),
      ...this.walked([anchor_of(first), ...anchors]),
      source_link(path, `<code>${path}:${group.entries[0].line}</code>`, group.entries[0].line).replace(
        'href="',
        'href="../',
      ),
    ].filter(Boolean);
  }

  header({ path, head, groups }) {
    const name = basename(path);
    return [
      `## ${md(name)}${this.anchor(name)}`,
      this.prose(head),
      `\`\`\`cpp\n#include "${path}"\n\`\`\``,
      ...this.walked([anchor_of(name)]),
      ...groups.flatMap((group) => this.group(group, path)),
    ];
  }

  text() {
    const own = headers.filter(({ folder }) => folder === this.folder);
    return [
      `# ${this.folder}`,
      `The headers of \`${this.folder}/\`, as they declare it.`,
      ...own.flatMap((header) => this.header(header)),
    ].join("\n\n");
  }
}

const md = (text) => text.replace(/[_*<>[\]&|]/g, "\\$&");

const beside = (code, trail) => {
  const lines = code.split("\n");
  return [...lines.slice(0, -1), `${lines.at(-1)}  // ${trail.join(" ")}`].join("\n");
};

// Writes the pages; entries are those of the registry.
export function write_reference(entries) {
  const sections = new Map();
  for (const { id, section, region } of entries.filter((entry) => entry.section && entry.region)) {
    const place = reference_of(id);
    const link = place && `${place.page}#${place.anchor}`;
    if (link) sections.set(link, [...(sections.get(link) ?? []), { id, section: section.replace(".md", "") }]);
  }
  rmSync(join(docs, "reference"), { recursive: true, force: true });
  for (const folder of folders)
    replace_file(`docs/reference/${page_of(folder)}.md`, `${new Page(folder, sections).text()}\n`);
  replace_file("docs/reference/index.md", overview());
}

function overview() {
  const rows = headers.map(({ path, folder, head }) => {
    const name = basename(path);
    return `| [${md(path)}](${page_of(folder)}#${anchor_of(name)}) | ${md(head.join(" ").split(/(?<=[.:]) /)[0])} |`;
  });
  return [
    "# Reference",
    "",
    "Every header, with its first sentence.",
    "",
    "| header | what it has |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
}
