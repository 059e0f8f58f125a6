// A number of a trace is written with as many digits as its dtype needs to come back the same: this brings it back.

// Rounded to `bits` significant bits, ties to even; below the least normal number the last place stays.
function rounded_to(x, bits, least_exponent) {
  if (!Number.isFinite(x) || x === 0) return x;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(x))), least_exponent);
  const unit = 2 ** (exponent - bits + 1);
  const whole = Math.floor(x / unit),
    rest = x / unit - whole;
  return (whole + Number(rest > 0.5 || (rest === 0.5 && whole % 2 !== 0))) * unit;
}

export function stored_number(x, dtype) {
  if (dtype === "f32") return Math.fround(x);
  return dtype === "f16" ? rounded_to(x, 11, -14) : x;
}
