// What to try: a prediction first, then something to do, which the widget sees done.
import { element } from "./controls.mjs";

export class Prompts {
  // `stand` puts the knobs where a prompt begins, if it says so: from "c=80", or "" for where they stand at first.
  constructor(prompts, stand) {
    Object.assign(this, { prompts, stand, at: 0, predicted: false });
    this.element = element("div", { class: "prompts", role: "group", "aria-label": "To try" });
    this.show();
  }

  get prompt() {
    return this.prompts[this.at];
  }

  show() {
    if (!this.prompt) return this.element.replaceChildren();
    const head = element("p", { class: "count" }, `To try, ${this.at + 1} of ${this.prompts.length}. ${this.prompt.ask}`);
    const answers = this.prompt.answers.map((words, i) => element("button", { type: "button", onclick: () => this.predict(i) }, words));
    this.told = element("p", { class: "told", role: "status" });
    this.element.replaceChildren(head, element("div", { class: "answers" }, ...answers), this.told);
  }

  predict(i) {
    if (this.done) return; // it has been seen
    this.predicted = true;
    const buttons = [...this.element.querySelectorAll(".answers button")];
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === i)));
    this.right = i === this.prompt.right;
    this.told.replaceChildren(`You think so. Now see: ${this.prompt.act}`);
    if (this.prompt.from !== undefined) this.stand(this.prompt.from);
    else if (this.last) this.look(...this.last);
  }

  // Called with all that is seen.
  look(seen, state) {
    this.last = [seen, state];
    if (!this.prompt || !this.predicted || this.done || !this.prompt.done(seen, state)) return;
    this.done = true;
    const next = element("button", { type: "button", onclick: () => this.next() }, this.at + 1 < this.prompts.length ? "Next" : "Done");
    this.told.replaceChildren(this.right ? "✓ As you said. " : "✗ Not as you said. ", `${this.prompt.then} `, next);
  }

  next() {
    Object.assign(this, { at: this.at + 1, predicted: false, done: false });
    this.show();
    this.element.querySelector("button")?.focus();
  }
}
