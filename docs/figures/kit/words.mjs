// Numbers as the book writes them: minus U+2212, powers of ten with raised digits, commas from 10,000.
import { raised } from "../../kit/words.mjs";

export const with_minus = (text) => text.replace(/(^|[^\p{L}\d)\]])-(?=[\d.∞])/gu, "$1−");

// 10⁻² for 0.01; nothing for a number that is no power of ten.
export function power(value) {
  const exponent = Math.round(Math.log10(value));
  if (Math.abs(value / 10 ** exponent - 1) > 1e-9) return "";
  return exponent === 0 ? "1" : exponent === 1 ? "10" : `10${raised(exponent)}`;
}

// Three significant digits unless told otherwise: 0.0123, 12,300, 3.2·10⁻⁶, −0.5.
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
