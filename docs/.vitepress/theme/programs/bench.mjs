// Where a program of the book stands: Run, what it prints, and, once it is to be changed, an editor in its place.
import { element } from "../../../kit/dom.mjs";
import { Editor } from "../exercises/editor.mjs";
import { recall, remember } from "../storage.mjs";
import { line_of_error } from "./program.mjs";

const seconds_since = (begun) => ((performance.now() - begun) / 1000).toFixed(1);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

export class Bench {
  // `place` is the element to fill, `shown` the one that shows the book's text, if any; `programs` compile and run.
  constructor({ name, place, shown, text, programs, about }) {
    Object.assign(this, { name, place, shown, book: text, programs, about });
    this.key = `gradus-program-${name}`;
    const button = (words, onclick) => element("button", { type: "button", onclick }, words);
    this.run_button = button("Run", () => (this.running ? this.running.abort() : this.run()));
    this.edit_button = button("Change it", () => this.edit());
    this.reset_button = button("Reset", () => this.reset());
    this.status = element("span.note", { role: "status", "aria-live": "polite" });
    this.output = element("pre.printed", { hidden: true, tabindex: "0", "aria-label": "What it prints" });
    place.replaceChildren(element("div.buttons", this.run_button, this.edit_button, this.reset_button, this.status), this.output);
    const kept = recall("localStorage", this.key);
    window.addEventListener("storage", ({ key }) => {
      if (key === this.key && place.isConnected) this.say("Another tab has changed it, too. What is written last is kept.");
    });
    kept.text === undefined ? this.changed(this.book, false) : this.edit(kept.text);
  }

  say(words) {
    this.status.textContent = words;
  }

  get text() {
    return this.editor ? this.editor.text : this.book;
  }

  edit(text = this.book) {
    if (this.editor) return;
    this.editor = new Editor(text, `${this.name}.cpp`, { changed: (now) => this.changed(now), check: () => this.run() });
    this.edit_button.hidden = true;
    if (this.shown) this.shown.hidden = true;
    this.place.prepend(this.editor.element);
    this.changed(text, false);
  }

  changed(text, keep = true) {
    this.reset_button.hidden = text === this.book;
    this.output.classList.add("old");
    this.editor?.mark(0);
    if (keep) remember("localStorage", this.key, { text: text === this.book ? undefined : text });
  }

  reset() {
    this.editor.text = this.book;
    this.say("as in the book");
  }

  async run() {
    if (this.running) return;
    this.running = new AbortController();
    this.run_button.textContent = "Stop";
    this.output.replaceChildren();
    this.output.classList.remove("old");
    this.output.hidden = true;
    const begun = performance.now();
    try {
      const tell = (what, bytes) =>
        this.say(what === "loading" ? `loading, once: ${megabytes(bytes)} of ${megabytes(this.about.bytes)}` : `${what} …`);
      const result = await this.programs.run(this.text, { print: (pieces) => this.print(pieces), tell, signal: this.running.signal });
      this.show(result, seconds_since(begun));
    } catch (error) {
      this.say(error.name === "AbortError" ? "stopped" : `It could not be run: ${error.message}`);
    } finally {
      this.running = undefined;
      this.run_button.textContent = "Run";
    }
  }

  print(pieces) {
    this.output.hidden = false;
    const at_end = this.output.scrollTop + this.output.clientHeight >= this.output.scrollHeight - 8;
    this.output.append(...pieces.map(([text, file]) => (file === 2 ? element("span.wrong", text) : text)));
    if (at_end) this.output.scrollTop = this.output.scrollHeight;
  }

  show({ said, code, why }, seconds) {
    if (said !== undefined) {
      this.print([[said.trimEnd(), 2]]);
      this.edit();
      this.editor.mark(line_of_error(said));
      return this.say("It does not compile");
    }
    if (why) this.print([[`${why}\n`, 2]]);
    this.say(code === 0 ? `${seconds} s` : `ended with ${code} after ${seconds} s`);
  }
}
