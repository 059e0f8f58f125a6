// A desk: an exercise's file to write in, its hints, and what the grader says.
import { element } from "../../../kit/dom.mjs";
import { Editor } from "./editor.mjs";
import { hear_others, keep, kept } from "./kept.mjs";
import { screen } from "./screen.mjs";

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

export class Desk {
  static async open(id, grading) {
    const [about, { default: all }] = await Promise.all([grading.about(id), import("../../../made/results/exercises.json")]);
    return new Desk(id, grading, about, all.find((one) => one.id === id).stub);
  }

  constructor(id, grading, about, stub) {
    Object.assign(this, { id, grading, about, stub });
    const { text = stub, at = 0, rungs = {} } = kept(id);
    Object.assign(this, { at, rungs }); // the function that the reader has come to, and the hints used of each
    this.editor = new Editor(text, about.file, { changed: (now) => this.changed(now), check: () => this.check() });
    const button = (words, onclick) => element("button", { type: "button", onclick }, words);
    this.check_button = button("Check", () => (this.checking ? this.checking.abort() : this.check()));
    this.hint_button = button("Hint", () => this.hint());
    this.name_button = button("What is it?", () => this.name());
    this.name_button.hidden = true;
    const buttons = [this.check_button, this.hint_button, this.name_button, button("Reset", () => this.reset())];
    this.status = element("p.note", { role: "status", "aria-live": "polite" });
    this.hints = element("ol.hints");
    const heard = { role: "status", "aria-live": "polite", tabindex: "0", "aria-label": "What the grader says" };
    this.verdict = element("pre.verdict", { hidden: true, ...heard });
    this.element = element("div.desk.open", { "data-exercise": id }, this.editor.element, element("div.buttons", ...buttons, this.status),
      this.hints, this.verdict);
    hear_others(id, () =>
      this.element.isConnected &&
      this.say("Another tab has this exercise, too, and has written since. Here stands what was written here."));
    this.show_hints();
    this.load();
  }

  say(words) {
    this.status.textContent = words;
  }

  // The compiler comes while the reader reads.
  async load() {
    try {
      await this.grading.load((bytes) => this.checking?.signal.aborted || this.say(`loading the compiler: ${megabytes(bytes)} MB`));
      if (!this.checking) this.say("Ctrl-Enter checks");
    } catch (error) {
      this.say(`The compiler could not be loaded (${error.message}). At home: ./examples/run exercises new ${this.id}`);
    }
  }

  changed(text) {
    this.verdict.classList.add("old");
    this.say("");
    keep(this.id, { text: text === this.stub ? undefined : text });
    this.editor.mark(0);
  }

  reset() {
    this.editor.text = this.stub;
    this.say("as at first; Ctrl-Z brings yours back");
  }

  async check() {
    if (this.checking) return;
    this.checking = new AbortController();
    this.check_button.textContent = "Stop";
    try {
      this.say("loading the compiler");
      const result = await this.grading.check(this.id, this.about, this.editor.text, (words) => this.say(`${words} …`),
        this.checking.signal);
      this.show(result);
      this.say(result.passes ? "passed" : "");
    } catch (error) {
      this.verdict.hidden = true;
      this.say(error.name === "AbortError" ? "stopped" : `It could not be checked: ${error.message}`);
    } finally {
      this.checking = undefined;
      this.check_button.textContent = "Check";
    }
  }

  // A known mistake is asked about first, and named when it is made again.
  show({ passes, screen: text, named = "", mistake, said = "", at = this.at }) {
    const again = mistake !== undefined && mistake === this.mistake;
    Object.assign(this, { named, mistake });
    this.tell(again ? named : text);
    this.name_button.hidden = named === "" || again;
    const places = [...said.matchAll(/^\/?([^/:\n]+):(\d+):\d+: (?:fatal )?error/gm)];
    this.editor.mark(Number(places.find(([, file]) => file === this.about.file)?.[2] ?? 0));
    this.at = at;
    this.show_hints();
    keep(this.id, passes ? { at, passed: true } : { at });
  }

  tell(text) {
    this.verdict.hidden = false;
    this.verdict.classList.remove("old");
    this.verdict.replaceChildren(...screen(text.trimEnd()));
  }

  name() {
    this.tell(this.named);
    this.name_button.hidden = true;
    this.verdict.focus();
  }

  hint() {
    const { name } = this.about.functions[this.at];
    this.rungs[name] = (this.rungs[name] ?? 0) + 1;
    this.show_hints();
    keep(this.id, { rungs: this.rungs });
  }

  show_hints() {
    const { name, hints } = this.about.functions[this.at];
    const shown = hints.slice(0, this.rungs[name] ?? 0);
    this.hints.replaceChildren(...shown.map((hint) => element("li", hint)));
    this.hint_button.textContent = shown.length > 0 ? "Next hint" : "Hint";
    this.hint_button.disabled = shown.length === hints.length;
  }
}
