// One table, two uses: a number of E reaches a score as the row that was read and as the row it is compared with.
import { circles, way } from "./kit/depend.mjs";

export const title = "The table reaches the scores on two ways";

export function draw({ drawing, width }) {
  const d = drawing(width, 200, title);
  const wide = width > 500;
  const at = (share, y, name) => ({ x: (wide ? 110 : 28) + share * (width - (wide ? 220 : 56)), y, name });
  const [E, e, x, z] = [at(0, 80, "E"), at(0.36, 130, "e"), at(0.7, 130, "x"), at(1, 80, "z")];
  way(d, E, e, { chosen: true });
  way(d, e, x, { chosen: true });
  way(d, x, z, { chosen: true });
  way(d, E, z, { chosen: true, bend: -26 });
  circles(d, [E], { chosen: 0 });
  circles(d, [e, x, z], {});
  d.text(at(0.5, 0).x, 24, "head: compared with every row", { role: "soft", size: 14 });
  d.text((e.x + x.x) / 2, 108, "blocks", { role: "soft", size: 13 });
  return d.text(at(0.5, 0).x, 178, "lookup: the rows of the ids that were read", { role: "soft", size: 14 });
}
