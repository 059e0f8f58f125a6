// One step of an LSTM: the cell's way is a product and a sum, everything else goes through a gate.
import { circles, way } from "./kit/depend.mjs";

export const title = "The cell's way through an LSTM step, and the gates that act on it";

export function draw({ drawing, width }) {
  const d = drawing(width, 240, title);
  const wide = width > 500;
  const at = (share, y, name) => ({ x: (wide ? 70 : 26) + share * (width - (wide ? 140 : 52)), y, name });
  const [c, product, plus, out] = [at(0, 60, "c"), at(0.3, 60, "\\odot"), at(0.62, 60, "+"), at(1, 60, "c'")];
  const [f, i, o, h] = [at(0.3, 150, "f"), at(0.62, 150, "i n"), at(0.82, 150, "o"), at(1, 150, "h'")];
  const chosen = { chosen: true };
  way(d, c, product, chosen);
  way(d, product, plus, chosen);
  way(d, plus, out, chosen);
  way(d, f, product);
  way(d, i, plus);
  way(d, out, h);
  way(d, o, h);
  circles(d, [c, product, plus, out], { chosen: 0 });
  circles(d, [f, i, o], { role: "parameter" });
  circles(d, [h], {});
  d.text(width / 2, 200, "$x$ and $h$ act through the gates $f$, $i$, $n$, $o$ alone", { role: "soft", size: 14 });
  return d.text(
    width / 2,
    226,
    wide ? "on the cell's own way there is one factor a step: $f$" : "the cell's own factor: $f$",
    {
      role: "soft",
      size: 14,
    },
  );
}
