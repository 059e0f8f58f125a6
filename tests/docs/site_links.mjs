// Every link of the built book leads to a page that is there, and to an element of that page: one line for each that does not.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const attributes = (html, name) => [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value]) => value);

// `names` are the pages, as paths below the folder `dist`.
export function dead_links(dist, names) {
  const ids = new Map();
  const ids_of = (file) => {
    if (!ids.has(file)) ids.set(file, new Set(attributes(readFileSync(file, "utf8"), "id")));
    return ids.get(file);
  };
  const found = [];
  for (const name of names) {
    const from = path.join(dist, name);
    for (const href of new Set(attributes(readFileSync(from, "utf8"), "href"))) {
      if (/^[a-z]+:/.test(href)) continue;
      const [target, anchor] = href.split("#");
      const file = !target
        ? from
        : path.join(
            target.startsWith("/") ? dist : path.dirname(from),
            target.endsWith("/") ? `${target}index.html` : target,
          );
      if (!existsSync(file)) found.push(`${name}: ${href} leads nowhere`);
      else if (anchor && !ids_of(file).has(decodeURIComponent(anchor)))
        found.push(`${name}: ${href}: the page has no such place`);
    }
  }
  return found;
}
