// A few mutants of a few files: the same each time, others by another GRADUS_SEED.
import { hash } from "./tree.mjs";

const FILES = 4;

// `count` of the mutants, from FILES files that are chosen by the seed.
export function sampled(mutants, count) {
  const seed = process.env.GRADUS_SEED ?? "1";
  const shuffled = (items, key) => [...items].sort((a, b) => (hash(seed, key(a)) < hash(seed, key(b)) ? -1 : 1));
  const paths = [...new Set(mutants.map(({ path }) => path))].filter((path) => path.endsWith(".cpp"));
  const from = new Set(shuffled(paths, (path) => path).slice(0, FILES));
  return shuffled(
    mutants.filter(({ path }) => from.has(path)),
    ({ key }) => key,
  ).slice(0, count);
}
