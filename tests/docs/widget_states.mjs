// States of a widget drawn from what its knobs say of themselves, and how two answers differ.
function random(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

const number = ({ least, most, step }, draw) =>
  Number((least + step * Math.floor(draw() * (Math.round((most - least) / step) + 1))).toFixed(9));
const list = (count, knob, draw) => Array.from({ length: count }, () => number(knob, draw)).join(",");

const VALUE = {
  number,
  switch: (knob, draw) => (draw() < 0.5 ? 0 : 1),
  choice: ({ names }, draw) => names[Math.floor(draw() * names.length)],
  text: ({ first }, draw) => first.slice(0, Math.ceil(draw() * first.length)), // perhaps no expression any more: then both refuse
  numbers: (knob, draw) => list(knob.first.flat(Infinity).length, knob, draw),
  row: (knob, draw) => list(knob.fewest + Math.floor(draw() * (knob.longest - knob.fewest + 1)), knob, draw),
};

// The first state, and others in which about half of the knobs are moved, none beyond its bound: a long training goes another way
// on each machine.
export function states_of(knobs, bounds = {}, count, seed = Number(process.env.GRADUS_SEED ?? 1)) {
  const draw = random(seed);
  const bounded = knobs.map((
    knob,
  ) => (knob.name in bounds ? { ...knob, most: bounds[knob.name], first: Math.min(knob.first, bounds[knob.name]) } : knob));
  const always = ({ name }) => name in bounds;
  const moved = () =>
    bounded.filter((knob) => always(knob) || draw() < 0.5).map((knob) =>
      `${knob.name}=${encodeURIComponent(VALUE[knob.kind](knob, draw))}`
    );
  return ["", ...Array.from({ length: count - 1 }, () => moved().join("&"))];
}

const CLOSE = 1e-6;
const as_number = (word) => (/^[-−]?[\d,]+(\.\d+)?$/.test(word) ? Number(word.replace("−", "-").replaceAll(",", "")) : NaN);

// The last digit that a sentence shows may have been rounded the other way.
function words_differ(a, b) {
  const [u, v] = [a.split(/[ :;()]+|[.,](?= |$)/), b.split(/[ :;()]+|[.,](?= |$)/)];
  return u.length !== v.length ||
    u.some((word, i) => word !== v[i] && !(Math.abs(as_number(word) - as_number(v[i])) <= 0.02 * Math.abs(as_number(word))));
}

// "" or where two answers differ, and by what; numbers by more than a millionth of the largest of their list.
export function difference(a, b, place = "", scale = 1) {
  if (typeof a === "number" && typeof b === "number") {
    return Math.abs(a - b) <= CLOSE * Math.max(scale, Math.abs(a)) ? "" : `${place} is ${a} here and ${b} in the page`;
  }
  if (typeof a === "string" && typeof b === "string") return words_differ(a, b) ? `${place} is "${a}" here and "${b}" in the page` : "";
  if (typeof a !== typeof b || a === null || typeof a !== "object") return a === b ? "" : `${place} is ${a} here and ${b} in the page`;
  const numbers = Array.isArray(a) ? a.flat(Infinity).filter((one) => typeof one === "number") : [];
  const largest = Math.max(scale, ...numbers.map(Math.abs));
  if (Object.keys(a).length !== Object.keys(b).length) return `${place} has another number of parts`;
  for (const key of Object.keys(a)) {
    const apart = difference(a[key], b[key], `${place}.${key}`, Array.isArray(a) ? largest : 1);
    if (apart) return apart;
  }
  return "";
}
