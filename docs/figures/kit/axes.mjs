// The axes of a small line plot in a drawing: where a point lies, and what stands beside it. A scale is { least, most, log, ticks }.
//   const plot = axes(d, { x: 40, y: 30, width: 300, height: 200, across: { least: 0, most: 12, ticks: [0, 12] }, up, name, below });
//   plot.line([[0, 1], [1, 2]], { role: "value" });
import { raised } from "../../kit/words.mjs";

const finite = ([x, y]) => typeof x === "number" && typeof y === "number";

const NEARLY = 0.05; // of a decade: so little may lie outside

// Decades that hold all these numbers and these two, and a tick at every so manieth power of ten.
export function decades(numbers, least, most, ticks = 5) {
  const all = numbers.filter((v) => typeof v === "number" && v > 0).map(Math.log10);
  const from = Math.floor(Math.min(Math.log10(least), ...all) + NEARLY);
  const to = Math.ceil(Math.max(Math.log10(most), ...all) - NEARLY);
  const stride = Math.ceil((to - from) / ticks);
  const powers = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((p) => p % stride === 0);
  return { least: 10 ** from, most: 10 ** to, log: true, ticks: powers.map((p) => 10 ** p) };
}

const power = (v) => `10${raised(Math.round(Math.log10(v)))}`;
const tick = ({ log }, v) => (log && (v < 0.1 || v > 100) ? power(v) : String(v));

export function axes(d, { x, y, width, height, across, up, name, below }) {
  const share = ({ least, most, log }, v) => {
    const on = log ? Math.log10 : Number;
    return (on(v) - on(least)) / (on(most) - on(least));
  };
  const at_x = (v) => x + share(across, v) * width;
  const at_y = (v) => y + height - share(up, v) * height;
  for (const v of up.ticks) {
    d.line(x, at_y(v), x + width, at_y(v), { role: "line", width: 1 });
    d.text(x - 6, at_y(v), tick(up, v), { anchor: "end", size: 13, role: "soft" });
  }
  d.line(x, y + height, x + width, y + height, { role: "constant", width: 1 });
  for (const v of across.ticks) d.text(at_x(v), y + height + 13, tick(across, v), { size: 13, role: "soft" });
  d.text(x + width / 2, y + height + 29, below, { size: 13, role: "soft" });
  d.text(x - 30, y - 16, name, { anchor: "start", size: 13, role: "soft" });
  const line = (points, options) => {
    const [first, ...rest] = points.filter(finite).map(([a, b]) => `${at_x(a).toFixed(1)} ${at_y(b).toFixed(1)}`);
    if (rest.length > 0) d.path(`M${first}L${rest.join("L")}`, options);
  };
  const dots = (points, { r = 2.5, role }) =>
    points.filter(finite).forEach(([a, b]) => d.circle(at_x(a), at_y(b), r, { fill: role, role, width: 0 }));
  return { at_x, at_y, line, dots };
}
