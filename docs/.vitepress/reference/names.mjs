// Where in the reference a name is.
import { basename } from "node:path";
import { regions } from "../book/sources.mjs";
import { read } from "../book/tree.mjs";
import { headers, is_class, name_of, parse } from "./headers.mjs";

export const folders = [...new Set(headers.map(({ folder }) => folder))];
export const page_of = (folder) => folder.replaceAll("/", "-");
export const anchor_of = (name) => name.replaceAll("::", "-").replace(/[^\w-]/g, (c) => `_${c.charCodeAt(0).toString(16)}`);

// Every declared name → { page, anchor, path } of its first place; members lead to their class.
export const places = new Map();
for (const { path, folder, groups } of headers) {
  const note = (name, anchor) =>
    places.has(name) || places.set(name, { page: page_of(folder), anchor: anchor_of(anchor), path });
  for (const { names, members = [] } of groups.flatMap(({ entries = [] }) => entries)) {
    for (const name of names) note(name, name);
    for (const member of members.flatMap(({ entries = [] }) => entries))
      member.names.forEach((name) => note(name, names[0]));
  }
}

// The last part of a name → the name, if it is the only one that ends so.
const by_last = new Map();
for (const name of places.keys()) {
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

// Where the reference has what a region is about: its first definition, the op of its name, or the header beside the source.
export function reference_of(region) {
  const [place] = regions().get(region) ?? [];
  if (!place) return undefined;
  const [first] = defined_in(place).map(documented).filter(Boolean);
  const name = first ?? documented(declared(region.replace(/^[a-z]+-/, "").replaceAll("-", "_")));
  if (name) return { name: name.replace(/^(nn|optim)::/, ""), ...places.get(name) };
  const header = headers.find(({ path }) => path === place.path.replace(/\.cpp$/, ".h"));
  return header && { name: basename(header.path), page: page_of(header.folder), anchor: anchor_of(basename(header.path)) };
}
