// Line plots as SVG, drawn twice, wide and for a phone, as a picture that is scaled has unreadable text. Names stand at the
// lines, there is no legend; colours follow light and dark.
//
//   plot({ title, more, x: { name, log, from, to }, y: …, lines: [{ name, x, y, colour, dashed, low, high }],
//          remarks: [{ text, x, y, colour, side, on_phone }], dots: [[x, y, colour]] })
//
// What is not finite interrupts a line, and is no dot; low and high are a band about it; colour "none" is the baseline's: grey,
// dashed. An axis without `from` and `to` reaches over the data; a line without x has its values at 0, 1, 2 … Those who do not see
// it hear the axes, where each named line begins and ends, and `more`. A remark stands right of its point, or "left", "centre".
import { at, fill, label, path, said, stroke } from "./svg.mjs";
import { number, raised, text_width, widest, with_commas } from "./words.mjs";

const SIZE = 13; // of letters, px
const GAP = 0.06; // between two names at the right, of the height

export function plot({ lines, ...rest }) {
  const all = { ...rest, lines: lines.map((line) => ({ x: line.y.map((_, i) => i), ...line })) };
  const words = said(words_of(all));
  return picture(all, words, "wide", 720, 360) + picture(all, words, "narrow", 358, 340);
}

function words_of({ title, more, x, y, lines }) {
  const axis = ({ name, log, from, to }) =>
    name + (from === undefined ? "" : ` from ${number(from)} to ${number(to)}`) + (log ? ", log" : "");
  const curves = lines.filter(({ name, y }) => name && y.length > 2); // and no mere rule across the frame
  const ends = curves.map(({ name, y }) => `${name} from ${number(y[0])} to ${number(y.at(-1))}`).join("; ");
  return [title, "Line plot", `x: ${axis(x)}; y: ${axis(y)}`, ends, more].filter(Boolean).map((one) => one.replace(/\.$/, "")).join(". ") +
    ".";
}

// The scale of an axis: where a value lies, from 0 to 1.
function scale_of({ log, from, to }, values, margin) {
  const known = values.filter((v) => Number.isFinite(v) && (!log || v > 0));
  const [least, most] = [Math.min, Math.max].map((of) => known.reduce((a, b) => of(a, b), known[0])); // of however many
  const beside = log ? 0 : margin * (most - least);
  from ??= least - beside;
  to ??= most + beside;
  if (!(from < to)) [from, to] = [from - 1, from + 1];
  const share = (v) => (log ? Math.log(v / from) / Math.log(to / from) : (v - from) / (to - from));
  return { log, from, to, share };
}

// 1, 2 or 5 times a power of ten: the least that goes at most `count` times into the range.
function round_step({ from, to }, count) {
  const least = (to - from) / count, power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= least * (1 - 1e-9));
}

const tick_text = (v) => {
  const rounded = Number(v.toPrecision(6));
  return Math.abs(rounded) >= 10000 ? with_commas(rounded) : String(rounded).replace("-", "−");
};
const power_text = (v) => `10${raised(Math.round(Math.log10(v)))}`;

// Values and their texts: by a round step, or on a logarithmic axis 1, 2, 5 of each decade, or as many powers as there is room for.
function ticks_of(scale, pixels, most) {
  const { log, from, to } = scale, decades = Math.log10(to / from);
  if (!log) return steps(scale, pixels, most);
  const powers = [];
  for (let p = Math.floor(Math.log10(from) + 1e-9); p <= Math.log10(to) + 1e-9; ++p) powers.push(10 ** p);
  if (decades <= 2) {
    const all = powers.flatMap((p) => [p, 2 * p, 5 * p]).filter((v) => v >= from * (1 - 1e-9) && v <= to * (1 + 1e-9));
    return all.map((v) => [v, tick_text(v)]);
  }
  const inside = powers.filter((v) => v >= from * (1 - 1e-9)), every = Math.ceil(decades / most);
  return inside.filter((_, i) => i % every === 0).map((v) => [v, power_text(v)]);
}

function steps(scale, pixels, most) {
  for (let count = most; count > 0; --count) {
    const step = round_step(scale, count), first = Math.ceil(scale.from / step - 1e-9), ticks = [];
    for (let k = first; k * step <= scale.to + 1e-9 * step; ++k) ticks.push([k * step, tick_text(k * step)]);
    const room = (pixels * step) / (scale.to - scale.from);
    if (count === 1 || ticks.every(([, text]) => text_width(text) + 10 <= room)) return ticks;
  }
}

function picture(all, words, kind, width, height) {
  const { lines, remarks = [], dots = [] } = all;
  const x = scale_of(all.x, lines.flatMap((line) => line.x), 0);
  const y = scale_of(all.y, lines.flatMap(({ y, low = [], high = [] }) => [...y, ...low, ...high]), 0.04);
  const up = ticks_of(y, Infinity, 6);
  const left = 12 + widest(up.map(([, text]) => text)), right = width - Math.max(18, 10 + widest(lines.map(({ name }) => name ?? "")));
  const top = 30, bottom = height - 48;
  const place = {
    left,
    right,
    top,
    bottom,
    x: (v) => left + x.share(v) * (right - left),
    y: (v) => bottom - y.share(v) * (bottom - top),
    known: (a, b) => Number.isFinite(a) && Number.isFinite(b) && (!y.log || b > 0) && (!x.log || a > 0),
  };
  const parts = [
    axes(all, place, ticks_of(x, right - left, all.x.log ? (kind === "wide" ? 6 : 3) : 8), up),
    within(place, lines.map((line) => band(line, place) + curve(line, place)).join("")),
    ...dots.filter(([a, b]) => place.known(a, b)).map(([a, b, colour = "ink"]) =>
      `<circle cx="${at(place.x(a))}" cy="${at(place.y(b))}" r="4" ${fill(colour)}/>`
    ),
    ...remarks.filter(({ on_phone = true }) => kind === "wide" || on_phone).map((one) => remark(one, place)),
    names(lines, place, y),
  ];
  return `<svg class="plot ${kind}" viewBox="0 0 ${width} ${height}" ${words}>${parts.join("")}</svg>\n`;
}

function axes(all, { left, right, top, bottom, x, y }, across, up) {
  return [
    ...up.map(([v]) => path(`M${at(left)} ${at(y(v))}H${at(right)}`, stroke("line"))),
    ...across.map(([v]) => path(`M${at(x(v))} ${at(bottom)}v5`, stroke("constant"))),
    path(`M${at(left)} ${at(top)}V${at(bottom)}H${at(right)}`, stroke("constant")),
    ...up.map(([v, words]) => label(left - 7, y(v) + 4.5, "end", words, "soft", SIZE)),
    ...across.map(([v, words]) => label(x(v), bottom + 19, "middle", words, "soft", SIZE)),
    label((left + right) / 2, bottom + 40, "middle", all.x.name, "ink", SIZE),
    label(0, 15, "start", all.y.name, "ink", SIZE),
  ].join("");
}

// What leaves the frame is cut off.
const within = ({ left, right, top, bottom }, drawn) => {
  const [x, y, width, height] = [left, top - 2, right - left + 1, bottom - top + 4].map(at);
  const box = `x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}"`;
  return `<svg ${box} style="overflow:hidden" aria-hidden="true">${drawn}</svg>`;
};

function band({ x, low, high, colour = "f1" }, place) {
  if (!low?.length) return "";
  const point = (v, i) => `${at(place.x(x[i]))} ${at(place.y(v))}`;
  const there = high.map(point), back = low.map(point).reverse();
  return path(`M${[...there, ...back].join("L")}Z`, `${fill(colour)} opacity=".16"`);
}

function curve({ x, y, colour = "f1", dashed }, place) {
  let d = "", pen = "M";
  for (const [i, v] of y.entries()) {
    const known = place.known(x[i], v);
    if (known) d += `${pen}${at(place.x(x[i]))} ${at(place.y(v))}`;
    pen = known ? "L" : "M";
  }
  const dashes = dashed || colour === "none" ? ' stroke-dasharray="8 4"' : "";
  return path(d, `${stroke(colour)} stroke-width="2.2" stroke-linejoin="round"${dashes}`);
}

const remark = ({ text, x, y, colour = "ink", side = "right" }, place) =>
  label(place.x(x), place.y(y) + 4.5, { right: "start", left: "end", centre: "middle" }[side], text, colour, 14);

// At the lines' right ends, moved apart where they would overlap.
function names(lines, place, y) {
  const all = lines.filter((line) => line.name).map((line) => {
    const last = line.y.findLast((v, i) => place.known(line.x[i], v));
    return { line, height: Math.min(1, Math.max(0, y.share(last))) };
  }).filter(({ height }) => !Number.isNaN(height)).sort((a, b) => a.height - b.height);
  for (let i = 1; i < all.length; ++i) all[i].height = Math.max(all[i].height, all[i - 1].height + GAP);
  if (all.at(-1)?.height > 1) all.at(-1).height = 1;
  for (let i = all.length - 2; i >= 0; --i) all[i].height = Math.min(all[i].height, all[i + 1].height - GAP);
  const { right, top, bottom } = place;
  const height_of = ({ height }) => bottom - height * (bottom - top) + 4.5;
  return all.map((one) => label(right + 7, height_of(one), "start", one.line.name, one.line.colour ?? "f1", SIZE)).join("");
}

// Means of ten steps each: one batch alone is noisy.
export function means_of_ten(losses) {
  const x = [], y = [];
  for (let step = 0; step + 10 <= losses.length; step += 10) {
    x.push(step + 5);
    y.push(losses.slice(step, step + 10).reduce((a, b) => a + b) / 10);
  }
  return { x, y };
}
