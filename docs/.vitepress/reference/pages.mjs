// The reference: a page for each folder of headers, made before the book is built.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { docs, replace_file } from "../book/tree.mjs";
import { source_link } from "../markdown/html.mjs";
import { headers } from "./headers.mjs";
import { anchor_of, declared, folders, page_of, places, reference_of } from "./names.mjs";
import { prose } from "./prose.mjs";

const plain = (text) => text.replace(/[_*<>[\]&|]/g, "\\$&");
const short = (name) => name.replace(/^(nn|optim|kernels)::/, "");
const fence = (lines) => `\`\`\`cpp\n${lines.join("\n")}\n\`\`\``;

// A comment behind a declaration stays there where several declarations stand together.
function beside(entry, alone) {
  const { trail, access } = entry;
  const code = in_space(entry);
  const words = [access === "protected" && "protected", !alone && trail.join(" ")].filter(Boolean);
  return words.length === 0 ? code : `${code}  // ${words.join(": ")}`;
}

// nn::formula::f and nn::fast::f of a header that has nn::f stand beside it, unless they have words of their own.
const public_name = (name) => name?.replace(/^nn::(formula|fast)::/, "nn::");
function twins_of(groups) {
  const names = new Set(groups.flatMap(({ entries = [] }) => entries.flatMap((entry) => entry.names)));
  const is_twin = ({ lead, names: [name] }) => lead.length === 0 && public_name(name) !== name && names.has(public_name(name));
  return groups.filter(({ entries }) => entries?.every(is_twin));
}

// A declaration with the part of its namespaces that tells it from its twins.
function in_space({ code, names: [name] }) {
  const [, space] = name?.match(/^nn::(formula|fast)::/) ?? [];
  const last = name?.split("::").at(-1);
  return space ? code.replace(new RegExp(`(?<![\\w:])${last}(?=\\()`), `${space}::${last}`) : code;
}

class Page {
  constructor(folder, sections) {
    this.name = page_of(folder);
    this.folder = folder;
    this.sections = sections; // page#anchor → the formulas whose code is declared there
    this.anchors = new Set();
  }

  text() {
    const own = headers.filter(({ folder }) => folder === this.folder);
    const title = `# ${this.folder} {#headers}`;
    return [title, `What the headers of \`${this.folder}/\` declare.`, ...own.flatMap((one) => this.header(one))].join(
      "\n\n",
    );
  }

  header({ path, head, groups }) {
    const name = basename(path);
    const twins = twins_of(groups);
    return [
      `## ${plain(name)} {#${this.anchor(name)}}`,
      this.prose(head),
      `\`#include "${path}"\`${this.in_book([name])}`,
      ...groups.filter((group) => !twins.includes(group)).flatMap((group) => this.group(group, path, twins)),
    ];
  }

  group({ heading, text, entries }, path, twins) {
    if (!entries) return heading ? [`**${plain(heading)}**`] : [this.prose(text)];
    const names = [...new Set(entries.flatMap((entry) => entry.names))];
    const [first, ...others] = names.map((name) => this.anchor(name));
    const [{ line }] = entries;
    const beside_it = twins.flatMap((twin) => twin.entries).filter((twin) => names.includes(public_name(twin.names[0])));
    return [
      `### ${plain(names.map(short).join(", "))}${first ? ` {#${first}}` : ""}`,
      others.map((id) => id && `<a id="${id}"></a>`).join(""),
      ...this.body(entries),
      ...this.twins(beside_it),
      source_link(path, `<code>${path}:${line}</code>`, line).replace('href="', 'href="../') + this.in_book(names),
    ].filter(Boolean);
  }

  // One declaration with its words below; of several that stand together the words are comments, as in the source.
  body(entries) {
    const alone = entries.length === 1;
    const members = entries.flatMap((entry) => (entry.members ?? []).flatMap((group) => this.member(group)));
    const [{ lead, trail }] = entries;
    const above = alone ? [] : lead.map((line) => `// ${line}`);
    const words = alone ? [this.prose(lead), this.prose(trail)] : [];
    return [fence([...above, ...entries.map((entry) => beside(entry, alone))]), ...words, ...members].filter(Boolean);
  }

  member({ heading, text, entries }) {
    if (heading) return [`**${heading}**`];
    return text ? [this.prose(text)] : this.body(entries);
  }

  twins(entries) {
    if (entries.length === 0) return [];
    const what = (name) => (name.startsWith("nn::formula::") ? "the formula, op by op" : "the fast path");
    const lines = entries.map((entry) => `${in_space(entry)}  // ${what(entry.names[0])}`);
    return [fence(lines)];
  }

  prose(lines) {
    return prose(lines, (name) => {
      const { page, anchor } = places.get(declared(name)) ?? {};
      return anchor && (page === this.name ? `#${anchor}` : `${page}.html#${anchor}`);
    });
  }

  // An id for a name that has none on this page yet.
  anchor(name) {
    const id = anchor_of(name);
    if (this.anchors.has(id)) return undefined;
    this.anchors.add(id);
    return id;
  }

  in_book(names) {
    const found = names.flatMap((name) => this.sections.get(`${this.name}#${anchor_of(name)}`) ?? []);
    return found.length === 0
      ? ""
      : ` · in the book: ${found.map(({ id, section }) => `[${id}](../${section})`).join(", ")}`;
  }
}

function overview() {
  const row = ({ path, folder, head }) =>
    `| [${plain(path)}](${page_of(folder)}#${anchor_of(basename(path))}) | ${plain(head.join(" ").split(/(?<=\.) /)[0])} |`;
  return `# Every header

One page for each folder; here every header, with its first sentence.

| header | what it has |
|---|---|
${headers.map(row).join("\n")}
`;
}

// Writes the pages. Entries are those of the registry.
export function write_reference(entries) {
  const sections = new Map();
  for (const { id, section } of entries.filter((entry) => entry.section)) {
    const place = reference_of(id);
    const key = place && `${place.page}#${place.anchor}`;
    if (key) sections.set(key, [...(sections.get(key) ?? []), { id, section: section.replace(".md", "") }]);
  }
  const made = join(docs, "reference");
  mkdirSync(made, { recursive: true });
  for (const old of readdirSync(made)) rmSync(join(made, old)); // the folder stays: docs/ itself has not changed
  const write = (name, text) => replace_file(`docs/reference/${name}.md`, text);
  for (const folder of folders) write(page_of(folder), `${new Page(folder, sections).text()}\n`);
  write("index", overview());
}
