// What is known of every mutant: a line of JSON each time one was tried, of which the last counts. A mutant that is known need
// not be tried again, except a survivor when the tests have changed.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "./tree.mjs";

const entries = new Map();
let path;

// Goes on with the journal of this name, or begins a new one.
export function open_journal(name, { afresh = false } = {}) {
  path = join(build, name);
  mkdirSync(dirname(path), { recursive: true });
  if (afresh) rmSync(path, { force: true });
  if (!existsSync(path)) return;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    try {
      const entry = JSON.parse(line);
      entries.set(entry.key, entry);
    } catch {
      continue; // the last line of a run that was killed
    }
  }
}

export const known = (mutant) => entries.get(mutant.key);

export const is_caught = (entry) => ["killed", "crashed", "hung"].includes(entry?.outcome);

// { key, outcome, … }: killed, crashed or hung at `test`; uncompiled; or survived, which says of each floor whose tests it
// survived what they were: { core: hash }, and which reached it.
export function note(entry) {
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
  entries.set(entry.key, entry);
}
