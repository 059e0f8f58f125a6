// The snippets of the path and the whole programs of the other pages, with the output that each has.
import { parse_page } from "./pages.mjs";
import { is_there, pages, read } from "./tree.mjs";

const LINES = "(?:(?!```).*\\n)*";
const SNIPPET = new RegExp(`^\`\`\`cpp(?: file=.*)?\\n(${LINES})\`\`\`\\n\\n*\`\`\`text\\n(${LINES})\`\`\`$`, "gm");

// { name, code, output } of each ```cpp fence with a ```text fence below it, in the path's sections.
export function snippets(path) {
  return path.sections.flatMap(({ key, id, page }) => {
    if (!is_there(`docs/${page}`)) return [];
    const { lines, sections, heads } = parse_page(page);
    const section = sections.find((one) => one.id === id);
    if (id && !section) return [];
    const to = id ? section?.to : heads.find(({ level }) => level === 2)?.line - 1;
    const text = lines.slice(id ? section?.line : 0, to).join("\n");
    return [...text.matchAll(SNIPPET)].map(([, code, output], at) => ({
      name: `docs/${page}, ${key}, snippet ${at + 1}`,
      code,
      output,
    }));
  });
}

// The same of each fence that is a whole program.
export const whole_programs = () =>
  pages().flatMap((page) =>
    [...read(`docs/${page}`).matchAll(SNIPPET)]
      .filter(([, code]) => /^int main\(/m.test(code))
      .map(([, code, output], at) => ({ name: `docs/${page}, program ${at + 1}`, code, output }))
  );
