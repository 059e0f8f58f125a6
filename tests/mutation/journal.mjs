// What is known of every fault, a line of JSON each time one was tried; the last one counts. A fault that is known needs not
// be tried again, except a survivor when the tests have changed.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "./tree.mjs";

const path = join(build, "journal.jsonl");
const entries = new Map();

if (existsSync(path)) {
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
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
  entries.set(entry.key, entry);
}
