// Numbers that were measured: paths into docs/made/results/*.json, and whether a text shows the number that is there.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { raised } from "../../kit/words.mjs";
import { read, root } from "./tree.mjs";

const files = new Map(); // each is read once
function contents(file) {
  if (!files.has(file)) {
    if (!existsSync(join(root, "docs", file))) throw new Error(`there is no docs/${file}`);
    files.set(file, JSON.parse(read(`docs/${file}`)));
  }
  return files.get(file);
}

// "made/results/ch04.json#numbers.length.relative_error": what stands there. A step is a key, an index, or the id of an element.
export function value_at(link) {
  const [file, path] = link.split("#");
  let value = contents(file);
  for (let rest = path.split("."); rest.length > 0;) {
    // Keys may have dots in them: the longest that fits is meant.
    const taken = Array.from(rest, (_, i) => rest.length - i).find(
      (n) => step(value, rest.slice(0, n).join(".")) !== undefined,
    );
    if (!taken) throw new Error(`${file} has no ${path}`);
    value = step(value, rest.slice(0, taken).join("."));
    rest = rest.slice(taken);
  }
  return value;
}

function step(value, key) {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[key] : value.find((element) => element?.id === key);
  return value !== null && typeof value === "object" && Object.hasOwn(value, key) ? value[key] : undefined;
}

// What was measured from sources that nobody can go back to, changed and not committed: a number of no provenance, which the book
// does not take. Two ablations are older than this rule; ablations.md says so.
const older = ["ablation-depth-2", "ablation-depth-12"];
export function uncommitted_results(names) {
  const commits = (value) =>
    value === null || typeof value !== "object"
      ? []
      : Object.entries(value).flatMap(([key, one]) => (key === "commit" ? [one] : commits(one)));
  return names
    .filter((name) => !older.includes(name))
    .flatMap((name) => commits(contents(`made/results/${name}.json`)).map((commit) => ({ name, commit })))
    .filter(({ commit }) => /\+|unknown|^$/.test(commit));
}

const lowered = (text) =>
  Number(
    [...text]
      .map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c))
      .map((d) => (d < 0 ? "-" : d))
      .join(""),
  );

// The value in the form of the text: its sign, its number of decimals, its power of ten, its percent.
export function in_the_form_of(text, value) {
  if (typeof value === "string") return value;
  if (typeof value !== "number") throw new Error(`what stands there is ${JSON.stringify(value).slice(0, 40)}, not a number`);
  const form = text.match(/^([+−]?)([\d,]+)(\.\d+)?(·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?( %)?$/);
  if (!form) throw new Error(`"${text}" is not a number: −2.3·10⁻⁴, 12,000 and 8.5 % are`);
  const [, sign, whole, decimals = "", , power, percent = ""] = form;
  const scaled = (percent ? 100 * value : value) / (power ? 10 ** lowered(power) : 1);
  let digits = Math.abs(scaled).toFixed(Math.max(decimals.length - 1, 0));
  if (power && Number(digits) >= 10) digits = "10 or more"; // not the form of the text
  if (whole.includes(",")) digits = digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  const nothing = Number(digits.replaceAll(",", "")) === 0;
  if (nothing && value !== 0 && !text.includes("."))
    throw new Error(`${value} is not 0, and "${text}" shows no digit of it`);
  const shown_sign = scaled < 0 && !nothing ? "−" : sign === "+" ? "+" : "";
  return shown_sign + digits + (power ? `·10${raised(lowered(power))}` : "") + percent;
}
