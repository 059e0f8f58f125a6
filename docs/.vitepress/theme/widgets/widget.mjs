// A widget: a picture of the book whose knobs the reader moves. The library answers each move; here it is only drawn.
import { drawing } from "../../../figures/kit/drawing.mjs";
import { element } from "../../../kit/dom.mjs";
import { ask } from "./ask.mjs";
import { control } from "./controls.mjs";
import { start_hands } from "./drag.mjs";
import { Prompts } from "./prompts.mjs";
import { State } from "./state.mjs";

// The page says in words what the picture shows.
const without_title = (svg) => svg.replace(/\n<title>[^]*?<\/title>/, "").replace(' role="img"', ' aria-hidden="true"');

const QUIET = 500; // milliseconds without a change, after which the law is read out
const SLOW = 150; // milliseconds, after which it says that it is at work
const TURN = 60; // milliseconds, after which a long training is drawn as far as it is, and a newer question has its turn

export class Widget {
  // `figure` stands in the page; `drawn` is its module; `first` is what the library says of the first state.
  constructor(figure, drawn, first, base) {
    Object.assign(this, { figure, drawn, first, url: `${base}widgets/${drawn.widget.module}.wasm` });
    this.state = new State(window, drawn.widget.name, first.knobs, () => figure.isConnected);
    const made = (knob) => control(knob, (text) => this.set(knob.name, text), (words) => this.say(words));
    this.controls = new Map(first.knobs.map((knob) => [knob.name, made(knob)]));
    this.knobs = element("div.knobs");
    this.others = element("div.knobs.others", { hidden: true });
    this.more = element("button", { type: "button", onclick: () => this.fold(this.others.hidden) });
    this.prompts = new Prompts(drawn.widget.prompts, { stand: (query) => this.stand(query), need: (names) => this.offer(names) });
    this.says = element("p.says");
    this.heard = element("p.visually-hidden", { role: "status", "aria-live": "polite" });
    this.box = this.build();
    for (const picture of figure.querySelectorAll(".wide, .narrow")) start_hands(picture, this.state, (name, text) => this.set(name, text));
  }

  // The knobs that a question needs, in their order; the others are folded. Where nothing is asked, the first two.
  offer(names) {
    const needed = names.length > 0 ? names : [...this.controls.keys()].slice(0, 2);
    for (const [name, { element }] of this.controls) (needed.includes(name) ? this.knobs : this.others).append(element);
    this.fold();
  }

  fold(open = !this.others.hidden) {
    this.others.hidden = !open;
    this.more.setAttribute("aria-expanded", String(open));
    this.more.replaceChildren(open ? "Fewer knobs" : `More knobs (${this.others.children.length})`);
  }

  // What is built before stands in the page as an empty place of the same height.
  build() {
    const reset = element("button", { type: "button", onclick: () => this.stand("") }, "Reset");
    const panel = element("div.panel", this.way_past(), this.prompts.element, this.knobs, element("div.foot", reset, this.more),
      this.others);
    const box = element("div.widget", { "data-widget": this.drawn.widget.name }, this.says, this.heard, panel);
    this.figure.querySelector(".widget-place").replaceWith(box);
    return box;
  }

  // Seen when the keyboard comes to it, before the knobs.
  way_past() {
    const caption = this.figure.querySelector("figcaption");
    caption.tabIndex = -1;
    return element("button.skip", { type: "button", onclick: () => caption.focus() }, "Past the knobs");
  }

  // Shows where the knobs stand, a long training as far as its first answer; false where the library cannot be asked.
  async start() {
    try {
      await new Promise((come, fail) => {
        this.came = come;
        this.look().catch((error) => (this.live ? this.tell(error.message, true) : fail(error)));
      });
      window.addEventListener("popstate", this.come_back);
      return true;
    } catch (error) {
      console.info(`The widget ${this.drawn.widget.name} is only a picture here: ${error.message}`);
      this.box.remove();
      return false;
    }
  }

  // Back and Forward lead to other states.
  come_back = () => {
    if (!this.figure.isConnected) return window.removeEventListener("popstate", this.come_back);
    this.state.read();
    this.changed();
  };

  // Some knobs start anew what another one has brought along.
  set(name, text) {
    const { restart } = this.drawn.widget;
    if (restart?.by.includes(name)) this.state.set(restart.knob, "0");
    this.state.set(name, text);
    return this.changed();
  }

  // Puts the knobs where a query says, and stops what plays.
  stand(query) {
    for (const { stop } of this.controls.values()) stop?.();
    this.state.stand(query);
    this.changed();
  }

  changed() {
    this.state.keep();
    this.show_knobs();
    return this.look().catch((error) => this.tell(error.message, true));
  }

  // Asks for what is to be seen now. While an answer is awaited, only the last of the questions is kept; one that goes on is asked
  // again. (What is seen at first has been drawn already.)
  look() {
    this.wanted = this.state.query();
    this.asking ??= this.ask_on().finally(() => (this.asking = undefined));
    return this.asking;
  }

  async ask_on() {
    const slow = setTimeout(() => this.box.classList.add("slow"), SLOW);
    try {
      for (let asked, seen; asked !== this.wanted || (seen.goes_on && this.figure.isConnected);) {
        asked = this.wanted;
        seen = await ask(this.url, `${this.drawn.widget.name}?${asked}`, asked === "" && !this.live ? 0 : TURN);
        this.show(seen);
        this.live = true;
        this.came();
      }
    } finally {
      clearTimeout(slow);
      this.box.classList.remove("slow");
    }
  }

  show(seen) {
    seen.knobs?.forEach((knob) => this.controls.get(knob.name).adapt(knob));
    this.show_knobs();
    if (seen.error) return this.tell(seen.error, true);
    this.draw(seen);
    this.tell(seen.says, false);
    if (!seen.goes_on) this.prompts.look(seen, this.state.values());
  }

  show_knobs() {
    for (const [name, { show }] of this.controls) show(this.state.text(name));
  }

  tell(words, wrong) {
    if (this.says.textContent !== words) this.says.textContent = words;
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.say(words), QUIET);
    this.says.classList.toggle("wrong", wrong);
  }

  // Reads this out, now.
  say(words) {
    clearTimeout(this.quiet);
    this.heard.textContent = words;
  }

  draw(seen) {
    const results = { [`widget-${this.drawn.widget.name}`]: seen };
    for (const [kind, width] of [["wide", 720], ["narrow", 358]]) {
      const picture = this.figure.querySelector(`.${kind}`);
      if (picture) picture.innerHTML = without_title(String(this.drawn.draw({ drawing, width, results })));
    }
  }
}
