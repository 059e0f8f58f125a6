// The page of all exercises, from what is in made/results: exercises.json, which `./examples/run exercises registry` writes, and what
// the tutor says and shows, passed-elsewhere.json and tutor.txt.
import { exercises, is_home, linking_places } from "./exercise_links.mjs";
import { made_page } from "./made_by.mjs";
import { read } from "./tree.mjs";

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("$", "\\$");

const section_link = (section) => `[\`${section.split("#")[1] ?? section.replace(/\.md$/, "")}\`](${section})`;

const named = ({ stages }) => stages.reduce((sum, { mistakes }) => sum + mistakes.length, 0);

const rows = (all) =>
  all.map((one) => {
    const needs = one.needs.map((id) => `\`${id}\``).join(", ");
    return `| ${one.number} | [${one.title}](#${one.id}) | ${
      [one.section, ...one.also].map(section_link).join(", ")
    } | ${one.minutes} | ${needs} | ${one.part} | ${named(one)} |`;
  });

function stage_table({ function: name, probes, mistakes }) {
  const row = ({ id, line, source = "", convention, shown }) =>
    `| ${convention ? "*a convention:* " : ""}${cell(line)} | ${cell(source)} | \`${id}\` | ${shown.join(" ")} |`;
  return `**\`${name}\`**, on ${probes.length} probes: ${probes.map((probe, at) => `${at + 1} ${cell(probe)}`).join("; ")}.

| what is wrong | as published | id | seen on |
|---|---|---|---|
${mistakes.map(row).join("\n")}
`;
}

// The screens of a recording: what was done → its lines, without those that are empty one after the other.
function screens() {
  const parts = read("docs/made/results/tutor.txt").split(/^== (.+)\n/m).slice(1);
  return new Map(parts.flatMap((what, at) => (at % 2 === 0 ? [[what, parts[at + 1].replace(/\n{3,}/g, "\n\n").trimEnd()]] : [])));
}

function tutor_part() {
  const shown = screens();
  const screen = (what) => {
    if (!shown.has(what)) throw new Error(`made/results/tutor.txt has no screen "${what}"`);
    return `\`\`\`text\n${shown.get(what)}\n\`\`\``;
  };
  return `## The tutor at work

In a terminal, on the exercise as it is given:

${screen("the exercise as it is given")}

The file is saved with ε outside the root. What is wrong is asked before it is named:

${screen("saved, with ε outside the root")}

The key w names it, and h gives a hint:

${screen("key h")}

And with ε below the root:

${screen("saved, with ε below the root")}
`;
}

// What the tests of other courses let pass, and what the tutor says to it.
function elsewhere_part() {
  const all = JSON.parse(read("docs/made/results/passed-elsewhere.json"));
  const row = ({ exercise, wrong, passes, because, says, asks, id }) =>
    `| ${cell(wrong)} | [${passes.name}](${passes.link}): ${cell(because)} | [${exercise}](#${exercise}): ${cell(says)} *${
      cell(asks)
    }* | \`${id}\` |`;
  return `## Passed elsewhere

Wrong answers that the tests of another course, or its guide for graders, let pass. Each was made from the right one and handed in;
the third column is what the tutor said, and what it asked.

| what is wrong | what it passes, and why | the tutor | id |
|---|---|---|---|
${all.map(row).join("\n")}
`;
}

// The sections whose exercises lead here, but for the one that the exercise is of.
function led_from({ id, section }, places) {
  const others = places.filter(({ place, ids }) => !is_home(place, section) && ids.includes(id)).map(({ place }) => place);
  const link = (place) => `[\`${place.split("#")[1]}\`](${place})`;
  return others.length > 0 ? ` · to break in ${others.map(link).join(", ")}` : "";
}

function exercise_part(one, places) {
  const sections = [one.section, ...one.also].map(section_link).join(", ");
  return `## ${one.id}

**${one.number} ${one.title}.** ${sections} · ${one.minutes} minutes · \`./examples/run exercises new ${one.id}\`${led_from(one, places)}

<details><summary>What the tutor knows: ${named(one)} mistakes and conventions</summary>

${one.stages.map(stage_table).join("\n")}
</details>
`;
}

export function exercises_page(pages) {
  const all = exercises();
  const places = linking_places(pages);
  const minutes = all.reduce((sum, one) => sum + one.minutes, 0);
  const mistakes = new Map(all.flatMap(({ stages }) => stages.flatMap((stage) => stage.mistakes.map((one) => [one.id, one]))));
  const published = [...mistakes.values()].filter(({ source }) => source).length;
  const sources = "exercises.json, passed-elsewhere.json and tutor.txt of docs/made/results";
  return made_page(sources, `# Exercises

${all.length} exercises, ${
    Math.round(minutes / 60)
  } hours in all: functions and loops to write yourself. A tutor in the terminal checks each time you save, and does
not only say that something is wrong: it knows ${mistakes.size} mistakes and conventions, ${published} of them from code that was published.
It shows the smallest probe that is wrong and asks a question; it names the mistake when it finds the same one again, or when you ask:
with the key w, or with \`--name\`.

\`\`\`sh
# shows the next exercise, watches its file, answers when it is saved
./examples/run exercises
# puts the stub of one into my/, checks it once
./examples/run exercises new rms-norm
./examples/run exercises check rms-norm
# after it passes: what it does; beside its chapter's published mistakes; in a GPT with all that has passed
./examples/run exercises mine rms-norm
./examples/run ch04 --mine rms-norm
./examples/run exercises mine all
\`\`\`

\`mine all\` trains a small GPT of all the functions that have passed, with the library's in the other places, beside the same GPT
of the library's alone. It names the parts that are yours, compares both losses, and writes.

A wrong answer is compared in this order: what does not compile, crashes or hangs; equal to a known mistake on every probe; to two
at once; right but for a factor, an axis, an ε; equal to a known mistake on more than half of the wrong probes; wrong only at an
end; a broken law; else the smallest probe with both values. Another convention is named, and accepted.

On a wide screen they can be written in this page of the built book, with nothing installed: clang is loaded once and runs here, for
exercises on tensors also the library, and the grader, which is the same, says the same.

| | exercise | section | minutes | needs | part of a model | mistakes |
|---|---|---|---|---|---|---|
${rows(all).join("\n")}

${[tutor_part(), elsewhere_part(), ...all.map((one) => exercise_part(one, places))].join("\n")}`);
}
