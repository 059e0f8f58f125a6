// Two residual sublayers: four paths from x to z.
import { circles, way } from "./kit/depend.mjs";

export const title = "Two residual sublayers: along each there is a way around it and a way through it, four paths in all";
const BOX = { width: 52, height: 34 };

export function draw({ drawing, width }) {
  const d = drawing(width, 176, title);
  const at = (share) => (width > 500 ? 90 : 26) + share * (width - (width > 500 ? 180 : 52));
  const [x, y, z] = ["x", "y", "z"].map((name, k) => ({ x: at(k / 2), y: 112, name }));
  for (const [from, to, name] of [
    [x, y, "f_1"],
    [y, z, "f_2"],
  ]) {
    const box = { x: (from.x + to.x) / 2, y: 36 };
    way(d, from, to, { chosen: true });
    d.arrow(from.x, from.y, box.x - BOX.width / 2, box.y, { role: "value", width: 2, head: 9, from: 19, to: 3 });
    d.arrow(box.x + BOX.width / 2, box.y, to.x, to.y, { role: "value", width: 2, head: 9, to: 20 });
    d.box(box.x - BOX.width / 2, box.y - BOX.height / 2, BOX.width, BOX.height, {
      role: "parameter",
      text: `$${name}$`,
      term: "f",
    });
  }
  circles(d, [x], { term: "x", chosen: 0 });
  circles(d, [y], { term: "y" });
  circles(d, [z], { term: "z" });
  return d.text(width / 2, 160, "around or through, twice: $2^2$ paths, which add", { role: "soft", size: 14 });
}
