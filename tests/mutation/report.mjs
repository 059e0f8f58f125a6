// How many mutants the tests caught, by floor, and every survivor.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { explained_keys, explanation } from "./explained.mjs";
import { is_caught, known } from "./journal.mjs";
import { mutants_of } from "./mutants.mjs";
import { build, floor_of, floors, seen_from, sources } from "./tree.mjs";

const outcome_of = (mutant) => {
  const entry = known(mutant);
  if (explanation(mutant) && !is_caught(entry)) return "explained";
  const open = entry?.outcome === "survived" && seen_from(mutant.path).some((floor) => !entry.survived[floor]);
  return open ? "not yet tried" : (entry?.outcome ?? "not yet tried");
};

// The mutation score: caught ones in percent of those that were tried, compile and are not explained. NaN if there are none.
export function kill_rate(mutants) {
  const caught = mutants.filter((mutant) => is_caught(known(mutant))).length;
  return (100 * caught) / (caught + mutants.filter((mutant) => outcome_of(mutant) === "survived").length);
}

export const untried = (mutants) => mutants.filter((mutant) => outcome_of(mutant) === "not yet tried").length;

const COLUMNS = ["killed", "crashed", "hung", "survived", "explained", "uncompiled", "not yet tried"];

function row(name, mutants) {
  const counts = COLUMNS.map((column) => mutants.filter((mutant) => outcome_of(mutant) === column).length);
  const percent = kill_rate(mutants);
  return [name, mutants.length, ...counts, Number.isNaN(percent) ? "" : `${percent.toFixed(1)} %`];
}

function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((each) => String(each[i]).length)));
  return rows
    .map((each) => each.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join("  "))
    .join("\n");
}

function survivor(mutant) {
  const reached = Object.values(known(mutant).survived ?? {}).flatMap((each) => each.reached);
  const tests = reached.length === 0
    ? "no test reaches it"
    : `reached by ${reached.length >= 20 ? "20 tests or more" : reached.length}: ${reached.slice(0, 3).join(" | ")}`;
  return `${mutant.path}:${mutant.line} ${mutant.home} (${mutant.fault}, ${mutant.key})\n  - ${mutant.old}\n  + ${mutant.new}\n  ${tests}`;
}

export const survivors_of = (mutants) => mutants.filter((mutant) => outcome_of(mutant) === "survived");

// The report's text, which is also written to a file in build/mutants.
export function report(mutants, name) {
  const by_floor = floors
    .map((floor) => [floor, mutants.filter(({ path }) => floor_of(path) === floor)])
    .filter(([, own]) => own.length > 0);
  const rows = by_floor.map(([floor, own]) => row(floor, own));
  if (rows.length > 1) rows.push(row("all", mutants));
  const parts = [table([["", "faults", ...COLUMNS, "caught"], ...rows]), ...survivors_of(mutants).map(survivor)];
  const keys = new Set(sources().flatMap(mutants_of).map(({ key }) => key));
  for (const key of explained_keys())
    if (!keys.has(key)) parts.push(`equivalent.txt explains ${key}, which is no fault any more`);
  const text = `${parts.join("\n\n")}\n`;
  writeFileSync(join(build, name), text);
  return text;
}
