// claims.md and errata.md, from made/results/claims.json: each sentence of the notes with its rule, its numbers and its verdict.
import { in_a_row, number, text_of_sources } from "../../kit/words.mjs";
import { made_page } from "./made_by.mjs";
import { in_the_form_of } from "./results.mjs";
import { read } from "./tree.mjs";

const results = JSON.parse(read("docs/made/results/claims.json"));
const made_of_results = (text) => made_page("docs/made/results/claims.json", text);
const cell = (text) => text.replace(/\|/g, "\\|");

// A number as it stands in the results, with its path.
function measured(value, path) {
  if (typeof value !== "number") return "–";
  const text = number(value, 3);
  return `[${in_the_form_of(text, value)}](made/results/claims.json#claims.${path})`;
}

// What each model that a place compares came to, and the rate that was chosen for it: "pre 2.41 at 0.008, post 3.39 (not trained)".
function beside({ arms = [] }, path) {
  const one = ({ name, mean, trained, rate }, i) => {
    const at = rate ? ` at ${measured(rate.value, `${path}.arms.${i}.rate.value`)}${rate.at_edge ? "\\*" : ""}` : "";
    return `${cell(name)} ${measured(mean, `${path}.arms.${i}.mean`)}${at}${trained === false ? " (not trained)" : ""}`;
  };
  return arms.map(one).join(", ");
}

// Student's p, and where all values lie on one side of the bound that of the signed ranks.
function chance({ p, signed_rank: ranks }, path) {
  return measured(p, `${path}.p`) + (ranks === undefined ? "" : ` (ranks ${measured(ranks, `${path}.signed_rank`)})`);
}

function places(sentence) {
  const factors = [...new Set(sentence.places.flatMap(({ where }) => Object.keys(where)))];
  const compares = sentence.places.some(({ arms }) => arms);
  const drawn = sentence.rule.values === "drawn";
  const row = (place, i) => {
    const at = `${sentence.id}.places.${i}`;
    const verdict = `[${place.verdict}](made/results/claims.json#claims.${at}.verdict)`;
    const range = () => `${measured(place.least, `${at}.least`)} … ${measured(place.greatest, `${at}.greatest`)}`;
    const numbers = [measured(place.mean, `${at}.mean`), drawn ? measured(place.sigma, `${at}.sigma`) : range(), place.values.length];
    if (drawn) numbers.push(chance(place, at));
    const cells = [...factors.map((factor) => cell(place.where[factor] ?? "")), ...numbers];
    return `| ${[...cells, ...(compares ? [beside(place, at)] : []), verdict].join(" | ")} |`;
  };
  const head = [...factors.map(cell), "mean", ...(drawn ? ["±σ"] : ["range"]), sentence.rule.sample, ...(drawn ? ["p"] : [])];
  if (compares) head.push(sentence.rule.must_train === "none" ? "beside" : "losses");
  return [
    `| ${[...head, "says"].join(" | ")} |`,
    `|${"---|".repeat(head.length + 1)}`,
    ...sentence.places.map(row),
    ...(sentence.rule.must_train === "none" ? [] : [`\n${trained(sentence)}`]),
    `\n${commits(sentence)}`,
  ].join("\n");
}

// Below which losses a model of this sentence has trained, and what follows for a place.
function trained({ id, places: all, rule: { must_train: must } }) {
  const lines = new Map();
  all.forEach(({ arms = [] }, i) =>
    arms.forEach(({ line }, k) => {
      const text = line && `${line.of} gives ${measured(line.loss, `${id}.places.${i}.arms.${k}.line.loss`)}`;
      if (text && !lines.has(text.replace(/\(.*/, ""))) lines.set(text.replace(/\(.*/, ""), text);
    })
  );
  const longest = (factor) => all.map(({ where }) => Number(where[factor])).filter((x) => x > 0);
  const long = ["steps", "training loss"].some((factor) => Math.max(...longest(factor)) >= 4 * Math.min(...longest(factor)));
  const edge = all.some(({ arms = [] }) => arms.some(({ rate }) => rate?.at_edge));
  const rule = must === "each"
    ? "A place is void unless each of its models has trained."
    : "A place is void unless one of its models has trained; whether the other does is part of the question.";
  const judged = lines.size > 0
    ? `A model has trained if the mean of its runs is below this by more than their spread, and none of them above it: ${
      [...lines.values()].join("; ")
    }. ${rule}`
    : "At these places no model has trained, and none has to.";
  return `${judged}${long ? "" : " It was not yet measured at four times the steps."}${
    edge ? " \\* The best rate is the outermost of those tried." : ""
  }`;
}

// At which commits the places were measured.
function commits({ places: all }) {
  const counts = new Map(); // commit → how many
  for (const { commit } of all) counts.set(commit, (counts.get(commit) ?? 0) + 1);
  const each = [...counts].map(([commit, n]) => `${counts.size > 1 ? `${n} of the places ` : ""}at \`${commit}\``);
  return `Measured ${in_a_row(each)}.`;
}

function unknown({ seeds_needed: needed, rule, beyond, timed }) {
  const parts = [
    needed > 0 &&
    (needed < 1e5
      ? `With about ${number(Math.ceil(needed), 2)} ${rule.sample} four of five trials would be significant.`
      : `No number of ${rule.sample} that one can wait for would decide.`),
    timed && "These are times: another machine has others.",
    beyond && `What this cannot see: ${/^[A-Z][a-z]/.test(beyond) ? beyond[0].toLowerCase() + beyond.slice(1) : beyond}`,
  ];
  return parts.filter(Boolean).join(" ");
}

// " (5 of 6 places confirm, 1 is undecided)", where one word alone would hide it.
const counted = ({ verdict, count, places: all }) => all.length > 1 && ["undecided", "depends"].includes(verdict) ? ` (${count})` : "";

const bound = ({ side, bound: value, unit }) => `${side} ${number(value)}${unit ? ` ${unit}` : ""}`;

// The section of one sentence. `entry` is that of the registry, `sentence` what was measured.
function section(entry, sentence) {
  const { id, says, meant, quote, verdict, depends_on: factors, rule, predicted, because } = sentence;
  const word = `**[${verdict}](made/results/claims.json#claims.${id}.verdict)**`;
  const where = entry.mentioned.map((one) => `[${one.split("#")[1]}](${one})`);
  const tests = entry.tests.map(({ title, file }) => `- [${title}](../${file})`);
  return [
    `## ${id}`,
    `> ${quote}\n>\n> ${text_of_sources(sentence.sources)}`,
    `${meant ? "Taken to mean: " : ""}${says}`,
    meant && `**Meant:** ${meant}`,
    `Verdict: ${word}${counted(sentence)}${
      factors.length > 0 ? `, on ${in_a_row(factors.map((factor) => `*${factor}*`))} below` : ""
    }. Predicted before measuring: ${predicted}. ${because}`,
    `**Rule.** A place confirms it if ${rule.values === "drawn" ? "the mean of this lies" : "all of these lie"} ${
      bound(rule)
    }: ${rule.statistic}.`,
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

function verdict_counts(entries) {
  const verdicts = entries.map(({ id }) => told.get(id)?.verdict);
  const of = (verdict) => verdicts.filter((one) => one === verdict).length;
  return in_a_row(
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
          `| [${cell(told.get(id).says)}](#${id}) | [${told.get(id).verdict}](made/results/claims.json#claims.${id}.verdict)${
            counted(told.get(id))
          } |`,
      ),
  ].join("\n");

const how = `A rule was written down first: which number, from which runs, on which side of which bound. Then it was measured in several
places (depths, rates, functions …), each with its own seeds, widths or draws. A place confirms if the mean of its values lies on the
rule's side of the bound, and refutes if on the other, if Student's t makes that significant at 5 %, divided by the number of places;
otherwise it is undecided. Where all values of a place lie on one side, the p of Wilcoxon's signed ranks stands beside Student's: it
asks nothing of their distribution, but the ruling stays with t, as it was fixed beforehand. Widths, depths and other values that
are no sample have a range in place of σ and p, and decide if all of them lie on one side. The sentence is confirmed or refuted if
all its places say so. If one place confirms it and another refutes it, it *depends*, and the factors on which it depends are named.

A model *has trained* if the mean loss of its runs is below that of a simple counter by more than their spread, and no run is above
it: of bytes, a counter of which byte comes after which ([pairs](ch11.md#model-lm)); of digits, one that counts the shades of one pixel. Each rule says
whether all models of a place must have trained, or one; otherwise the place is *void* and decides nothing. Each claim about training
asks for a place at four times the steps, as many early differences fade. Rates were chosen on other seeds than those that are reported.
σ is the spread of the values in one place.
`;

export function claims_page(registered) {
  const entries = registered.filter(({ kind }) => kind === "a claim");
  const elsewhere = entries.filter(({ id }) => told.get(id)?.sources.some(({ published }) => published)).length;
  return made_of_results(`# What the notes claim

The [notes](glossary.md#note) behind this project, five study notes, say ${
    entries.length - elsewhere
  } things that an experiment can decide, such as *RMSNorm is faster*. ${
    elsewhere > 0 ? `Another ${elsewhere} were published elsewhere. ` : ""
  }Each was
measured: ${verdict_counts(entries)}.

${how}
![One row for each sentence, one dot for each place in which it was measured: to the right of the middle line the place confirms the sentence, to the left it refutes it; farther out with more certainty. Green: it confirms; red: it refutes; grey: undecided. Rows of sentences that depend have dots on both sides.](made/figures/claims-verdicts.svg)

Figure: each place's distance from the bound in standard errors, on the side where it confirms (right) or refutes (left); what is
farther out than 30 stands at 30; void places are not drawn.

All of it again: \`./examples/run claims --full --seed 1\`, some four hours of processor time. \`./examples/run claims\` takes a few
minutes and says less, \`./examples/run claims rms-faster\` decides one; \`--list\` names them. \`--into docs/made/results/claims.json\` puts
what was measured into the numbers of this page and leaves the others as they are. It leaves \`claims.json\` and
\`report.html\` in \`runs/claims\`, and goes on where it was stopped. ${made()}

${summary(entries)}

${sections(entries)}
`);
}

export function errata_page(registered) {
  const entries = registered.filter(({ kind }) => kind === "an erratum");
  return made_of_results(`# Errata of the notes

The [notes](glossary.md#note) are good, or nobody would have built this on them. In ${entries.length} places a sentence does not say what its
author meant, or is easily misread. Each is quoted (the first, where there are several), with what was meant and a measurement of its literal reading:
${verdict_counts(entries)}. The claims of the notes that are no slips have [their own page](claims.md), with the same rules.

${how}
${made()}

${summary(entries)}

${sections(entries)}
`);
}

function made() {
  const { machine, date } = results.made;
  return `Last measured on ${date}, ${machine}; below each table stands at which commit.`;
}
