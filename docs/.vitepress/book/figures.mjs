// The pictures of the book, drawn: name → { wide, narrow }, SVG for a page and for a phone.
import { names, render } from "../../figures/kit/render.mjs";

// Only those in `wanted`, where it is given.
export async function draw_all(problems, wanted) {
  const figures = new Map();
  for (const name of names()) {
    if (wanted && !wanted.has(name)) continue;
    try {
      const wide = await render(name, 720);
      const narrow = await render(name, 358);
      figures.set(name, { wide, narrow: narrow === wide ? undefined : narrow });
    } catch (error) {
      problems.add(`figures/${name}.mjs`, undefined, error.message);
    }
  }
  return figures;
}
