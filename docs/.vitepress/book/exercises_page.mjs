// The page of all exercises, from results/exercises.json, which `./examples/run exercises registry` writes.
import { read } from "./tree.mjs";

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("$", "\\$");
const exercises = () => JSON.parse(read("docs/results/exercises.json"));

const rows = (all) =>
  all.map((one) => {
    const named = one.stages.reduce((sum, { mistakes }) => sum + mistakes.length, 0);
    const needs = one.needs.map((id) => `\`${id}\``).join(", ");
    return `| ${one.number} | [${one.title}](#${one.id}) | [\`${one.section.split("#")[1] ?? one.section}\`](${one.section}) | ${one.minutes} | ${needs} | ${one.in_place ? "yes" : ""} | ${named} |`;
  });

function stage_table({ function: name, probes, mistakes }) {
  return [
    `**\`${name}\`**, on ${probes.length} probes: ${probes.map((probe, at) => `${at + 1} ${cell(probe)}`).join("; ")}.`,
    "",
    "| what is wrong | as published | id | seen on |",
    "|---|---|---|---|",
    ...mistakes.map(
      ({ id, line, source = "", convention, shown }) =>
        `| ${convention ? "*a convention:* " : ""}${cell(line)} | ${cell(source)} | \`${id}\` | ${shown.join(" ")} |`,
    ),
    "",
  ];
}

export function exercises_page() {
  const all = exercises();
  const minutes = all.reduce((sum, one) => sum + one.minutes, 0);
  const mistakes = new Map(all.flatMap(({ stages }) => stages.flatMap((stage) => stage.mistakes.map((one) => [one.id, one]))));
  const published = [...mistakes.values()].filter(({ source }) => source).length;
  return [
    "# Exercises",
    "",
    `${all.length} functions and loops to write yourself, ${Math.round(minutes / 60)} hours in all. A tutor in the terminal checks each time you save, and does`,
    `not only say that something is wrong: it knows ${mistakes.size} mistakes and conventions, ${published} of them from code that was published, and`,
    "says which one is yours, as a question first.",
    "",
    "```sh",
    "# shows the next exercise, watches its file, answers when it is saved",
    "./examples/run exercises",
    "# puts the stub of one into my/, checks it once",
    "./examples/run exercises new rms-norm",
    "./examples/run exercises check rms-norm",
    "# after it passes: in the language model, beside the library's",
    "./examples/run train --mine rms-norm",
    "```",
    "",
    "A wrong answer is compared in this order: what does not compile, throws, crashes or hangs; equal to a known mistake on every",
    "probe; to two at once; right but for a factor, an axis, an ε, an end; a broken law; else the smallest probe with both values.",
    "What others do on purpose is named, and right.",
    "",
    "| | exercise | section | minutes | needs | in the model | mistakes |",
    "|---|---|---|---|---|---|---|",
    ...rows(all),
    "",
    ...all.flatMap((one) => [
      `## ${one.id}`,
      "",
      `**${one.number} ${one.title}.** [${one.section}](${one.section}) · ${one.minutes} minutes · \`./examples/run exercises new ${one.id}\``,
      "",
      ...one.stages.flatMap(stage_table),
    ]),
  ]
    .join("\n")
    .replace(/\n+$/, "\n");
}
