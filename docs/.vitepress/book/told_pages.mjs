// claims.md and errata.md, made from results/claims.json: each sentence of the notes with its rule, its numbers and its verdict.
import { number } from "../../figures/kit/words.mjs";
import { in_the_form_of } from "./results.mjs";
import { read } from "./tree.mjs";

const results = JSON.parse(read("docs/results/claims.json"));
const cell = (text) => text.replace(/\|/g, "\\|");
const list = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

// "note 2, lines 68 and 81; note 0, line 13"
function text_of(sources) {
  const notes = [...new Set(sources.map(({ note }) => note))];
  const lines_of = (note) => sources.filter((source) => source.note === note).map(({ line }) => String(line));
  return notes
    .map((note) => `note ${note}, ${lines_of(note).length > 1 ? "lines" : "line"} ${list(lines_of(note))}`)
    .join("; ");
}

// A number as it stands in the results, with its path.
function measured(value, path) {
  if (typeof value !== "number") return "–";
  const text = number(value, 3);
  return `[${in_the_form_of(text, value)}](results/claims.json#claims.${path})`;
}

// The loss of each model that a place compares: "pre 2.41, post 3.39 (not trained)".
function losses({ arms = [] }, path) {
  const one = ({ name, mean, trained }, i) =>
    `${cell(name)} ${measured(mean, `${path}.arms.${i}.mean`)}${trained ? "" : " (not trained)"}`;
  return arms.map(one).join(", ");
}

function places(sentence) {
  const factors = [...new Set(sentence.places.flatMap(({ where }) => Object.keys(where)))];
  const trains = sentence.places.some(({ arms }) => arms);
  const row = (place, i) => {
    const at = `${sentence.id}.places.${i}`;
    const verdict = `[${place.verdict}](results/claims.json#claims.${at}.verdict)`;
    const numbers = [measured(place.mean, `${at}.mean`), measured(place.sigma, `${at}.sigma`), place.values.length];
    const cells = [...factors.map((factor) => cell(place.where[factor] ?? "")), ...numbers];
    return `| ${[...cells, ...(trains ? [losses(place, at)] : []), verdict].join(" | ")} |`;
  };
  const head = [...factors.map(cell), "mean", "±σ", sentence.rule.sample, ...(trains ? ["losses"] : []), "says"];
  return [
    `| ${head.join(" | ")} |`,
    `|${"---|".repeat(head.length)}`,
    ...sentence.places.map(row),
    ...(trains ? [`\n${counting(sentence)}`] : []),
  ].join("\n");
}

// What a model is worth that knows only how often each answer comes, and which places are void for it.
function counting({ id, places, rule: { unit } }) {
  const at = places.findIndex(({ arms }) => arms);
  const untaught = measured(places[at].arms[0].untaught, `${id}.places.${at}.arms.0.untaught`);
  const line = `Knowing only how often each answer comes gives ${untaught}${unit ? ` ${unit}` : ""}.`;
  return places.some(({ verdict }) => verdict === "void")
    ? `${line} A place with a model that is not well below it is void.`
    : line;
}

function unknown({ seeds_needed: needed, rule, beyond, timed }) {
  const parts = [
    needed > 0 && `About ${number(Math.ceil(needed), 2)} ${rule.sample} would tell.`,
    timed && "These are times: another machine has others.",
    beyond && `What this cannot see: ${/^[A-Z][a-z]/.test(beyond) ? beyond[0].toLowerCase() + beyond.slice(1) : beyond}`,
  ];
  return parts.filter(Boolean).join(" ");
}

const bound = ({ side, bound: value, unit }) => `${side} ${number(value)}${unit ? ` ${unit}` : ""}`;

// The section of one sentence. `entry` is that of the registry, `sentence` what was measured.
function section(entry, sentence) {
  const { id, says, meant, quote, verdict, depends_on: factors, rule, predicted, because } = sentence;
  const word = `**[${verdict}](results/claims.json#claims.${id}.verdict)**`;
  const where = entry.mentioned.map((one) => `[${one.split("#")[1]}](${one})`);
  const tests = entry.tests.map(({ title, file }) => `- [${title}](../${file})`);
  return [
    `## ${id}`,
    `> ${quote}\n>\n> ${text_of(sentence.sources)}`,
    `${meant ? "Taken to mean: " : ""}${says}`,
    meant && `**Meant:** ${meant}`,
    `Verdict: ${word}${factors.length > 0 ? `, on ${list(factors.map((factor) => `*${factor}*`))} below` : ""}. Predicted before measuring: ${predicted}. ${because}`,
    `**Rule.** A place confirms it if the mean of this lies ${bound(rule)}: ${rule.statistic}.`,
    places(sentence),
    unknown(sentence),
    where.length > 0 && `In the book: ${where.join(" · ")}`,
    tests.length > 0 && `Held by\n\n${tests.join("\n")}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

// id → what was measured.
export const told = new Map(results.claims.map((one) => [one.id, one]));

// What was measured for each entry; an id without results has no section, which check_sentences says.
const sections = (entries) =>
  entries
    .filter(({ id }) => told.get(id))
    .map((entry) => section(entry, told.get(entry.id)))
    .join("\n\n");

function counts(entries) {
  const verdicts = entries.map(({ id }) => told.get(id)?.verdict);
  const of = (verdict) => verdicts.filter((one) => one === verdict).length;
  return list(
    ["confirmed", "refuted", "depends", "undecided"].filter((one) => of(one) > 0).map((one) => `${of(one)} ${one}`),
  );
}

const summary = (entries) =>
  [
    "| sentence | verdict |",
    "|---|---|",
    ...entries
      .filter(({ id }) => told.get(id))
      .map(
        ({ id }) =>
          `| [${cell(told.get(id).says)}](#${id}) | [${told.get(id).verdict}](results/claims.json#claims.${id}.verdict) |`,
      ),
  ].join("\n");

const how = `A rule was written down first: which number, from which runs, on which side of which bound. Then it was measured in several
places (depths, rates, functions …), each with its own seeds, widths or draws. A place confirms if the mean of its values lies on the
rule's side of the bound, and refutes if on the other, as far as Student's t can tell at 5 %, divided by the number of places;
otherwise it is undecided. The sentence is confirmed or refuted if all its places say so. If one place confirms it and another
refutes it, it *depends*, and the factors on which it depends are named. A place in which a model has not trained, whose loss is not
well below what counting the bytes costs, is *void*: it decides nothing. σ is the spread of the values in one place.
`;

export function claims_page(registered) {
  const entries = registered.filter(({ kind }) => kind === "a claim");
  return `# What the notes claim

The [notes](glossary.md#note) behind this project, five study notes, say ${entries.length} things that an experiment can decide, such as *RMSNorm is faster*. Each was
measured: ${counts(entries)}.

${how}
![One row for each sentence, one dot for each place in which it was measured: to the right of the middle line the place confirms the sentence, to the left it refutes it; farther out with more certainty. Green: it confirms; red: it refutes; grey: undecided. Rows of sentences that depend have dots on both sides.](figures/claims-verdicts.svg)

Figure: each place's distance from the bound in standard errors, on the side where it confirms (right) or refutes (left); what is
farther out than 30 stands at 30; void places are not drawn.

All of it again: \`./examples/run claims --full --seed 1\`, an hour and a half of processor time. \`./examples/run claims\` takes a few
minutes and says less, \`./examples/run claims rms-faster\` decides one; \`--list\` names them. It leaves \`claims.json\` and
\`report.html\` in \`runs/claims\`, and goes on where it was stopped. ${made()}

${summary(entries)}

${sections(entries)}
`;
}

export function errata_page(registered) {
  const entries = registered.filter(({ kind }) => kind === "an erratum");
  return `# Errata of the notes

The [notes](glossary.md#note) are good, or nobody would have built this on them. In ${entries.length} places a sentence does not say what its
author meant, or is easily misread. Each is quoted (the first, where there are several), with what was meant and a measurement of its literal reading:
${counts(entries)}. The claims of the notes that are no slips have [their own page](claims.md), with the same rules.

${how}
${made()}

${summary(entries)}

${sections(entries)}
`;
}

function made() {
  const { machine, date, commit } = results.made;
  return `Measured on ${date} at \`${commit}\`, ${machine}.`;
}
