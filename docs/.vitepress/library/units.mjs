// What the library for the page is made of: units, each some sources that are one for the compiler, as at home (see CMakeLists.txt),
// and the headers that they, and a reader's program, can include.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const wasm = "examples/shared/wasm";
const floors = ["core", "core/inspect", "nn", "optim"];
const libraries = ["fmt", "xsimd", "xtensor", "xtl", "nlohmann"]; // of which the sources include headers
const elsewhere = { core: /^core\/inspect\//, optim: /\/distributed\// }; // a library within; a page is one rank
const replaced = /^core\/(machine\/(team|threads)|inspect\/html)\.cpp$/; // by what is in `wasm`, or by nothing
const kernel = /(\/kernels\/|_kernels?\.cpp|\/activation\/)[^/]*$/;

const below = (folder, root) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();

const groups = (all, size) => Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

// { name, files }; kernels in smaller groups, as they take longest.
export function units(root) {
  const own = below(wasm, root).filter((file) => file.endsWith(".cpp"));
  const all = floors.flatMap((floor) => {
    const sources = below(floor, root).filter((file) => /(?<!\/generate)\.cpp$/.test(file) && !elsewhere[floor]?.test(file));
    const kernels = sources.filter((file) => kernel.test(file));
    const others = sources.filter((file) => !kernel.test(file));
    const name = floor.replace("/", "_"), not_replaced = (files) => files.filter((file) => !replaced.test(file));
    const named = (kind, all, size) =>
      groups(all, size).map((files, i) => ({ name: `${name}${kind}_${i}.cpp`, files: not_replaced(files) }));
    return [...named("_kernels", kernels, 3), ...named("", others, 8)];
  });
  return [...own.map((file) => ({ name: file.split("/").at(-1), files: [file] })), ...all];
}

// Where a library's headers are: the first of these that has its folder.
const installed = (library) =>
  ["/usr/include", "/usr/local/include"].find((folder) => readdirSync(folder).includes(library)) ?? fails(`${library} is not installed`);
const fails = (why) => {
  throw new Error(why);
};

// The compiler's file system knows no "..".
const without_dots = (file, text) =>
  text.replace(/#include "(\.\.\/[^"]*)"/g, (_, path) => `#include <${posix.join(posix.dirname(file), path)}>`);

// [path, text] of each header that the library is made with.
export function headers(root) {
  const ours = ["core", "nn", "optim", "examples/first", wasm].flatMap((folder) => below(folder, root)).filter((file) =>
    file.endsWith(".h")
  );
  const theirs = libraries.flatMap((library) => {
    const folder = installed(library);
    return below(library, folder).map((file) => [`include/${file}`, without_dots(file, readFileSync(join(folder, file), "utf8"))]);
  });
  return [...ours.map((file) => [file, readFileSync(join(root, file), "utf8")]), ...theirs];
}

// Those that a program can include.
export const of_programs = (all) => all.filter(([path]) => /^(core|nn|optim|examples|include\/fmt)\//.test(path));

// The texts of those that these texts include, directly or not.
export function included(texts, headers) {
  const found = new Set();
  const follow = (text) => {
    for (const [, path] of text.matchAll(/^#include "([^"]+)"/gm)) {
      if (!headers.has(path) || found.has(path)) continue;
      found.add(path);
      follow(headers.get(path));
    }
  };
  texts.forEach(follow);
  return [...found].sort().map((path) => headers.get(path));
}
