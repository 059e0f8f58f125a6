// A step on the sphere, in the plane of the state and of what the sublayer gave: part of the chord, and back to the sphere.
export const title = "A step on the sphere: part of the way on the chord, then back to length 1";

export function draw({ drawing, width }) {
  const radius = Math.min(230, width - 150);
  const d = drawing(Math.min(width, radius + 150), radius + 66, title);
  const [x0, y0] = [36, radius + 34];
  const at = (right, up) => [x0 + radius * right, y0 - radius * up];
  const half = Math.SQRT1_2;
  d.path(`M${at(1, 0).join(" ")}A${radius} ${radius} 0 0 0 ${at(0, 1).join(" ")}`, { role: "line", width: 1.5 });
  d.arrow(x0, y0, ...at(1, 0), { role: "constant", width: 1.5 });
  d.arrow(x0, y0, ...at(0, 1), { role: "constant", width: 1.5 });
  d.line(...at(0.5, 0.5), ...at(0, 1), { role: "soft", dash: true, width: 1.2 });
  d.arrow(...at(1, 0), ...at(0.5, 0.5), { role: "value", width: 2 });
  d.line(x0, y0, ...at(0.5, 0.5), { role: "soft", dash: true, width: 1.2 });
  d.arrow(...at(0.5, 0.5), ...at(half, half), { role: "value", width: 2 });
  d.text(x0 + radius + 8, y0, "$x̂$", { anchor: "start" });
  d.text(x0, y0 - radius - 16, "$ŷ$");
  d.text(...at(0.44, 0.54), "$n$", { anchor: "end" });
  const [right, up] = at(half, half);
  d.text(right + 8, up - 8, "$x′$", { anchor: "start" });
  d.text(x0 + radius * 0.78 + 6, y0 - radius * 0.22 + 14, "α", { anchor: "end", role: "value" });
  return d;
}
