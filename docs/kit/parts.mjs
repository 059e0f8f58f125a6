// The parts of a report's page, in HTML: what a module of reports/ puts together. Texts are HTML, but titles, alts and what
// comes from the program, which is plain text.
import { formula_html, formula_said } from "./formula.mjs";
import { escaped, shown } from "./words.mjs";

let sections = 0, figures = 0;
export const start_counting = () => (sections = figures = 0);

export const one_number = (number, sentence) => `<p class="one"><b>${number}</b><span>${sentence}</span></p>`;
export const section = (id, title) => `<h2 id="${id}"><span class="n">${++sections}</span>${title}</h2>`;
export const text = (html) => `<p>${html}</p>`;
export const command = (options) => `<code>./examples/run ${options}</code>`;

// The question that the program asked, and its answer folded.
export function predict({ question: { text, answers, right, because }, numbers: { answer } }) {
  const choices = answers.map((one) => `<br>· ${escaped(one)}`).join("");
  const given = answer ? ` You answered ${answer}.` : "";
  return `<section class="ask" aria-label="Predict"><span class="k">Predict before you read on</span>
<p>${escaped(text)}${choices}</p>
<details><summary>Answer</summary><p>${escaped(answers[right])}. ${escaped(because)}${given}</p></details></section>`;
}

// Formulas beside each other.
export const formula = (...all) =>
  `<div class="F" role="math" aria-label="${escaped(all.map(formula_said).join(", "))}">${
    all.map((one) => `<span>${formula_html(one)}</span>`).join("")
  }</div>`;

// What to see, the drawing, and what is drawn, how many, which seeds, which unit.
export function figure(see, drawing, caption) {
  const n = ++figures;
  return `<p class="see">${see}</p>
<figure aria-labelledby="figure-${n}"><div>${drawing}</div>
<figcaption id="figure-${n}"><b>Figure ${n}.</b> ${caption}</figcaption></figure>`;
}

// A column of numbers, to the right in figures of one width.
export const right = (name, unit = "") => ({ name, unit, numeric: true });

// Columns are a name or right(name, unit); the first names the rows.
export function table(caption, columns, rows) {
  const all = columns.map((one) => (typeof one === "string" ? { name: one } : one));
  const numeric = (j) => (all[j].numeric ? ' class="num"' : "");
  const head = all.map(({ name, unit }, j) => `<th${numeric(j)} scope="col">${name}${unit ? `<br><small>${unit}</small>` : ""}</th>`);
  const cell = (html, j) => j === 0 ? `<th scope="row">${html}</th>` : `<td${numeric(j)} data-k="${escaped(all[j].name)}">${html}</td>`;
  const body = rows.map((row) => {
    if (row.length !== all.length) throw new Error(`table '${caption}': a row of ${row.length} cells for ${all.length} columns`);
    return `<tr>${row.map(cell).join("")}</tr>`;
  });
  return `<div class="scroll"><table class="cards"><caption>${caption}</caption><thead><tr>${head.join("")}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div>`;
}

// A line of a table of numbers: its name, and each number as `written`.
export const row = (name, values, written = (value) => shown(value)) => [name, ...values.map(written)];

// What `what` means differs between sources; rows are [word, here, elsewhere].
export const same_name = (what, word, rows) => [
  section("same-name", "Same name, other formula"),
  table(`What ${what} differs between sources.`, [word, "here", "elsewhere"], rows),
];

const LOOKS = {
  "seen here": ["ok", "✓"],
  "not seen here": ["no", "✗"],
  "partly seen here": ["dep", "±"],
  "undecided here": ["und", "?"],
  confirmed: ["ok", "✓"],
  refuted: ["no", "✗"],
  depends: ["dep", "±"],
  undecided: ["und", "?"],
  void: ["und", "–"],
};

export const badge = (word) => `<span class="badge ${LOOKS[word][0]}">${LOOKS[word][1]} ${word}</span>`;

export const claim_box = (id, quote, badge, evidence) =>
  `<div class="claim" id="claim-${id}"><span class="k">${id.startsWith("erratum-") ? "Erratum" : "Claim"} <code>${id}</code></span>
<blockquote>${quote}</blockquote>
<p>${badge} &nbsp;${evidence}</p></div>`;

// HTML of plain text, with the q of W_q lowered.
const lowered = (text) => escaped(text).replace(/\b([A-Z])_(\w+)/g, "$1<sub>$2</sub>");

// What the chapter saw of a sentence, which the program `claims` judges elsewhere, too.
export function claim({ claims, numbers }, id, elsewhere = true) {
  const { quote, evidence } = claims[id];
  const more = elsewhere ? ` By the measurement of this chapter; in more places and with more seeds: ${command(`claims ${id}`)}` : "";
  return claim_box(id, lowered(quote), badge(numbers.claim[id]), lowered(evidence) + more);
}

export const transcript = (words, label) =>
  `<section aria-label="${label}"><pre tabindex="0">${escaped(words.replace(/ +$/gm, ""))}</pre></section>`;

// The program's tape in the viewer, which the page fills.
export const tape = ({ chapter, tape }) =>
  `<iframe class="viewer" title="${escaped(`The tape of ${tape.title}, to step through`)}"></iframe>
<p>In the terminal: ${command(`step --chapter ${chapter}`)}</p>`;

// A link, which the page fills, to the first picture of the figure as a file of its own.
export const svg_file = (name) => `<p><a class="svg-file" download="${name}" href="#">Save the picture as <code>${name}</code></a></p>`;

// How an experiment was made, which may have gone on with what was measured before.
export function made_lines({ command, machine, commit, seconds, date, found }) {
  const [h, min, s] = [seconds / 3600, (seconds % 3600) / 60, seconds % 60].map(Math.floor);
  const took = h ? `${h} h ${min} min` : min ? `${min} min ${s} s` : `${s} s`;
  return [
    ["command", `<code>${escaped(command)}</code>`],
    ["machine", escaped(machine)],
    ["commit", `<code>${escaped(commit)}</code>`],
    ["took", `${took} of processor time, until ${date}${found ? `; ${found} numbers were there already` : ""}`],
  ];
}
