// The scales of all heat maps: which colour of tokens.css a number has.
export const MAGNITUDE = ["g1", "g2", "g3", "g4", "g5", "g6"];
export const SIGN = ["m3", "m2", "m1", "z0", "p1", "p2", "p3"];

// The colour of a number on one of these, in light and dark.
export const ink_on = (heat) => (["m3", "p3", "g5", "g6"].includes(heat) ? "paper" : heat === "g4" ? "black" : "ink");

// The name of the colour of a number that is neither 0 without a sign nor NaN.
export function heat_of(x, { sign, quiet, decades = 3 }, limit) {
  const size = Math.abs(x);
  if (!sign) return MAGNITUDE[Math.min(5, Math.max(0, Math.trunc(((Math.log10(size / limit) + decades) / decades) * 6)))];
  if (quiet && size <= quiet) return "hidden";
  if (!(limit > 0) || size / limit < 1e-12) return "z0";
  const [first, second] = quiet ? [2 * quiet, 5 * quiet] : [0.1 * limit, 0.5 * limit];
  return (x > 0 ? "p" : "m") + (size < first ? 1 : size < second ? 2 : 3);
}
