// The links of the built book: each leads to a page that is there, and to an element of that page; and the way on leads from the
// first section of the path to its end. One line for each that does not.
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

// The links "next" lead from the first station of the path to path.html again, and on the way to the program of each part and then
// to an exercise, before the next part.
export function path_faults(dist) {
  const read = (name) => readFileSync(path.join(dist, name), "utf8");
  const parts = [...read("path.html").matchAll(/<h2 id="[^"]*"[^>]*>\d+ · (\w+)\.cpp/g)].map(([, name]) => name);
  const passed = [];
  let place = read("path.html").match(/<p class="begin"><a href="([^"]+)"/)?.[1];
  while (place && !place.startsWith("path.html") && !passed.includes(place)) {
    passed.push(place);
    const [name, anchor] = place.split("#");
    const from = read(name).split(` id="${anchor}"`)[1] ?? "";
    place = from.match(/<nav class="steps"[^]*?<\/nav>/)?.[0].match(/<a href="([^"]+)" rel="next"/)?.[1];
  }
  const found = place?.startsWith("path.html#") ? [] : [`the path: after ${passed.at(-1)} nothing leads on`];
  const programs = parts.map((name) => passed.indexOf(`thread.html#${name}`));
  return [
    ...found,
    ...parts.flatMap((name, at) => {
      if (programs[at] < 0) return [`the path: the way on does not lead to ${name}.cpp`];
      const after = passed.slice(programs[at], programs[at + 1]);
      return after.some((one) => one.startsWith("exercises.html#")) ? [] : [`the path: after ${name}.cpp comes no exercise`];
    }),
  ];
}
