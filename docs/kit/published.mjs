// A chapter's library of wrong answers, measured beside what is right.
import { right, section, table, text } from "./parts.mjs";
import { escaped, shown } from "./words.mjs";

// What stands in a tree at "norm/cancellation".
export const of = (tree, id) => id.split("/").reduce((at, part) => at[part], tree);

// One wrong line each, and the number that shows it; with --bug, one of them beside the right one in every probe.
export function published({ numbers: { probes, bug }, series: { published: { ids, lines, sources, probe, names, titles } } }) {
  const title = (name) => escaped(titles[names.indexOf(name)]);
  const rows = ids.map((id, i) => [
    `<code>${escaped(id)}</code><br><small>${escaped(lines[i])}</small>`,
    title(probe[i]),
    shown(probes.right[probe[i]]),
    shown(of(probes, id)[probe[i]]),
    escaped(sources[i] || "–"),
  ]);
  const beside = () => {
    const i = ids.indexOf(bug), source = sources[i] ? ` Published at ${escaped(sources[i])}.` : "";
    return [
      table(
        `Each is asked the same: right, and <code>${escaped(bug)}</code>.`,
        ["probe", right("right"), right("wrong")],
        names.map((name) => [title(name), shown(probes.right[name]), shown(of(probes, bug)[name])]),
      ),
      text(`<code>${escaped(bug)}</code>: ${escaped(lines[i])}.${source}`),
    ];
  };
  return [
    section("published", "One wrong line"),
    bug ? beside() : [],
    table(
      "One wrong line each, where it was published (–: made here), and the number that shows it. Another beside the right one by " +
        "<code>--bug ID</code>.",
      ["mistake", "shown by", right("right"), right("wrong"), "published at"],
      rows,
    ),
  ];
}
