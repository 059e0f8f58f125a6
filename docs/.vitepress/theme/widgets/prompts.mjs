// What to try: a prediction first, then something to do, which the widget sees done.
import { element } from "../../../kit/dom.mjs";

// The knobs that a question is about: those of a state that does it, and those of the question before, which are put back.
function knobs_of(prompts, at) {
  const named = prompts.slice(Math.max(at - 1, 0), at + 1).map(({ such_as }) => [...new URLSearchParams(such_as).keys()]);
  return named.reverse().flat();
}

export class Prompts {
  // `stand` puts the knobs where a prompt begins, if it says so: from "c=80", or "" for where they stand at first. `need` hears which
  // knobs a prompt needs, and none at the end.
  constructor(prompts, { stand, need }) {
    Object.assign(this, { prompts, stand, need, at: 0 });
    this.element = element("div.prompts", { role: "group", "aria-label": "To try" });
    this.show();
  }

  get prompt() {
    return this.prompts[this.at];
  }

  show() {
    this.state = "asks"; // then "waits", then "done"
    this.need(this.prompt ? knobs_of(this.prompts, this.at) : []);
    if (!this.prompt) return this.element.replaceChildren();
    const head = element("p.count", `To try, ${this.at + 1} of ${this.prompts.length}. ${this.prompt.ask}`);
    const answers = this.prompt.answers.map((words, i) => element("button", { type: "button", onclick: () => this.predict(i) }, words));
    this.told = element("p.told", { role: "status" });
    this.element.replaceChildren(head, element("div.answers", ...answers), this.told);
  }

  set state(name) {
    this.element.dataset.state = name;
  }

  get state() {
    return this.element.dataset.state;
  }

  predict(i) {
    if (this.state === "done") return; // it has been seen
    this.state = "waits";
    const buttons = [...this.element.querySelectorAll(".answers button")];
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === i)));
    this.right = i === this.prompt.right;
    this.told.replaceChildren(`Let us see: ${this.prompt.act}`);
    if (this.prompt.from !== undefined) this.stand(this.prompt.from);
    else if (this.last) this.look(...this.last);
  }

  // Called with all that is seen.
  look(seen, state) {
    this.last = [seen, state];
    if (this.state !== "waits" || !this.prompt.done(seen, state)) return;
    this.state = "done";
    const next = element("button", { type: "button", onclick: () => this.next() }, this.at + 1 < this.prompts.length ? "Next" : "Done");
    this.told.replaceChildren(this.right ? "✓ As you said. " : "✗ Not as you said. ", `${this.prompt.then} `, next);
  }

  next() {
    this.at += 1;
    this.show();
    this.element.querySelector("button")?.focus();
  }
}
