// A report's page: the HTML of what a program measured. `data` is its JSON, which the module of its name in reports/ reads.
import { section, start_counting, transcript } from "./parts.mjs";
import ablate from "./reports/ablate.mjs";
import ch00 from "./reports/ch00.mjs";
import ch01 from "./reports/ch01.mjs";
import ch02 from "./reports/ch02.mjs";
import ch03 from "./reports/ch03.mjs";
import ch04 from "./reports/ch04.mjs";
import ch05 from "./reports/ch05.mjs";
import ch06 from "./reports/ch06.mjs";
import ch07 from "./reports/ch07.mjs";
import ch08 from "./reports/ch08.mjs";
import ch09 from "./reports/ch09.mjs";
import ch10 from "./reports/ch10.mjs";
import ch11 from "./reports/ch11.mjs";
import ch12 from "./reports/ch12.mjs";
import ch13 from "./reports/ch13.mjs";
import claims from "./reports/claims.mjs";
import train from "./reports/train.mjs";
import { escaped } from "./words.mjs";

const chapters = { ch00, ch01, ch02, ch03, ch04, ch05, ch06, ch07, ch08, ch09, ch10, ch11, ch12, ch13 };
const programs = { ablate, claims, train };

// The numbers that JSON does not know stand in it as words.
const NUMBERS = new Map([["nan", NaN], ["inf", Infinity], ["-inf", -Infinity]]);
export const read_data = (json) => JSON.parse(json, (key, value) => (NUMBERS.has(value) ? NUMBERS.get(value) : value));

// A chapter's program tells how it was made; its module says the rest.
function chapter_page(data) {
  const { command, machine, seconds, date } = data.made;
  return {
    place: `Gradus, chapter ${data.chapter.slice(2)}`,
    body: [chapters[data.chapter](data), section("terminal", "In the terminal"), transcript(data.transcript, "The tour")],
    made: [
      ["command", `<code>${escaped(command)}</code>`],
      ["seed", data.seed],
      ["machine", escaped(machine)],
      ["took", `${seconds.toFixed(1)} s, on ${date}`],
      ["numbers", `<code>${data.chapter}.json</code> holds each number of this page at a path`],
    ],
  };
}

export function page_of(data) {
  start_counting();
  const { place = "Gradus", title = data.title, idea = data.idea, body, made } = (programs[data.program] ?? chapter_page)(data);
  return `<header class="top">
<fieldset class="theme"><legend>Colours</legend>
<input type="radio" name="theme" id="t-auto" checked><label for="t-auto">Auto</label>
<input type="radio" name="theme" id="t-light"><label for="t-light">Light</label>
<input type="radio" name="theme" id="t-dark"><label for="t-dark">Dark</label>
</fieldset>
<p class="eyebrow">${place}</p>
<h1>${escaped(title)}</h1>
<p class="idea">${escaped(idea)}</p>
</header>
<main>
${body.flat(Infinity).join("\n")}
</main>
<footer><dl>
${made.map(([what, value]) => `<dt>${what}</dt><dd>${value}</dd>`).join("\n")}
</dl></footer>`;
}
