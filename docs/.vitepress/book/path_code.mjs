// The code of the path in Markdown: below the link to a region, its lines, for those who do not read the site.
import { partly_made_page } from "./made_by.mjs";
import { parse_page } from "./pages.mjs";
import { timed } from "./path.mjs";
import { region, shown_lines } from "./sources.mjs";
import { thread_numbers, thread_page } from "./thread.mjs";
import { is_there, linked, read } from "./tree.mjs";

const LINES = "(?:(?!```).*\\n)*";
const LINK = new RegExp(
  `^\\[[^\\]]+\\]\\(([\\w./-]+\\.(?:h|cpp))#([\\w.-]+)\\)\\n(?:\\n*\`\`\`cpp\\n${LINES}\`\`\`\\n(?!\\n*\`\`\`text))?`,
  "gm",
);

function below(page, link, path, name) {
  try {
    const lines = shown_lines(region(linked(page, path), name));
    return `${link}\n\n${["```cpp", ...lines, "```"].join("\n")}\n`;
  } catch {
    return undefined; // what is wrong with the region is said where the page is rendered
  }
}

// A page with the lines of the regions in the parts "Code" of its sections on the path.
function with_code(page, path, text = read(`docs/${page}`)) {
  const { lines, sections } = parse_page(page, text);
  const on_path = sections.filter(({ id }) => path.sections.some((section) => section.id === id));
  const codes = on_path.flatMap(({ parts }) => parts.filter(({ name }) => name === "Code"));
  let shown = false;
  for (const { line, to } of codes.reverse()) {
    const part = `${lines.slice(line, to).join("\n")}\n`;
    const now = part.replace(LINK, (all, file, name) => below(page, all.split("\n")[0], file, name) ?? all);
    lines.splice(line, to - line, ...now.slice(0, -1).split("\n"));
    shown ||= new RegExp(LINK, "m").test(part);
  }
  const all = lines.join("\n");
  return shown ? partly_made_page('in "Code" of the sections of the path, the lines below a link to a region', all) : all;
}

// The pages of which some lines are made of others: `texts`, page → its text as it has to be; and `faults`, { page, line, message }
// of what could not be made, which then stays as it is.
export function partly_made(path) {
  const pages = [...new Set(path.sections.map(({ page }) => page))].filter((page) => is_there(`docs/${page}`));
  const texts = new Map(pages.map((page) => [page, with_code(page, path)]));
  texts.set("path.md", partly_made_page("the minutes", timed()));
  const thread = thread_page(path);
  const of_programs = "below the link to each program its lines, and the table of their sections";
  texts.set("thread.md", partly_made_page(of_programs, thread.text));
  const { numbers, faults } = thread_numbers();
  if (numbers) texts.set("made/results/thread.json", `${JSON.stringify(numbers, null, 1)}\n`);
  return { texts, faults: [...thread.faults, ...faults] };
}
