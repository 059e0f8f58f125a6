// The project's files as the book sees them, and the list of what is wrong with the book.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const docs = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const root = dirname(docs);

export const read = (path) => readFileSync(join(root, path), "utf8");
export const is_there = (path) => existsSync(join(root, path));

// The paths, from the project's root, of the files below `folder` whose names match.
export function files(folder, pattern) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !["node_modules", "cache", "dist"].includes(entry.name))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return files(path, pattern);
      return pattern.test(entry.name) ? [path] : [];
    })
    .sort();
}

// The path, from the project's root, of what a page links to.
export const linked = (page, href) => relative(root, resolve(docs, dirname(page), href));

export const pages = () =>
  readdirSync(docs)
    .filter((name) => name.endsWith(".md"))
    .sort();

// Replaces a file as a whole, or not at all.
export function replace_file(path, text) {
  const whole = join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(`${whole}.new`, text);
  renameSync(`${whole}.new`, whole);
}

// Everything that is wrong is collected, so that one run tells all of it.
export class Problems {
  all = [];
  add(page, line, message) {
    this.all.push(`docs/${page}${line === undefined ? "" : `:${line}`}: ${message}`);
  }
}
