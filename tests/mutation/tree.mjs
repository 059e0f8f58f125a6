// What is mutated: the files with the mathematics of the library, in groups that are built together.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { files, read as read_now, root } from "../../docs/.vitepress/book/tree.mjs";

export { root };
// The build whose tests are run; what is known of the faults in another than the release build stands in a folder of its own.
export const preset = process.env.GRADUS_PRESET || "release";
export const build = join(root, "build/mutants", preset === "release" ? "" : preset);
export const floors = ["core", "nn", "optim"];

// As it was when first read: a run of hours keeps to that.
const texts = new Map();
export const read = (path) => texts.get(path) ?? texts.set(path, read_now(path)).get(path);

export const hash = (...texts) => {
  const all = createHash("sha1");
  for (const text of texts) all.update(text).update("\0");
  return all.digest("hex").slice(0, 12);
};

const WITH_MATHEMATICS = /^(core\/(ops|kernels)\/|core\/autograd\/(fused|engine)|nn\/|optim\/)/;
// Threads and memory, names and tables, checks of what is given.
const WITHOUT = new RegExp(
  "^(core/kernels/(kernels|check_operands)|core/ops/ops|nn/(nn|module|parameter|sequential|check_inputs|init_table|part_ptr)|nn/model/compatibility|" +
    "nn/.*_table|optim/(optim|checks|optimizer_table))\\.(h|cpp)$",
);

export const sources = () =>
  floors
    .flatMap((floor) => files(floor, /\.(h|cpp)$/))
    .filter((path) => WITH_MATHEMATICS.test(path) && !WITHOUT.test(path));

// The folder whose files are built together, with their faults.
export const group_of = (path) => dirname(path);
export const floor_of = (path) => path.split("/")[0];

// The floors whose tests may see a fault in this file, its own first; in another than the release build only its own.
const SEEN_FROM = { core: ["core", "nn", "optim"], nn: ["nn"], optim: ["optim"] };
export const seen_from = (path) => SEEN_FROM[floor_of(path)].slice(0, preset === "release" ? undefined : 1);

const INCLUDE = /^#include "((?:core|nn|optim|tests)\/[^"]+)"/gm;
const known = new Map();

// The file and all that it includes, over any number of steps.
export function with_included(path) {
  if (known.has(path)) return known.get(path);
  const all = new Set([path]);
  for (const file of all) {
    if (!existsSync(join(root, file))) continue;
    for (const [, included] of read(file).matchAll(INCLUDE)) all.add(included);
  }
  known.set(path, [...all].sort());
  return known.get(path);
}

// What the tests of a floor are, as one hash: a fault that survived is tried again when it has changed.
export function tests_of(floor) {
  const all = [...files(`tests/${floor}`, /\.(h|cpp)$/), ...files("tests/support", /\.(h|cpp)$/)];
  return hash(...all.map((path) => path + read(path)));
}
