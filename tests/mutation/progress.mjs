// How far the campaign is: one line that is redrawn on a terminal, else a line from time to time.
import { explanation } from "./explained.mjs";
import { is_caught, known } from "./journal.mjs";

const EVERY_MS = 15000;

export class Progress {
  begun = Date.now();
  first_done = undefined;
  last_said = 0;
  constructor(mutants, is_settled) {
    this.mutants = mutants;
    this.is_settled = is_settled;
    this.redraws = process.stderr.isTTY && process.env.TERM !== "dumb" && !process.env.NO_COLOR;
  }

  say(text) {
    process.stderr.write(`${this.redraws ? "\r\x1b[K" : ""}${text}\n`);
  }

  show(text) {
    if (this.redraws) process.stderr.write(`\r\x1b[K${text}`);
    else if (Date.now() - this.last_said > EVERY_MS) this.say(text);
    else return;
    this.last_said = Date.now();
  }

  building(folder, done, all, round) {
    this.show(
      `${folder}: compiled ${done} of ${all}${round > 1 ? `, again (${round}) without what does not compile` : ""}`,
    );
  }

  tried() {
    if (!this.redraws && Date.now() - this.last_said <= EVERY_MS) return;
    const settled = this.mutants.filter((mutant) => this.is_settled(mutant));
    const caught = settled.filter((mutant) => is_caught(known(mutant))).length;
    const survivors = settled.filter((mutant) => known(mutant)?.outcome === "survived" && !explanation(mutant)).length;
    this.first_done ??= { settled: settled.length, at: Date.now() };
    const rate = (settled.length - this.first_done.settled) / (Date.now() - this.first_done.at);
    const minutes = rate > 0 ? `, about ${Math.ceil((this.mutants.length - settled.length) / rate / 60000)} min left` : "";
    this.show(
      `${settled.length} of ${this.mutants.length} faults tried, ${caught} caught, ${survivors} survived${minutes}`,
    );
  }

  end() {
    if (this.redraws) process.stderr.write("\r\x1b[K");
  }
}
