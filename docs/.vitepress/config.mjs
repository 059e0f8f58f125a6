// The book as a site: ./docs/run builds and serves it. Whatever the book's own Markdown finds wrong fails the build.
import { cpSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { chapters, framework_pages, measured_pages } from "./book/chapters.mjs";
import { draw_all } from "./book/figures.mjs";
import { parse_page } from "./book/pages.mjs";
import { the_path } from "./book/path.mjs";
import { registry } from "./book/registry.mjs";
import { write_source_pages } from "./book/source_pages.mjs";
import { docs, Problems, read } from "./book/tree.mjs";
import { Links } from "./markdown/links.mjs";
import { markdown_options } from "./markdown/options.mjs";
import { tick_html } from "./markdown/path.mjs";
import { folders, page_of } from "./reference/names.mjs";
import { write_reference } from "./reference/pages.mjs";
import { search } from "./search.mjs";
import { static_pages } from "./static_pages.mjs";
import { theme_parts } from "./theme_parts.mjs";

const problems = new Problems();
const figures = await draw_all(problems);
const links = new Links();
write_reference(registry());

const link = (page) => `/${page.replace(/\.md$/, "")}`;
const there = (page) => existsSync(join(docs, page));

// A chapter, with its sections below it.
const chapter = ({ number, pages }) =>
  pages.filter(there).map((page) => {
    const { title, sections } = parse_page(page);
    const items = sections
      .filter(({ is_formula }) => is_formula)
      .map(({ id, name }) => ({ text: name ?? id, link: `${link(page)}#${id}` }));
    return { text: `${number} ${title}`, link: link(page), collapsed: true, items };
  });

const plain = (pages) => pages.filter(there).map((page) => ({ text: parse_page(page).title, link: link(page) }));

const headers = {
  text: "Every header",
  link: "/reference/",
  collapsed: true,
  items: folders.map((folder) => ({ text: folder, link: `/reference/${page_of(folder)}` })),
};

const path = the_path();
const step = ({ name, page, anchor }) => ({ text: name, link: `${link(page)}#${anchor}` });

// The path: the parts, each with its sections, its program and its exercises.
const path_group = {
  text: "The path",
  items: [
    { text: "Overview", link: "/path" },
    { text: "The seven programs", link: "/thread" },
    { text: "Exercises", link: "/exercises" },
    ...path.programs.map(({ number, file, sections, runs, exercises }) => ({
      text: `${number} ${file}`,
      collapsed: true,
      items: [...sections, ...runs, ...exercises].map((station) => ({ ...step(station), text: station.name + tick_html(station) })),
    })),
  ],
};
const book_groups = [
  { text: "Formulas", items: [...plain(["formulas.md"]), ...chapters.flatMap(chapter)] },
  { text: "Measured", items: plain(measured_pages) },
  { text: "The framework", items: plain(framework_pages) },
  { text: "Reference", items: [...plain(["cheat-sheet.md", "glossary.md", "teaching.md"]), headers] },
];

// The pages in the order of the side bar, without the path.
const pages_of = ({ text, link, items = [] }) => [
  ...(link && !link.includes("#") ? [{ text, link }] : []),
  ...items.flatMap(pages_of),
];
const in_order = book_groups.flatMap(pages_of);

// What stands before and after a page: of one with stations of the path, what does so on the path.
function neighbours(page) {
  const overview = { text: "The path", link: "/path" };
  if (page === "index.md") return { next: overview };
  if (page === "path.md") return { prev: path_group.items[1], next: step(path.sections[0]) };
  if (page === "exercises.md") return { prev: path_group.items[0] };
  if (page === "thread.md") return { prev: path_group.items[0], next: step(path.sections[0]) };
  const own = path.stations.filter((station) => station.page === page);
  if (own.length > 0) {
    const [before, after] = [path.stations[own[0].at - 2], path.stations[own.at(-1).at]];
    return { prev: before ? step(before) : overview, next: after && step(after) };
  }
  const at = in_order.findIndex(({ link: one }) => one === link(page.replace(/(^|\/)index\.md$/, "$1")));
  return at < 0 ? {} : { prev: in_order[at - 1], next: in_order[at + 1] };
}

// Where tables and code need the room beside them; the side bar has the sections of a chapter, too.
const wide_pages = ["ablations", "cheat-sheet", "claims", "conventions", "errata", "exercises", "formulas", "notes", "path", "thread",
  "transformer"];
const is_wide = (page) => /^ch\d\d/.test(page) || wide_pages.includes(page.replace(".md", ""));

// The exercises that can be written in the page, and the version of the compiler that it then has.
function written_here() {
  if (!there("public/widgets/grader.wasm") || !there("public/compiler/version")) return undefined;
  const all = JSON.parse(read("docs/made/results/exercises.json")), { compiler, library } = run_here() ?? {};
  const of = (tensors) => all.filter(({ stub }) => stub.includes('#include "core/') === tensors).map(({ id }) => id);
  return { rows: of(false), tensors: library ? of(true) : [], compiler: compiler ?? read("docs/public/compiler/version"), library };
}

// What runs the programs of the path in the page: versions, and bytes as they are sent.
function run_here() {
  if (!there("public/library/version") || !there("public/compiler/version")) return undefined;
  const sent = ["library", "compiler"].flatMap((folder) =>
    readdirSync(join(docs, "public", folder)).map((name) => join(docs, "public", folder, name))
  );
  const bytes = sent.reduce((all, file) => all + statSync(file).size, 0);
  return { compiler: read("docs/public/compiler/version"), library: read("docs/public/library/version"), bytes };
}

// How far the build is, as ./docs/run reads it: each page is read, and then written; one more is 404.html.
let done = 0;
const tell_progress = ({ pages }, page) => console.log(`[${++done}/${2 * pages.length + 1}] ${page}`);

// Three steps.
const icon = "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 6"><path fill="#046ede" d="M0 4h2V2h2V0h2v6H0z"/></svg>',
  );

export default defineConfig({
  title: "Gradus",
  description: "Reverse-mode automatic differentiation, step by step: each formula, its gradient, its code.",
  lang: "en",
  head: [["link", { rel: "icon", href: icon }]],
  rewrites: { "README.md": "index.md" },
  srcExclude: ["made/**", "node_modules/**"],
  appearance: true,
  router: { prefetchLinks: false }, // a page is fetched when it is asked for
  lastUpdated: false,
  ignoreDeadLinks: true, // the book's own Markdown says where they are
  markdown: markdown_options({ figures, problems, links, moves: there("public/widgets/lab.wasm") }),
  vue: { include: [/\.vue$/] }, // the theme's, and no page
  vite: {
    plugins: [static_pages, theme_parts],
    build: { rollupOptions: { treeshake: false } }, // it takes a quarter of the build and saves a hundredth of the page
  },
  themeConfig: {
    search: { provider: "local", options: { miniSearch: search } },
    outline: { level: [2, 2], label: "On this page" },
    nav: [
      { text: "The path", link: "/path" },
      { text: "Formulas", link: "/formulas" },
      { text: "How it works", link: "/inside" },
      { text: "Words", link: "/glossary" },
    ],
    path: path.stations.map((station) => ({ key: station.key, ...step(station) })), // for theme/path.mjs
    sidebar: [path_group, ...book_groups],
    notFound: {
      title: "There is no such page",
      quote: "The search (Ctrl K) knows every word and every id of the book.",
      linkText: "The book's first page",
      linkLabel: "The book's first page",
    },
    docFooter: { prev: "Before", next: "Next" },
    widgets: there("public/widgets/lab.wasm"), // else their pictures stand alone
    exercises: written_here(), // else at home alone
    programs: run_here(), // likewise
  },
  transformHtml: (html, id, { siteConfig, page }) => tell_progress(siteConfig, page),
  transformPageData(page, { siteConfig }) {
    tell_progress(siteConfig, page.relativePath);
    const { prev = false, next = false } = neighbours(page.relativePath);
    Object.assign(page.frontmatter, { prev, next });
    if (is_wide(page.relativePath)) page.frontmatter.aside = false;
  },
  buildEnd({ outDir }) {
    links.check(new Set(links.ids.keys()), problems);
    const wrong = [...new Set(problems.all)].join("\n");
    if (wrong) throw Object.assign(new Error(`the book is wrong:\n${wrong}`), { stack: "" }); // the build shows it below the message
    cpSync(join(docs, "pictures"), join(outDir, "pictures"), { recursive: true });
    cpSync(join(docs, ".vitepress/theme/programs/offline.js"), join(outDir, "offline.js"));
    return write_source_pages(outDir);
  },
});
