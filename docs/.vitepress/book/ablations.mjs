// The tables of ablations.md: a row for every variant, in the order of the results, with its own numbers.
import { read } from "./tree.mjs";

const ablations = ["norm", "placement", "position", "feed-forward"];

export function ablation_faults() {
  const found = [];
  const shown = new Map(ablations.map((ablation) => [ablation, []]));
  read("docs/ablations.md")
    .split("\n")
    .forEach((text, at) => {
      const name = text.match(/^\| \[([\w-]+)\]\(ch/)?.[1];
      if (!name) return;
      const links = [...text.matchAll(/results\/ablation-([\w-]+)\.json#variants\.(\d+)\./g)].map(
        ([, ablation, k]) => `${ablation} ${k}`,
      );
      const [ablation, k] = links[0]?.split(" ") ?? [];
      const variants = ablation ? variants_of(ablation) : [];
      if (new Set(links).size !== 1)
        found.push({ line: at + 1, message: `the row ${name} has numbers of several variants` });
      else if (variants[k]?.name !== name)
        found.push({ line: at + 1, message: `the row ${name} has the numbers of ${variants[k]?.name}` });
      else shown.get(ablation)?.push(name);
    });
  for (const ablation of ablations) {
    const names = variants_of(ablation).map(({ name }) => name);
    if (names.join() !== shown.get(ablation).join())
      found.push({ message: `the table of ${ablation} does not have ${names.join(", ")}` });
  }
  return found;
}

const variants_of = (ablation) => JSON.parse(read(`docs/made/results/ablation-${ablation}.json`)).variants;
