// Where in the reference a name is.
import { basename, dirname } from "node:path";
import { regions } from "../book/sources.mjs";
import { read } from "../book/tree.mjs";
import { headers } from "./headers.mjs";
import { is_class, name_of, parse } from "./parse.mjs";

export const folders = [...new Set(headers.map(({ folder }) => folder))];
export const page_of = (folder) => folder.replaceAll("/", "-");
export const anchor_of = (name) => name.replaceAll("::", "-").replace(/[^\w-]/g, (c) => `_${c.charCodeAt(0).toString(16)}`);

// Every declared name → { page, anchor, path } of its first place; members lead to their class.
export const places = new Map();
for (const { path, folder, groups } of headers) {
  const note = (name, anchor) => places.has(name) || places.set(name, { page: page_of(folder), anchor: anchor_of(anchor), path });
  for (const { names, members = [] } of groups.flatMap(({ entries = [] }) => entries)) {
    for (const name of names) note(name, name);
    for (const member of members.flatMap(({ entries = [] }) => entries))
      member.names.forEach((name) => note(name, names[0]));
  }
}

// Names of namespaces: the last part of each → the name, if it is the only one that ends so. Members are known by their
// classes alone.
const free = [...places.keys()].filter((name) => places.get(name).anchor === anchor_of(name));
const by_last = new Map();
for (const name of free) {
  const last = name.split("::").at(-1);
  by_last.set(last, by_last.has(last) ? undefined : name);
}

// The name as declared that is meant by `name`, which may lack its namespaces.
export const declared = (name) =>
  ["", "nn::", "nn::formula::", "optim::"].map((space) => space + name).find((one) => places.has(one)) ?? by_last.get(name);

// What a formula's function is called where it is documented: `rms_norm`, not `formula::rms_norm`.
const documented = (name) => [name?.replace("formula::", ""), name].find((one) => places.has(one));

// What a region of the source defines.
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

const kebab = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();

// A name of this folder that is that of the id, and not that of another: optim-adam is Adam, norm-layer is layer_norm.
function named_as(id, folder) {
  const [family, ...rest] = id.split("-");
  const last = (name) => name.split("::").at(-1);
  const bare = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const of_another = (name) => kebab(last(name)) !== rest.join("-") && regions().has(`${family}-${kebab(last(name))}`);
  const here = free.filter((name) => dirname(places.get(name).path) === folder && !of_another(name));
  const wanted = [rest, [...rest, family], [family, ...rest]].map((words) => words.join(""));
  return wanted.flatMap((one) => here.filter((name) => bare(last(name)) === one)).map(documented)[0];
}

// Where the reference has what a region is about: the name of its id, what it defines, or the header beside the source.
export function reference_of(region) {
  const [place] = regions().get(region) ?? [];
  if (!place) return undefined;
  const defined = defined_in(place)
    .map(documented)
    .filter((name) => name && !name.startsWith("kernels::"));
  const name = named_as(region, dirname(place.path)) ?? defined.find((one) => !one.includes("formula::")) ?? defined[0];
  if (name) return { name: name.replace(/^(nn|optim)::/, ""), ...places.get(name) };
  const header = headers.find(({ path }) => path === place.path.replace(/(_kernel)?\.cpp$/, ".h"));
  return header && { name: basename(header.path), page: page_of(header.folder), anchor: anchor_of(basename(header.path)) };
}
