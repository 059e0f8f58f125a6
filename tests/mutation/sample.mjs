// A few mutants of a few files, different ones for each commit.
import { execFileSync } from "node:child_process";
import { hash, root } from "./tree.mjs";

const FILES = 4;

function commit() {
  try {
    return execFileSync("git", ["-C", root, "rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "no commit";
  }
}

// `count` of the mutants, from FILES files that are chosen by the commit.
export function sampled(mutants, count) {
  const seed = commit();
  const shuffled = (items, key) => [...items].sort((a, b) => (hash(seed, key(a)) < hash(seed, key(b)) ? -1 : 1));
  const paths = [...new Set(mutants.map(({ path }) => path))].filter((path) => path.endsWith(".cpp"));
  const from = new Set(shuffled(paths, (path) => path).slice(0, FILES));
  return shuffled(
    mutants.filter(({ path }) => from.has(path)),
    ({ key }) => key,
  ).slice(0, count);
}
