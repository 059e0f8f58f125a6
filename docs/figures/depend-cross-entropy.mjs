// Cross-entropy: every score reaches the loss through log Z, and the target's score once more, directly.
import { circles, column, columns_of, each_way, numbered, way } from "./kit/depend.mjs";

export const title = "Every score reaches the loss through log Z, and the target's also directly";
const TARGET = 1;

export function draw({ drawing, width }) {
  const [left, centre, right] = columns_of(width);
  const d = drawing(width, 240, title);
  const z = column(left, numbered("z"));
  const sum = { x: centre, y: 126, name: "Z" };
  const loss = { x: right, y: 80, name: "ℓ" };
  each_way(
    d,
    z.filter((_, k) => k !== TARGET),
    [sum],
  );
  way(d, z[TARGET], sum, { chosen: true });
  way(d, z[TARGET], loss, { chosen: true });
  way(d, sum, loss, { chosen: true });
  circles(d, z, { term: "z", chosen: TARGET });
  circles(d, [sum], { term: "Z" });
  circles(d, [loss], { term: "\\ell" });
  const words = width > 500
    ? "the target here is $z_2$: two paths to $ℓ$, all others have one"
    : "the target $z_2$ has two paths to $ℓ$, the others one";
  return d.text(width / 2, 224, words, { role: "soft", size: 14 });
}
