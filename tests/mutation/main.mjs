// main.mjs [--only FOLDER or FILE] [--sample N] [--report]: see run.
import { campaign, chosen, is_settled } from "./campaign.mjs";
import { open_journal } from "./journal.mjs";
import { Progress } from "./progress.mjs";
import { kill_rate, report, untried } from "./report.mjs";
import { sampled } from "./sample.mjs";

const given = process.argv.slice(2);
const value_of = (option) => (given.includes(option) ? given[given.indexOf(option) + 1] : undefined);

const only = value_of("--only")?.replace(/^\.\/|\/$/g, "");
const count = value_of("--sample");
const all = chosen(only);
if (all.length === 0) {
  console.error(`there is nothing to be changed in ${only}`);
  process.exit(2);
}
open_journal(count ? "sample/journal.jsonl" : "journal.jsonl", { afresh: count !== undefined });
const mutants = count ? sampled(all, Number(count)) : all;

if (!given.includes("--report")) {
  const progress = new Progress(mutants, is_settled);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      progress.say("stopped; the same command goes on from here");
      process.exit(130);
    });
  }
  await campaign(mutants, progress, count ? "sample/" : "");
  progress.end();
}
process.stdout.write(report(mutants, count ? "sample/report.txt" : "report.txt"));
const enough = count ? 100 : 98; // percent; a rate of none that count, NaN, is enough
process.exit(untried(mutants) === 0 && !(kill_rate(mutants) < enough) ? 0 : 1);
