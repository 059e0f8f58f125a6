// Numbers and words as every page writes them: minus U+2212, powers of ten with raised digits, commas from 10,000.
const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

export const raised = (n) => String(n).replace(/./g, (c) => RAISED[c]);
export const escaped = (text) =>
  String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
export const with_commas = (n) => signed(n, Math.abs(n) < 10000 ? String(Math.abs(n)) : Math.abs(n).toLocaleString("en-US"));

const signed = (x, text) => (x < 0 ? "−" : "") + text;

// As many decimals as the others of its column; no −0.00.
export function fixed(x, decimals) {
  if (!Number.isFinite(x)) return shown(x);
  const text = Math.abs(x).toFixed(decimals);
  return /[1-9]/.test(text) ? signed(x, text) : text;
}

// A number to be read: three significant digits, 3.2·10⁻⁶ where it is very small or large; NaN and ∞ by name. "0" is exact.
export function shown(x, digits = 3) {
  if (Number.isNaN(x)) return "NaN";
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return signed(x, "∞");
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e15) return with_commas(x);
  const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
  if (size < 1e-3 || size >= 1e6) return signed(x, `${mantissa}·10${raised(Number(exponent))}`);
  return size >= 10000 ? with_commas(Math.round(x)) : signed(x, size.toFixed(Math.max(0, digits - 1 - exponent)));
}

// As a terminal writes it: 1.3e-06 for 1.27e-6.
export const with_e = (x, decimals) => x.toExponential(decimals).replace(/e([-+])(\d)$/, "e$10$2");

// "a, b and c"
export const in_a_row = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

// The places of a sentence in the notes, { note, line }: "note 2, lines 68 and 81; note 0, line 13".
export function text_of_sources(sources) {
  const lines_of = (one) => sources.filter(({ note }) => note === one).map(({ line }) => line);
  const notes = [...new Set(sources.filter(({ published }) => !published).map(({ note }) => note))];
  const elsewhere = sources.filter(({ published }) => published).map(({ published }) => published);
  return [...notes.map((note) => `note ${note}, line${lines_of(note).length > 1 ? "s" : ""} ${in_a_row(lines_of(note))}`), ...elsewhere]
    .join("; ");
}

export const percent = (share, decimals = 0) => `${fixed(100 * share, decimals)} %`;

// U+2212 before each number that is negative.
export const with_minus = (text) => text.replace(/(^|[^\p{L}\d)\]])-(?=[\d.∞])/gu, "$1−");

// 10⁻² for 0.01; nothing for a number that is no power of ten.
export function power(value) {
  const exponent = Math.round(Math.log10(value));
  if (Math.abs(value / 10 ** exponent - 1) > 1e-9) return "";
  return exponent === 0 ? "1" : exponent === 1 ? "10" : `10${raised(exponent)}`;
}

// As `shown`, but rounded where it is large, and without zeros at the end: 0.0123, 12,300, 3.2·10⁻⁶, −0.5.
export function number(value, digits = 3) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return with_minus(`${Number(mantissa)}·10${raised(Number(exponent))}`);
  }
  const rounded = Number(value.toPrecision(digits));
  return with_minus(size >= 1e4 ? rounded.toLocaleString("en-US") : String(rounded));
}

// The powers of ten within [least, greatest], at most `most` of them.
export function powers_within([least, greatest], most = 7) {
  const first = Math.ceil(Math.log10(least) - 1e-9);
  const last = Math.floor(Math.log10(greatest) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first) / (most - 1)));
  const start = Math.ceil(first / step) * step;
  return Array.from({ length: Math.floor((last - start) / step) + 1 }, (_, i) => 10 ** (start + i * step));
}

// About how wide a text is in pixels: a little too wide rather than too narrow.
const width_of = (c) => (/[mwMW@%→]/.test(c) ? 0.9 : /[iljtf.,:;'|!() ]/.test(c) ? 0.35 : 0.6);
export const text_width = (text, size = 13) => [...text].reduce((sum, c) => sum + width_of(c), 0) * size;
export const widest = (texts, size = 13) => Math.max(0, ...texts.map((text) => text_width(text, size)));
