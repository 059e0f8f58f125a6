// Tries every mutant: builds the groups one after the other, finds which tests reach which mutant, and runs these on it.
import { Copies, is_compiled } from "./compile.mjs";
import { explanation } from "./explained.mjs";
import { is_caught, known, note } from "./journal.mjs";
import { mutants_of } from "./mutants.mjs";
import { link, Program } from "./programs.mjs";
import { floor_of, floors, group_of, seen_from, sources, tests_of } from "./tree.mjs";

const hashes = new Map();
const tests_now = (floor) => hashes.get(floor) ?? hashes.set(floor, tests_of(floor)).get(floor);

// Did the mutant survive the tests of a floor as they are now?
const survives = (mutant, floor) => known(mutant)?.survived?.[floor]?.tests === tests_now(floor);
// Is there nothing left to try: explained, caught, not compiled, or survived every floor that sees it?
export const is_settled = (mutant) =>
  explanation(mutant) !== undefined ||
  is_caught(known(mutant)) ||
  known(mutant)?.outcome === "uncompiled" ||
  seen_from(mutant.path).every((floor) => survives(mutant, floor));

// The mutants with the tests that reach each, the fastest first; slow ones only where there is no other.
function work_of(mutants, tests) {
  const sorted = [...tests].sort((a, b) => a.milliseconds - b.milliseconds);
  return mutants.map((mutant) => {
    const reaching = sorted.filter(({ outcome, reached }) => outcome !== "failed" && reached.has(mutant.number));
    const fast = reaching.filter(({ outcome }) => outcome === "passed");
    return { mutant, tests: fast.length > 0 ? fast : reaching };
  });
}

async function try_on(floor, copies, folder, open, progress) {
  progress.say(`${folder}: test_${floor} is linked, and each test asked which faults it reaches`);
  const program = new Program(await link(floor, copies.objects_of(["core", floor]), folder));
  try {
    const tests = await program.cover();
    for (const { name, outcome } of tests)
      if (outcome === "failed") progress.say(`not used, as it fails without a fault: ${name}`);
    const work = work_of(open, tests);
    const survived = (mutant, reached) => {
      const before = known(mutant)?.survived ?? {};
      note({
        key: mutant.key,
        outcome: "survived",
        survived: { ...before, [floor]: { tests: tests_now(floor), reached } },
      });
    };
    for (const { mutant, tests } of work) if (tests.length === 0) survived(mutant, []);
    await program.try_all(
      work.filter(({ tests }) => tests.length > 0),
      ({ mutant, tests }, outcome, test) => {
        if (outcome === "survived") survived(mutant, tests.map(({ name }) => name).slice(0, 20));
        else note({ key: mutant.key, outcome, test: test?.name });
        progress.tried();
      },
    );
  } finally {
    program.end();
  }
}

async function try_group(folder, mutants, progress) {
  const uncompiled = mutants.filter((mutant) => known(mutant)?.outcome === "uncompiled");
  const copies = new Copies(folder, mutants, uncompiled);
  await copies.make((done, all, round) => progress.building(folder, done, all, round));
  for (const mutant of copies.dropped)
    if (known(mutant)?.outcome !== "uncompiled") note({ key: mutant.key, outcome: "uncompiled" });
  for (const floor of seen_from(mutants[0].path)) {
    const open = mutants.filter((mutant) => !is_settled(mutant) && !survives(mutant, floor));
    if (open.length > 0) await try_on(floor, copies, folder, open, progress);
  }
}

// The mutants of `only`, a folder or a file, or all without it. Upper floors first: they are small.
export function chosen(only) {
  const paths = sources().filter((path) => !only || path === only || path.startsWith(`${only}/`));
  paths.sort((a, b) => floors.indexOf(floor_of(b)) - floors.indexOf(floor_of(a)));
  return paths.flatMap(mutants_of).filter(is_compiled);
}

export async function campaign(mutants, progress, name = "") {
  const groups = new Map();
  for (const mutant of mutants)
    groups.set(group_of(mutant.path), [...(groups.get(group_of(mutant.path)) ?? []), mutant]);
  for (const [folder, all] of groups) {
    if (all.every(is_settled)) continue;
    try {
      await try_group(`${name}${folder}`, all, progress);
    } catch (error) {
      progress.say(`${folder} is left out: ${error.message}`); // the others are worth their hours all the same
    }
  }
}
