// Where a program of the book stands: Run, what it prints, Walk, and, once it is to be changed, an editor in its place.
import { element } from "../../../kit/dom.mjs";
import { Editor } from "../exercises/editor.mjs";
import { recall_text, remember_text } from "../storage.mjs";
import { line_of_error } from "./program.mjs";

const seconds_since = (begun) => ((performance.now() - begun) / 1000).toFixed(1);
const ABORTED = 128; // from here on a code is not the program's
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

// Below what was printed here stands what the book prints.
function label_the_book(output) {
  const label = output?.querySelector(":scope > .lang");
  if (label) Object.assign(label, { textContent: "in the book", style: "display: block" });
}

export class Bench {
  // `place` is the element to fill, `shown` the one that shows the book's text, if any; `programs` compile and run.
  constructor({ name, place, shown, text, programs, about, remark }) {
    Object.assign(this, { name, place, shown, book: text, programs, about });
    this.key = `gradus-program-${name}`;
    const button = (words, onclick) => element("button", { type: "button", onclick }, words);
    this.run_button = button("Run", () => (this.running ? this.running.abort() : this.run()));
    this.walk_button = button("Walk", () => this.walk());
    this.edit_button = button("Change it", () => this.edit().focus());
    this.reset_button = button("Reset", () => this.reset());
    this.status = element("span.note", { role: "status", "aria-live": "polite" });
    this.output = element("pre.printed", { hidden: true, tabindex: "0", "aria-label": "What it prints" });
    this.viewer = element("dialog.viewer", { "aria-label": "The walk, step by step" });
    const buttons = [this.run_button, this.walk_button, this.edit_button, this.reset_button];
    place.replaceChildren(element("div.buttons", ...buttons, this.status), remark ? element("p.note.remark", remark) : "", this.output,
      this.viewer);
    const kept = recall_text(this.key);
    window.addEventListener("storage", ({ key }) => {
      if (key === this.key && place.isConnected) this.say("You also changed this in another tab. This tab shows its own version.");
    });
    kept.text === undefined ? this.changed(this.book, false) : this.edit(kept.text);
  }

  say(words) {
    this.status.textContent = words;
  }

  get text() {
    return this.editor ? this.editor.text : this.book;
  }

  // Where the keyboard goes next.
  focus() {
    (this.editor ?? this.run_button).focus();
    return this;
  }

  edit(text = this.book) {
    if (this.editor) return this;
    this.editor = new Editor(text, `${this.name}.cpp`, { changed: (now) => this.changed(now), check: () => this.run() });
    this.edit_button.hidden = true;
    if (this.shown) this.shown.hidden = true;
    this.place.prepend(this.editor.element);
    this.changed(text, false);
    this.say("Ctrl-Enter runs");
    return this;
  }

  changed(text, keep = true) {
    this.reset_button.hidden = text === this.book;
    this.output.classList.add("old");
    this.walk_button.hidden = true;
    this.editor?.mark(0);
    if (keep) remember_text(this.key, { text: text === this.book ? undefined : text });
  }

  reset() {
    this.running?.abort();
    this.editor.text = this.book;
    this.say("as in the book");
  }

  run() {
    return this.busy(async (options) => {
      this.output.replaceChildren();
      this.output.classList.remove("old");
      this.output.hidden = this.walk_button.hidden = true;
      const text = this.text, begun = performance.now();
      const result = await this.programs.run(text, { print: (pieces) => this.print(pieces), ...options });
      this.show(result, seconds_since(begun));
      this.walked = { text, walks: result.walks };
      this.walk_button.hidden = !result.walks || text !== this.text;
    });
  }

  // The last backward pass of what was run.
  walk() {
    return this.busy(async (options) => {
      const { html, why } = await this.programs.walk(this.walked.text, this.walked.walks, options);
      if (!html) return this.say(`It cannot be walked: ${why}`);
      const dark = document.documentElement.classList.contains("dark");
      const page = dark ? html.replace('id="t-auto" checked', 'id="t-auto"').replace('id="t-dark"', "$& checked") : html;
      const alone = URL.createObjectURL(new Blob([page], { type: "text/html" }));
      this.viewer.replaceChildren(
        element("div.buttons", element("button", { type: "button", onclick: () => this.viewer.close() }, "Close"),
          element("a", { href: alone, target: "_blank" }, "in a new tab")),
        element("iframe", { srcdoc: page, title: "The walk, step by step", onload: ({ target }) => this.give_keys(target) }),
      );
      this.viewer.showModal();
      this.say("");
    });
  }

  // The viewer has the keys, but for Escape.
  give_keys(frame) {
    frame.focus();
    frame.contentWindow.addEventListener("keydown", ({ key }) => key === "Escape" && this.viewer.close());
  }

  // Does it, unless something is being done; it can be stopped, and is when the reader goes to another page.
  async busy(act) {
    if (this.running) return;
    const running = this.running = new AbortController();
    this.run_button.textContent = "Stop";
    const gone = setInterval(() => this.place.isConnected || running.abort(), 1000);
    const tell = (what, bytes) => {
      if (running.signal.aborted) return;
      this.say(what === "loading" ? `loading: ${megabytes(bytes)} of ${megabytes(this.about.bytes)}` : `${what} …`);
    };
    try {
      await act({ tell, signal: running.signal });
    } catch (error) {
      this.say(error.name === "AbortError" ? "stopped" : `It could not be run: ${error.message}`);
    } finally {
      clearInterval(gone);
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
      this.output.classList.remove("old");
      this.output.scrollTop = 0; // the first error says most
      return this.say("It does not compile");
    }
    const printed = this.output.textContent;
    if (why) this.print([[`${printed === "" || printed.endsWith("\n") ? "" : "\n"}${why}\n`, 2]]);
    const ending = code === 0 ? "" : code < ABORTED ? `ended with ${code}, after ` : "broke off after ";
    this.say(`${ending}${seconds} s`);
    label_the_book(this.place.nextElementSibling);
  }
}
